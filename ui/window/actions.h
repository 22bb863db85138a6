// Everything that can be done from menus, with its keys: made once, named anew when the language
// changes. The window connects the actions; nothing here acts.
#pragma once

#include <QAction>
#include <QActionGroup>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QObject>
#include <vector>

namespace strata::ui {

class Actions : public QObject {
    Q_OBJECT

public:
    Actions(QMenuBar& bar, QWidget* window);
    void retranslate();

    QMenu *fileMenu, *newMenu, *recentMenu, *editMenu, *placeMenu, *trainMenu, *viewMenu,
        *themeMenu, *languageMenu, *helpMenu;
    QAction *createNew, *open, *save, *saveAs, *quit;
    QAction *undo, *redo, *cut, *copy, *paste, *duplicate, *remove, *selectAll, *find, *rename,
        *placeOn, *placeAuto;
    QAction *train, *goOn, *step, *stop, *saveCheckpoint;
    QAction *fit, *zoomIn, *zoomOut, *actualSize, *lanes, *fullScreen;
    QAction *help, *about;
    QActionGroup *themes, *languageGroup;  // data: ThemeChoice as int; the language's code

private:
    struct Entry {
        QAction* action;
        const char *text, *tip;
    };
    QAction* add(QMenu* menu, const char* text, const char* tip, const QKeySequence& key = {},
                 const char* icon = nullptr);
    void buildFile();
    void buildEdit();
    void buildTrain();
    void buildView();
    void buildHelp();

    QWidget* m_window;
    std::vector<Entry> m_entries;
    std::vector<std::pair<QMenu*, const char*>> m_menus;
};

}  // namespace strata::ui
