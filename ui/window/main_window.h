// The studio's window: composes document, engine thread, canvas, panels, charts and menus, and
// joins their signals. Holds no logic of its own beyond who talks to whom.
#pragma once

#include <QMainWindow>
#include <QTimer>

#include "ui/bridge/engine_thread.h"
#include "ui/document/document.h"
#include "ui/techniques/control_deck.h"
#include "ui/widgets/theme.h"

class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace strata::ui {

class Actions;
class Canvas;
class CanvasBar;
class Charts;
class DataPanel;
class DoctorView;
class Inspector;
class LogView;
class MemoryStrip;
class NoticeBar;
class Palette;
class PlanView;
class PlanWatch;
class ProjectFiles;
class RunBar;
class StageView;
class TechniquesPanel;
class TimelineView;
class TrainingPanel;
class WelcomePage;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    bool openProject(const QString& path);  // false: the window says why
    void newFromTemplate(const QString& name);
    void train();  // starts a run, pauses or resumes the present one
    void goOn();   // a run from the project's last checkpoint
    void stop();
    void showDataTab();
    void showTrainingTab();
    void showTechniquesTab();

    Document& document() { return *m_document; }
    EngineThread& engine() { return *m_engine; }
    Canvas& canvas() { return *m_canvas; }
    CanvasBar& canvasBar() { return *m_canvasBar; }
    PlanWatch& plans() { return *m_plans; }
    PlanView& planView() { return *m_planView; }
    Charts& charts() { return *m_charts; }
    TechniquesPanel& techniques() { return *m_techniques; }
    TimelineView& timeline() { return *m_timeline; }
    DataPanel& data() { return *m_data; }
    DoctorView& doctor() { return *m_doctor; }
    QString log() const;
    Actions& actions() { return *m_actions; }
    QString notice() const;
    QList<QAction*> noticeOffers() const;

Q_SIGNALS:
    void runEnded();

protected:
    bool event(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildLayout();
    QWidget* buildEditor();
    void connectDocument();
    void connectEngine();
    void connectTechniques();
    void connectDoctor();
    void connectDevices();
    void tellPlan();
    void tellPlanWarnings();  // how many, on the page's tab
    void beginMeasuring();    // a run of the document begins
    void compareWork();
    void tellMeasured();
    void restPredictions(train::RunState state);
    QList<QAction*> planOffers();
    void placeAutomatically();
    void changeRun(ControlDeck::Setting setting, double value);
    void tellFinding(const train::FindingEvent& finding);
    void tellFindings();  // how many, on the page's tab
    void logMark(const train::MarkEvent& mark);
    void connectFileActions();
    void connectEditActions();
    void connectRunActions();
    void connectViewActions();
    void editText(const char* method, const std::function<void()>& otherwise);
    void fillTemplates();
    void fillRecent();
    void retranslate();
    void updateTitle();
    void updateActions();
    void updateUndo();
    void tellDetached();
    void showEditor();
    void startRun(bool paused, const QString& resumeFrom = {});
    void findCheckpoint();
    void tellEnd(const train::EndEvent& end);
    void stateChanged(train::RunState state);
    void ended(const train::EndEvent& end);
    void showError(const QString& text);
    void showRunError(const Error& error);
    void showHelp();
    void showAbout();
    void chooseTheme(ThemeChoice choice);
    bool askToStop();  // true: nothing runs, or a stop was asked for and the window closes when it
                       // has ended
    void restoreLayout();
    void saveLayout() const;

    Document* m_document;
    EngineThread* m_engine;
    ProjectFiles* m_files;
    PlanWatch* m_plans;
    Actions* m_actions = nullptr;
    RunBar* m_runBar = nullptr;
    QStackedWidget* m_pages = nullptr;
    WelcomePage* m_welcome = nullptr;
    NoticeBar* m_notice = nullptr;
    QSplitter *m_columns = nullptr, *m_rows = nullptr;
    QTabWidget* m_side = nullptr;
    Palette* m_palette = nullptr;
    Canvas* m_canvas = nullptr;
    CanvasBar* m_canvasBar = nullptr;
    MemoryStrip* m_memory = nullptr;
    Charts* m_charts = nullptr;
    LogView* m_log = nullptr;
    Inspector* m_inspector = nullptr;
    DataPanel* m_data = nullptr;
    TrainingPanel* m_training = nullptr;
    TechniquesPanel* m_techniques = nullptr;
    StageView* m_stages = nullptr;
    TimelineView* m_timeline = nullptr;
    DoctorView* m_doctor = nullptr;
    PlanView* m_planView = nullptr;
    QTimer m_predictionRest;        // ends the rest of the predictions while a run is prepared
    bool m_closing = false;         // close when the run has ended
    QString m_runFolder;            // of the document's last run in this window
    QString m_begunFolder;          // of the last run; "" until it is prepared
    QString m_checkpointFolder;     // that Go on takes; "" where there is none
    bool m_runIsDocuments = false;  // no other project was opened since the run began
    Json m_runWork;                 // what the time of the last run's steps depends on
    std::optional<double> m_measuredStep, m_measuredIdle;  // of that run: seconds, share
    std::optional<Error> m_saveFailure;                    // of the run's last checkpoint
    bool m_toldMemory = false;    // the notice tells of a run without memory
    bool m_toldDetached = false;  // the notice on edits during a run was shown
};

}  // namespace strata::ui
