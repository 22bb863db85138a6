#include "ui/window/main_window.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "ui/bridge/plan_watch.h"
#include "ui/bridge/prediction_pool.h"
#include "ui/canvas/canvas.h"
#include "ui/canvas/canvas_bar.h"
#include "ui/charts/charts.h"
#include "ui/charts/stage_view.h"
#include "ui/charts/timeline_view.h"
#include "ui/data/data_panel.h"
#include "ui/inspector/inspector.h"
#include "ui/palette/palette.h"
#include "ui/techniques/doctor_view.h"
#include "ui/techniques/plan_view.h"
#include "ui/techniques/techniques_panel.h"
#include "ui/training/training_panel.h"
#include "ui/window/actions.h"
#include "ui/window/log_view.h"
#include "ui/window/memory_strip.h"
#include "ui/window/notice_bar.h"
#include "ui/window/project_files.h"
#include "ui/window/run_bar.h"
#include "ui/window/welcome_page.h"

namespace strata::ui {
namespace {

constexpr int sideWidth = 320, canvasHeight = 430, chartsHeight = 290;

}  // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent),
      m_document(new Document(this)),
      m_engine(new EngineThread(this)),
      m_files(new ProjectFiles(*m_document, this)),
      m_plans(new PlanWatch(*m_document, this)) {
    setMenuBar(new QMenuBar(this));
    m_actions = new Actions(*menuBar(), this);
    buildLayout();
    connectDocument();
    connectDevices();
    connectEngine();
    connectFileActions();
    connectEditActions();
    connectRunActions();
    connectViewActions();
    retranslate();
    updateActions();
    restoreLayout();
}

MainWindow::~MainWindow() {
    PredictionPool::instance().release();
    // The engine's end must find the widgets; the undo stack must not find a half-destroyed window.
    delete m_engine;
    m_document->disconnect();
    m_document->undoStack().disconnect(this);
}

void MainWindow::buildLayout() {
    auto* content = new QWidget;
    content->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_runBar =
        new RunBar({m_actions->train, m_actions->step, m_actions->stop, m_actions->saveCheckpoint});
    m_notice = new NoticeBar;
    m_pages = new QStackedWidget;
    m_welcome = new WelcomePage;
    m_pages->addWidget(m_welcome);
    m_pages->addWidget(buildEditor());
    column->addWidget(m_runBar);
    column->addWidget(m_notice);
    column->addWidget(m_pages, 1);
    setCentralWidget(content);
}

QWidget* MainWindow::buildEditor() {
    m_palette = new Palette;
    m_canvas = new Canvas(*m_document);
    m_canvasBar = new CanvasBar;
    m_memory = new MemoryStrip(*m_document);
    m_charts = new Charts;
    m_log = new LogView;
    m_inspector = new Inspector(*m_document);
    m_data = new DataPanel(*m_document);
    m_training = new TrainingPanel(*m_document);
    m_techniques = new TechniquesPanel(*m_document);
    m_stages = new StageView;
    m_doctor = new DoctorView(*m_document);
    m_planView = new PlanView(*m_document);
    m_timeline = new TimelineView;
    m_charts->addPage(m_timeline, QString());
    m_charts->addPage(m_planView, QString());
    m_charts->addPage(m_stages, QString());
    m_charts->addPage(m_doctor, QString());
    m_charts->addPage(m_log, QString());
    m_side = new QTabWidget;
    m_side->setDocumentMode(true);
    m_side->tabBar()->setDrawBase(false);
    m_side->addTab(m_inspector, QString());
    m_side->addTab(m_techniques, QString());
    m_side->addTab(m_data, QString());
    m_side->addTab(m_training, QString());
    m_side->setMinimumWidth(sideWidth - 40);
    auto* stack = new QWidget;
    auto* stackColumn = new QVBoxLayout(stack);
    stackColumn->setContentsMargins(0, 0, 0, 0);
    stackColumn->setSpacing(0);
    stackColumn->addWidget(m_canvasBar);
    stackColumn->addWidget(m_canvas, 1);
    stackColumn->addWidget(m_memory);
    m_rows = new QSplitter(Qt::Vertical);
    m_rows->setHandleWidth(1);
    m_rows->setChildrenCollapsible(false);
    m_rows->addWidget(stack);
    m_rows->addWidget(m_charts);
    m_rows->setStretchFactor(0, 3);
    m_rows->setStretchFactor(1, 2);
    m_rows->setSizes({canvasHeight, Theme::px(chartsHeight)});
    m_columns = new QSplitter(Qt::Horizontal);
    m_columns->setHandleWidth(1);
    m_columns->addWidget(m_palette);
    m_columns->addWidget(m_rows);
    m_columns->addWidget(m_side);
    m_columns->setStretchFactor(1, 1);
    m_columns->setCollapsible(1, false);
    m_columns->setSizes(
        {m_palette->sizeHint().width(), 760, (sideWidth + Theme::px(sideWidth)) / 2});
    return m_columns;
}

void MainWindow::connectDocument() {
    connect(m_document, &Document::titleChanged, this, &MainWindow::updateTitle);
    connect(m_runBar, &RunBar::focusFreed, m_canvas, qOverload<>(&QWidget::setFocus));
    connect(m_document, &Document::titleChanged, this, &MainWindow::findCheckpoint);
    connect(m_document, &Document::replaced, this, [this] {
        m_runFolder.clear();
        m_runIsDocuments = false;
    });
    connect(m_document, &Document::selectionChanged, this, [this] {
        updateActions();
        if (m_document->selection().size() == 1) m_side->setCurrentWidget(m_inspector);
    });
    connect(m_document, &Document::changed, this, &MainWindow::updateActions);
    QUndoStack& undo = m_document->undoStack();
    connect(&undo, &QUndoStack::indexChanged, this, [this] {
        updateUndo();
        tellDetached();
    });
    connect(&undo, &QUndoStack::cleanChanged, this, &MainWindow::updateTitle);
    connect(m_palette, &Palette::chosen, m_canvas, &Canvas::insert);
    connect(m_canvas, &Canvas::failed, this, &MainWindow::showError);
    connect(m_canvas, &Canvas::edgeSelectionChanged, this, &MainWindow::updateActions);
    connect(m_canvas, &Canvas::searchRequested, m_palette, &Palette::focusSearch);
    connect(m_canvas, &Canvas::renameRequested, m_actions->rename, &QAction::trigger);
    connect(m_files, &ProjectFiles::opened, this, &MainWindow::showEditor);
    connect(m_files, &ProjectFiles::failed, this, &MainWindow::showError);
    connect(m_files, &ProjectFiles::recentChanged, this, &MainWindow::fillRecent);
    connect(m_welcome, &WelcomePage::templateChosen, this, &MainWindow::newFromTemplate);
    connect(m_welcome, &WelcomePage::projectChosen, this, &MainWindow::openProject);
    connect(m_welcome, &WelcomePage::openRequested, m_actions->open, &QAction::trigger);
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange && m_side != nullptr) retranslate();
    QMainWindow::changeEvent(event);
}

bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::ApplicationFontChange) Theme::instance().followFont(*qApp);
    return QMainWindow::event(event);
}

void MainWindow::retranslate() {
    m_actions->retranslate();
    m_side->setTabText(0, tr("Layer"));
    m_side->setTabText(1, tr("Techniques"));
    m_side->setTabText(2, tr("Data"));
    m_side->setTabText(3, tr("Training"));
    m_side->setTabToolTip(0,
                          tr("Parameters and costs of the selected layer, or the model's summary"));
    m_side->setTabToolTip(1,
                          tr("Precision, accumulation, clipping, schedules, checkpoints and more"));
    m_side->setTabToolTip(2, tr("Where the samples come from, and what they look like"));
    m_side->setTabToolTip(3, tr("Optimizer, loss, metrics, epochs and batches"));
    m_charts->setPageTitle(m_timeline, tr("Pipeline"));
    m_charts->setPageTitle(m_stages, tr("Data flow"));
    m_charts->setPageTitle(m_log, tr("Log"));
    tellFindings();
    tellPlanWarnings();
    fillTemplates();
    fillRecent();
    updateTitle();
    updateUndo();
    updateActions();
}

void MainWindow::updateTitle() {
    const bool welcome = m_pages->currentWidget() == m_welcome;
    setWindowTitle(welcome ? tr("Strata Studio")
                           : tr("%1[*] — Strata Studio").arg(m_document->title()));
    setWindowModified(!welcome && m_document->isModified());
}

void MainWindow::showEditor() {
    m_pages->setCurrentIndex(1);
    m_notice->hide();
    updateTitle();
    updateActions();
    m_canvas->setFocus();
}

// A running job has its own copy of the project.
void MainWindow::tellDetached() {
    if (!m_engine->isActive() || m_toldDetached || !m_document->isModified()) return;
    m_toldDetached = true;
    m_notice->show(NoticeBar::Kind::hint, tr("Changes apply to the next run: the present one goes "
                                             "on with the project as it was when it "
                                             "started."));
}

void MainWindow::showError(const QString& text) {
    m_notice->show(NoticeBar::Kind::error, text);
    m_log->add(train::LogEvent::Level::error, text);
}

void MainWindow::showTrainingTab() {
    m_side->setCurrentWidget(m_training);
}

void MainWindow::showDataTab() {
    m_side->setCurrentWidget(m_data);
}

void MainWindow::showTechniquesTab() {
    m_side->setCurrentWidget(m_techniques);
}

QString MainWindow::log() const {
    return m_log->toPlainText();
}

QString MainWindow::notice() const {
    return m_notice->text();
}

QList<QAction*> MainWindow::noticeOffers() const {
    return m_notice->offers();
}

}  // namespace strata::ui
