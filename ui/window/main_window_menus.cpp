// What the window's file, edit, view and help menus do.
#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>

#include "engine/layers/catalogue.h"
#include "ui/canvas/canvas.h"
#include "ui/inspector/inspector.h"
#include "ui/palette/palette.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/help_window.h"
#include "ui/window/language.h"
#include "ui/window/main_window.h"
#include "ui/window/project_files.h"
#include "ui/window/welcome_page.h"

namespace strata::ui {

bool MainWindow::openProject(const QString& path) {
    return m_files->mayDiscard() && m_files->openPath(path);
}

void MainWindow::newFromTemplate(const QString& name) {
    m_files->newFromTemplate(name);
}

void MainWindow::connectFileActions() {
    connect(m_actions->createNew, &QAction::triggered, this, [this] {
        m_pages->setCurrentWidget(m_welcome);
        updateTitle();
        updateActions();
    });
    connect(m_actions->open, &QAction::triggered, this, [this] { m_files->openDialog(); });
    connect(m_actions->save, &QAction::triggered, this, [this] { m_files->save(); });
    connect(m_actions->saveAs, &QAction::triggered, this, [this] { m_files->saveAs(); });
    connect(m_actions->quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::fillTemplates() {
    m_actions->newMenu->clear();
    for (const train::Template& entry : train::templates()) {
        const QString name = QString::fromStdString(entry.name);
        QAction* action = m_actions->newMenu->addAction(catalogueText(entry.title), this,
                                                        [this, name] { newFromTemplate(name); });
        action->setToolTip(catalogueText(entry.doc));
    }
}

void MainWindow::fillRecent() {
    const QStringList paths = m_files->recent();
    m_welcome->setRecent(paths);
    m_actions->recentMenu->clear();
    m_actions->recentMenu->setEnabled(!paths.isEmpty());
    for (const QString& path : paths) {
        QAction* action = m_actions->recentMenu->addAction(QFileInfo(path).fileName(), this,
                                                           [this, path] { openProject(path); });
        action->setToolTip(path);
    }
}

// A field that has the focus gets what is typed or chosen; the canvas only where there is none.
void MainWindow::editText(const char* method, const std::function<void()>& otherwise) {
    QWidget* field = QApplication::focusWidget();
    const bool text = qobject_cast<QLineEdit*>(field) != nullptr ||
                      qobject_cast<QPlainTextEdit*>(field) != nullptr;
    if (text) {
        QMetaObject::invokeMethod(field, method);
    } else {
        otherwise();
    }
}

void MainWindow::connectEditActions() {
    QUndoStack& undo = m_document->undoStack();
    connect(m_actions->undo, &QAction::triggered, &undo, &QUndoStack::undo);
    connect(m_actions->redo, &QAction::triggered, &undo, &QUndoStack::redo);
    connect(m_actions->cut, &QAction::triggered, this,
            [this] { editText("cut", [this] { m_canvas->cutSelected(); }); });
    connect(m_actions->copy, &QAction::triggered, this,
            [this] { editText("copy", [this] { m_canvas->copySelected(); }); });
    connect(m_actions->paste, &QAction::triggered, this,
            [this] { editText("paste", [this] { m_canvas->paste(); }); });
    connect(m_actions->selectAll, &QAction::triggered, this,
            [this] { editText("selectAll", [this] { m_canvas->selectAllLayers(); }); });
    connect(m_actions->duplicate, &QAction::triggered, m_canvas, &Canvas::duplicateSelected);
    connect(m_actions->remove, &QAction::triggered, m_canvas, &Canvas::removeSelected);
    connect(m_actions->find, &QAction::triggered, m_palette, &Palette::focusSearch);
    connect(m_actions->rename, &QAction::triggered, m_inspector, &Inspector::focusName);
    connect(m_actions->help, &QAction::triggered, this, &MainWindow::showHelp);
    connect(m_actions->about, &QAction::triggered, this, &MainWindow::showAbout);
}

void MainWindow::updateUndo() {
    const QUndoStack& undo = m_document->undoStack();
    m_actions->undo->setEnabled(undo.canUndo());
    m_actions->redo->setEnabled(undo.canRedo());
    m_actions->undo->setText(undo.canUndo() ? tr("&Undo: %1").arg(undo.undoText()) : tr("&Undo"));
    m_actions->redo->setText(undo.canRedo() ? tr("&Redo: %1").arg(undo.redoText()) : tr("&Redo"));
}

void MainWindow::connectViewActions() {
    connect(m_actions->fit, &QAction::triggered, m_canvas, &Canvas::fitModel);
    connect(m_actions->zoomIn, &QAction::triggered, this, [this] { m_canvas->zoomBy(1.2); });
    connect(m_actions->zoomOut, &QAction::triggered, this, [this] { m_canvas->zoomBy(1.0 / 1.2); });
    connect(m_actions->actualSize, &QAction::triggered, m_canvas, &Canvas::resetZoom);
    connect(m_actions->fullScreen, &QAction::toggled, this,
            [this](bool on) { on ? showFullScreen() : showNormal(); });
    for (QAction* action : m_actions->themes->actions())
        if (action->data().toInt() == static_cast<int>(Theme::instance().choice()))
            action->setChecked(true);
    for (QAction* action : m_actions->languageGroup->actions())
        if (action->data().toString() == currentLanguage()) action->setChecked(true);
    connect(m_actions->themes, &QActionGroup::triggered, this, [this](QAction* action) {
        chooseTheme(static_cast<ThemeChoice>(action->data().toInt()));
    });
    connect(m_actions->languageGroup, &QActionGroup::triggered, this, [](QAction* action) {
        QSettings().setValue("language", action->data());
        applyLanguage(action->data().toString());
    });
}

void MainWindow::chooseTheme(ThemeChoice choice) {
    QSettings().setValue("theme", static_cast<int>(choice));
    Theme::instance().apply(*qApp, choice);
}

void MainWindow::showHelp() {
    auto* help = new HelpWindow(this);
    const QStringList names = m_document->selection();
    if (names.isEmpty()) {
        help->showGeneral();
    } else {
        help->showLayer(*m_document->model().layer(names.last().toStdString()).type);
    }
    help->show();
}

void MainWindow::showAbout() {
    QMessageBox box(QMessageBox::NoIcon, tr("About Strata Studio"),
                    tr("Strata Studio %1").arg(QApplication::applicationVersion()),
                    QMessageBox::NoButton, this);
    box.setInformativeText(tr(
        "A desktop studio in which you build neural networks layer by layer and watch them learn.\n"
        "Free software under the GNU General Public License, version 3 or later."));
    box.addButton(tr("Close"), QMessageBox::AcceptRole);
    box.exec();
}

bool MainWindow::askToStop() {
    if (!m_engine->isActive()) return true;
    QMessageBox question(QMessageBox::Question, tr("A run is going on"),
                         tr("The model is still being trained."), QMessageBox::NoButton, this);
    question.setInformativeText(
        tr("Save and stop ends the run after this step and writes a checkpoint; training can go on "
           "from it later."));
    QPushButton* yes = question.addButton(tr("Save and stop"), QMessageBox::AcceptRole);
    question.setDefaultButton(yes);
    question.addButton(tr("Cancel"), QMessageBox::RejectRole);
    question.exec();
    return question.clickedButton() == yes;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    event->ignore();
    if (m_closing && m_engine->isActive()) return;  // asked already; closes when the run has ended
    if (!m_closing && (!askToStop() || !m_files->mayDiscard())) return;
    if (m_engine->isActive()) {
        m_closing = true;
        stop();
        return;
    }
    saveLayout();
    event->accept();
}

void MainWindow::restoreLayout() {
    const QSettings settings;
    if (!restoreGeometry(settings.value("geometry").toByteArray())) resize(1280, 800);
    m_columns->restoreState(settings.value("columns").toByteArray());
    m_rows->restoreState(settings.value("rows").toByteArray());
    m_canvas->setLanes(settings.value("lanes").toBool());
}

void MainWindow::saveLayout() const {
    QSettings settings;
    settings.setValue("geometry", saveGeometry());
    settings.setValue("columns", m_columns->saveState());
    settings.setValue("rows", m_rows->saveState());
    settings.setValue("lanes", m_canvas->showsLanes());
}

}  // namespace strata::ui
