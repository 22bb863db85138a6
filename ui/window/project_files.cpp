#include "ui/window/project_files.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>

#include "ui/widgets/text.h"

namespace strata::ui {
namespace {

constexpr const char* recentKey = "recentProjects";
constexpr int mostRecent = 8;
constexpr const char* suffix = "strata";

}  // namespace

ProjectFiles::ProjectFiles(Document& document, QWidget* window)
    : QObject(window), m_document(document), m_window(window) {}

QStringList ProjectFiles::recent() const {
    QStringList paths = QSettings().value(recentKey).toStringList();
    paths.removeIf([](const QString& path) { return !QFileInfo::exists(path); });
    return paths;
}

void ProjectFiles::remember(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList paths = recent();
    paths.removeAll(absolute);
    paths.prepend(absolute);
    QSettings().setValue(recentKey, paths.mid(0, mostRecent));
    Q_EMIT recentChanged();
}

QString ProjectFiles::startFolder() const {
    if (!m_document.path().isEmpty()) return QFileInfo(m_document.path()).absolutePath();
    return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
}

bool ProjectFiles::openDialog() {
    if (!mayDiscard()) return false;
    const QString path =
        QFileDialog::getOpenFileName(m_window, tr("Open a project"), startFolder(),
                                     tr("Strata projects (*.strata);;All files (*)"));
    return !path.isEmpty() && openPath(path);
}

bool ProjectFiles::openPath(const QString& path) {
    try {
        m_document.open(path);
    } catch (const Error& error) {
        Q_EMIT failed(errorText(error));
        return false;
    }
    remember(path);
    Q_EMIT opened();
    return true;
}

bool ProjectFiles::newFromTemplate(const QString& name) {
    if (!mayDiscard()) return false;
    try {
        m_document.setProject(train::make_template(name.toStdString()));
    } catch (const Error& error) {
        Q_EMIT failed(errorText(error));
        return false;
    }
    Q_EMIT opened();
    return true;
}

bool ProjectFiles::save() {
    return m_document.path().isEmpty() ? saveAs() : saveTo(m_document.path());
}

bool ProjectFiles::saveAs() {
    QFileDialog dialog(m_window, tr("Save the project"), startFolder(),
                       tr("Strata projects (*.strata)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(suffix);
    dialog.selectFile(m_document.title() + '.' + suffix);
    return dialog.exec() == QDialog::Accepted && saveTo(dialog.selectedFiles().first());
}

bool ProjectFiles::saveTo(const QString& path) {
    try {
        m_document.save(path);
    } catch (const Error& error) {
        Q_EMIT failed(errorText(error));
        return false;
    }
    remember(path);
    return true;
}

bool ProjectFiles::mayDiscard() {
    if (!m_document.isModified()) return true;
    QMessageBox question(QMessageBox::Question, tr("Unsaved changes"),
                         tr("“%1” has changes that are not saved.").arg(m_document.title()),
                         QMessageBox::NoButton, m_window);
    QPushButton* keep = question.addButton(tr("Save"), QMessageBox::AcceptRole);
    QPushButton* discard = question.addButton(tr("Discard changes"), QMessageBox::DestructiveRole);
    question.addButton(tr("Cancel"), QMessageBox::RejectRole);
    question.setDefaultButton(keep);
    question.exec();
    if (question.clickedButton() == keep) return save();
    return question.clickedButton() == discard;
}

}  // namespace strata::ui
