#include "ui/window/actions.h"

#include "ui/widgets/theme.h"
#include "ui/window/language.h"

namespace strata::ui {

Actions::Actions(QMenuBar& bar, QWidget* window) : QObject(window), m_window(window) {
    const auto menu = [&](QMenu*& out, QMenu* parent, const char* title) {
        out = parent == nullptr ? bar.addMenu(QString()) : parent->addMenu(QString());
        out->setToolTipsVisible(true);
        m_menus.emplace_back(out, title);
    };
    menu(fileMenu, nullptr, QT_TR_NOOP("&File"));
    menu(editMenu, nullptr, QT_TR_NOOP("&Edit"));
    menu(trainMenu, nullptr, QT_TR_NOOP("&Train"));
    menu(viewMenu, nullptr, QT_TR_NOOP("&View"));
    menu(helpMenu, nullptr, QT_TR_NOOP("&Help"));
    menu(newMenu, fileMenu, QT_TR_NOOP("New from template"));
    buildFile();
    menu(recentMenu, nullptr, QT_TR_NOOP("Open recent"));
    bar.removeAction(recentMenu->menuAction());
    fileMenu->insertMenu(save, recentMenu);
    buildEdit();
    buildTrain();
    buildView();
    buildHelp();
    retranslate();
}

QAction* Actions::add(QMenu* menu, const char* text, const char* tip, const QKeySequence& key,
                      const char* icon) {
    auto* action = new QAction(m_window);
    if (!key.isEmpty()) action->setShortcut(key);
    if (icon != nullptr) action->setObjectName(icon);
    menu->addAction(action);
    m_window->addAction(action);
    m_entries.push_back({action, text, tip});
    return action;
}

void Actions::buildFile() {
    createNew =
        add(fileMenu, QT_TR_NOOP("&New…"), QT_TR_NOOP("Show the templates"), QKeySequence::New);
    open =
        add(fileMenu, QT_TR_NOOP("&Open…"), QT_TR_NOOP("Open a project file"), QKeySequence::Open);
    save = add(fileMenu, QT_TR_NOOP("&Save"), QT_TR_NOOP("Save the project"), QKeySequence::Save);
    saveAs =
        add(fileMenu, QT_TR_NOOP("Save &as…"), QT_TR_NOOP("Save the project under another name"),
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S));
    fileMenu->addSeparator();
    quit = add(fileMenu, QT_TR_NOOP("&Quit"), QT_TR_NOOP("Close the studio"),
               QKeySequence(Qt::CTRL | Qt::Key_Q));
}

void Actions::buildEdit() {
    undo = add(editMenu, QT_TR_NOOP("&Undo"), QT_TR_NOOP("Take back the last change"),
               QKeySequence::Undo);
    redo =
        add(editMenu, QT_TR_NOOP("&Redo"), QT_TR_NOOP("Make the change again"), QKeySequence::Redo);
    editMenu->addSeparator();
    cut = add(editMenu, QT_TR_NOOP("Cu&t"), QT_TR_NOOP("Move the selection to the clipboard"),
              QKeySequence::Cut);
    copy = add(editMenu, QT_TR_NOOP("&Copy"), QT_TR_NOOP("Copy the selection to the clipboard"),
               QKeySequence::Copy);
    paste = add(editMenu, QT_TR_NOOP("&Paste"), QT_TR_NOOP("Insert what is in the clipboard"),
                QKeySequence::Paste);
    duplicate = add(editMenu, QT_TR_NOOP("&Duplicate"),
                    QT_TR_NOOP("Insert a copy behind the selected layers"),
                    QKeySequence(Qt::CTRL | Qt::Key_D));
    remove = add(editMenu, QT_TR_NOOP("De&lete"),
                 QT_TR_NOOP("Remove the selected layers or connection"), QKeySequence::Delete);
    editMenu->addSeparator();
    selectAll = add(editMenu, QT_TR_NOOP("Select &all"), QT_TR_NOOP("Select all layers"),
                    QKeySequence::SelectAll);
    find = add(editMenu, QT_TR_NOOP("&Find a layer"), QT_TR_NOOP("Search a layer to add"),
               QKeySequence::Find);
    rename = add(editMenu, QT_TR_NOOP("Re&name"),
                 QT_TR_NOOP("Give the selected layer another name"), QKeySequence(Qt::Key_F2));
    editMenu->addSeparator();
    placeMenu = editMenu->addMenu(QString());
    placeMenu->setToolTipsVisible(true);
    m_menus.emplace_back(placeMenu, QT_TR_NOOP("Place &on"));
    placeOn = add(editMenu, QT_TR_NOOP("Place on…"),
                  QT_TR_NOOP("Choose the device of the selected layers"),
                  QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    placeAuto = add(editMenu, QT_TR_NOOP("Place &automatically…"),
                    QT_TR_NOOP("Let the planner share the model over devices, and say why"));
    editMenu->removeAction(placeOn);  // the menu above is its place; the keys open it at the card
}

void Actions::buildTrain() {
    train = add(trainMenu, QT_TR_NOOP("Train"), QT_TR_NOOP("Train the model"),
                QKeySequence(Qt::CTRL | Qt::Key_Return));
    train->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)});
    goOn = add(trainMenu, QT_TR_NOOP("Go on from last checkpoint"),
               QT_TR_NOOP("Train on from where the last run of this project stopped"),
               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return));
    step =
        add(trainMenu, QT_TR_NOOP("Step"), QT_TR_NOOP("Do one update of the weights, then pause"),
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Period));
    stop = add(trainMenu, QT_TR_NOOP("Stop"),
               QT_TR_NOOP("End the run after this step and keep the model"),
               QKeySequence(Qt::CTRL | Qt::Key_Period));
    trainMenu->addSeparator();
    saveCheckpoint = add(trainMenu, QT_TR_NOOP("Save checkpoint"),
                         QT_TR_NOOP("Write the weights and the state of training after this step"));
}

void Actions::buildView() {
    const auto group = [&](QMenu*& menu, const char* title) {
        menu = viewMenu->addMenu(QString());
        m_menus.emplace_back(menu, title);
        return new QActionGroup(m_window);
    };
    const auto choice = [&](QActionGroup* of, QAction* action, const QVariant& data) {
        action->setCheckable(true);
        action->setData(data);
        of->addAction(action);
    };
    themes = group(themeMenu, QT_TR_NOOP("Theme"));
    choice(themes,
           add(themeMenu, QT_TR_NOOP("As the system"), QT_TR_NOOP("Light or dark as the desktop")),
           static_cast<int>(ThemeChoice::system));
    choice(themes, add(themeMenu, QT_TR_NOOP("Light"), QT_TR_NOOP("Dark text on light")),
           static_cast<int>(ThemeChoice::light));
    choice(themes, add(themeMenu, QT_TR_NOOP("Dark"), QT_TR_NOOP("Light text on dark")),
           static_cast<int>(ThemeChoice::dark));
    languageGroup = group(languageMenu, QT_TR_NOOP("Language"));
    for (const LanguageChoice& language : languages()) {
        auto* action = languageMenu->addAction(QString::fromUtf8(language.name));
        choice(languageGroup, action, QString::fromLatin1(language.code));
    }
    viewMenu->addSeparator();
    fit = add(viewMenu, QT_TR_NOOP("&Fit the model"), QT_TR_NOOP("Show the whole model"),
              QKeySequence(Qt::CTRL | Qt::Key_9));
    zoomIn = add(viewMenu, QT_TR_NOOP("Zoom &in"), QT_TR_NOOP("Larger (Ctrl and wheel)"),
                 QKeySequence::ZoomIn);
    zoomIn->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
    zoomOut = add(viewMenu, QT_TR_NOOP("Zoom &out"), QT_TR_NOOP("Smaller (Ctrl and wheel)"),
                  QKeySequence::ZoomOut);
    actualSize = add(viewMenu, QT_TR_NOOP("&Actual size"), QT_TR_NOOP("100 %"),
                     QKeySequence(Qt::CTRL | Qt::Key_0));
    viewMenu->addSeparator();
    lanes = add(viewMenu, QT_TR_NOOP("Device &lanes"),
                QT_TR_NOOP("A column for each device instead of one stack"),
                QKeySequence(Qt::CTRL | Qt::Key_L));
    lanes->setCheckable(true);
    fullScreen = add(viewMenu, QT_TR_NOOP("Full &screen"), QT_TR_NOOP("Use the whole screen"),
                     QKeySequence(Qt::Key_F11));
    fullScreen->setCheckable(true);
}

void Actions::buildHelp() {
    help = add(helpMenu, QT_TR_NOOP("&Help on the selection"),
               QT_TR_NOOP("Explain the selected layer"), QKeySequence(Qt::Key_F1));
    about = add(helpMenu, QT_TR_NOOP("&About Strata Studio"), QT_TR_NOOP("Version and licence"));
}

void Actions::retranslate() {
    for (const auto& [menu, title] : m_menus) {
        menu->setTitle(tr(title));
        menu->menuAction()->setToolTip(tr(title).remove('&'));
    }
    for (const Entry& entry : m_entries) {
        entry.action->setText(tr(entry.text));
        const QString key = entry.action->shortcut().toString(QKeySequence::NativeText);
        entry.action->setToolTip(key.isEmpty() ? tr(entry.tip)
                                               : tr("%1 (%2)").arg(tr(entry.tip), key));
        entry.action->setStatusTip(tr(entry.tip));
    }
    for (QAction* action : languageGroup->actions())
        action->setToolTip(tr("Language of the studio"));
}

}  // namespace strata::ui
