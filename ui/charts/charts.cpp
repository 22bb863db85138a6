#include "ui/charts/charts.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QFileDialog>
#include <QFutureWatcher>
#include <QGridLayout>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <QtConcurrent>
#include <cmath>

#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_tools.h"
#include "ui/charts/device_page.h"
#include "ui/charts/draw_budget.h"
#include "ui/charts/panel_page.h"
#include "ui/charts/tab_fit.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

namespace strata::ui {

struct Charts::Impl {
    explicit Impl(Charts* owner) : charts(owner) {}

    Charts* charts;
    RunStore store;
    DrawBudget budget;
    QElapsedTimer clock;
    QTimer timer;
    QGridLayout* grid = nullptr;
    QTabBar* tabs = nullptr;
    ChartTools* tools = nullptr;
    QStackedWidget* stack = nullptr;
    // Loss and metrics, memory, devices, learning rate, gradient norm, throughput.
    std::vector<PanelPage*> pages;
    DevicePage* devicePage = nullptr;
    PanelPage* gradientPage = nullptr;
    ChartPanel *loss = nullptr, *overviewMemory = nullptr, *process = nullptr;
    std::size_t devices = 1;                                   // that the memory page shows
    ChartPanel *gradientNorm = nullptr, *lossScale = nullptr;  // lossScale: where there is one
    std::vector<ChartPanel*> metrics;
    XAxis axis = XAxis::update;
    bool logX = false, logY = false, follow = true, clipShown = false, clipLine = true;
    double smoothing = 0.0;

    void build();
    void buildPages();
    void connectTools();
    ChartPanel* makePanel(Quantity quantity, std::size_t metric = 0);
    void setMetrics(std::size_t count);
    void setDevices(std::size_t count);
    template <typename Steps>
    void addSteps(const Steps& steps);
    void showTechniques();  // panels and lines that only some runs have
    void arrange();
    void retranslate();
    template <typename Function>
    void eachPanel(Function function) {
        for (PanelPage* page : pages)
            for (ChartPanel* panel : page->panels()) function(*panel);
    }
    PanelPage* page() const { return qobject_cast<PanelPage*>(stack->currentWidget()); }
    void showBack();
    void changed();  // values arrived
    void paint();
    void askExport(const QString& ending);
};

void Charts::Impl::build() {
    clock.start();
    timer.setSingleShot(true);
    timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer, &QTimer::timeout, charts, [this] { paint(); });
    grid = new QGridLayout(charts);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(0);
    tabs = new QTabBar;
    tabs->setDrawBase(false);
    tabs->setExpanding(false);
    tools = new ChartTools;
    stack = new QStackedWidget;
    grid->addWidget(stack, 2, 0, 1, 2);
    grid->setRowStretch(2, 1);
    grid->setColumnStretch(0, 1);
    buildPages();
    connectTools();
    QObject::connect(tabs, &QTabBar::currentChanged, charts, [this](int index) {
        stack->setCurrentIndex(index);
        tools->setVisible(page() != nullptr);
        showBack();
    });
    QObject::connect(&Theme::instance(), &Theme::changed, charts, [this] {
        tools->retranslate();
        eachPanel([](ChartPanel& panel) { panel.rebuild(); });
    });
    retranslate();
    arrange();
}

void Charts::Impl::buildPages() {
    const auto add = [this](const std::vector<ChartPanel*>& panels, ChartPanel* extra = nullptr,
                            PanelPage* made = new PanelPage) {
        if (!panels.empty()) made->setPanels(panels, extra);
        pages.push_back(made);
        stack->addWidget(made);
        tabs->addTab(QString());
    };
    loss = makePanel(Quantity::loss);
    metrics = {makePanel(Quantity::metric)};
    overviewMemory = makePanel(Quantity::memory);
    add({loss, metrics[0], overviewMemory}, overviewMemory);
    add({makePanel(Quantity::memory), process = makePanel(Quantity::process)});
    devicePage = new DevicePage(
        store, [this](Quantity quantity, std::size_t i) { return makePanel(quantity, i); });
    add({}, nullptr, devicePage);
    add({makePanel(Quantity::learningRate)});
    gradientNorm = makePanel(Quantity::gradientNorm);
    add({gradientNorm});
    gradientPage = pages.back();
    add({makePanel(Quantity::throughput)});
}

ChartPanel* Charts::Impl::makePanel(Quantity quantity, std::size_t metric) {
    auto* panel = new ChartPanel(store, quantity, metric);
    panel->setXAxis(axis);
    panel->setLogX(logX);
    panel->setLogY(logY);
    panel->setFollow(follow);
    panel->setSmoothing(smoothing);
    QObject::connect(panel, &ChartPanel::viewChanged, charts, [this] { showBack(); });
    return panel;
}

void Charts::Impl::connectTools() {
    const auto bind = [this](auto signal, auto apply) {
        QObject::connect(tools, signal, charts, apply);
    };
    const auto set = [this]<typename T>(auto signal, T Impl::*value, void (ChartPanel::*apply)(T)) {
        QObject::connect(tools, signal, charts, [this, value, apply](T chosen) {
            this->*value = chosen;
            eachPanel([&](ChartPanel& panel) { (panel.*apply)(chosen); });
        });
    };
    set(&ChartTools::smoothingChanged, &Impl::smoothing, &ChartPanel::setSmoothing);
    set(&ChartTools::xAxisChosen, &Impl::axis, &ChartPanel::setXAxis);
    set(&ChartTools::logXToggled, &Impl::logX, &ChartPanel::setLogX);
    set(&ChartTools::logYToggled, &Impl::logY, &ChartPanel::setLogY);
    set(&ChartTools::followToggled, &Impl::follow, &ChartPanel::setFollow);
    bind(&ChartTools::backClicked, [this] {
        if (page() == nullptr) return;
        for (ChartPanel* panel : page()->shownPanels()) panel->stepBack();
    });
    bind(&ChartTools::fitClicked, [this] {
        if (page() == nullptr) return;
        for (ChartPanel* panel : page()->shownPanels()) panel->fit();
    });
    bind(&ChartTools::exportClicked, [this](const QString& ending) { askExport(ending); });
    smoothing = tools->smoothing();
    eachPanel([this](ChartPanel& panel) { panel.setSmoothing(smoothing); });
}

void Charts::Impl::setMetrics(std::size_t count) {
    while (metrics.size() > count) metrics.pop_back();
    while (metrics.size() < count) metrics.push_back(makePanel(Quantity::metric, metrics.size()));
    std::vector<ChartPanel*> panels{loss};
    panels.insert(panels.end(), metrics.begin(), metrics.end());
    panels.push_back(overviewMemory);
    pages[0]->setPanels(panels, overviewMemory);
}

// A memory panel for each device.
void Charts::Impl::setDevices(std::size_t count) {
    if (std::max<std::size_t>(count, 1) == devices) return;
    devices = std::max<std::size_t>(count, 1);
    std::vector<ChartPanel*> panels;
    for (std::size_t i = 0; i < devices; ++i)
        panels.push_back(makePanel(Quantity::memory, devices == 1 ? 0 : i + 1));
    panels.push_back(process);
    pages[1]->setPanels(panels);
}

template <typename Steps>
void Charts::Impl::addSteps(const Steps& steps) {
    if (steps.empty()) return;
    for (PanelPage* page : pages) page->setEmpty(false);
    for (train::StepEvent step : steps) {
        if (!clipLine) step.clip_limit = 0.0;
        store.add(step);
    }
    showTechniques();
    changed();
}

void Charts::Impl::showTechniques() {
    if (store.hasLossScale() != (lossScale != nullptr)) {
        lossScale = store.hasLossScale() ? makePanel(Quantity::lossScale) : nullptr;
        std::vector<ChartPanel*> panels{gradientNorm};
        if (lossScale != nullptr) panels.push_back(lossScale);
        gradientPage->setPanels(panels);
    }
    if (store.hasClipLimit() == clipShown) return;
    clipShown = store.hasClipLimit();
    gradientNorm->rebuild();
}

// The controls stand beside the tabs, or below them where there is no room.
void Charts::Impl::arrange() {
    fitTabs(*tabs, charts->width());
    const bool beside =
        charts->width() >= tabs->sizeHint().width() + tools->fitInto(charts->width());
    grid->removeWidget(tabs);
    grid->removeWidget(tools);
    grid->addWidget(tabs, 0, 0, 1, beside ? 1 : 2);
    grid->addWidget(tools, beside ? 0 : 1, beside ? 1 : 0, 1, beside ? 1 : 2, Qt::AlignRight);
}

void Charts::Impl::retranslate() {
    const QStringList titles{tr("Loss and metrics"), tr("Memory"),    tr("Devices"),
                             tr("Learning rate"),    tr("Gradients"), tr("Speed")};
    for (int i = 0; i < titles.size(); ++i) {
        tabs->setTabText(i, titles[i]);
        tabs->setTabToolTip(i, tr("Show: %1").arg(titles[i]));
    }
    tabs->setAccessibleName(tr("Charts"));
    tools->retranslate();
    eachPanel([](ChartPanel& panel) { panel.rebuild(); });
    arrange();
}

void Charts::Impl::showBack() {
    bool can = false;
    if (page() != nullptr)
        for (const ChartPanel* panel : page()->shownPanels()) can = can || panel->canStepBack();
    tools->setCanStepBack(can);
}

void Charts::Impl::changed() {
    eachPanel([](ChartPanel& panel) { panel.setDirty(); });
    if (timer.isActive()) return;
    const double now = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
    timer.start(static_cast<int>(std::ceil(budget.wait(now) * 1000.0)));
}

void Charts::Impl::paint() {
    const qint64 begin = clock.nsecsElapsed();
    if (page() != nullptr)
        for (ChartPanel* panel : page()->shownPanels())
            if (panel->isVisible() && panel->isDirty()) panel->refresh();
    const qint64 end = clock.nsecsElapsed();
    budget.painted(static_cast<double>(end) * 1e-9, static_cast<double>(end - begin) * 1e-9);
}

void Charts::Impl::askExport(const QString& ending) {
    const QString path =
        QFileDialog::getSaveFileName(charts, tr("Export the charts"), "charts." + ending,
                                     tr("%1 files (*.%2)").arg(ending.toUpper(), ending));
    if (path.isEmpty()) return;
    if (ending == "csv") {
        charts->exportTable(path);
        return;
    }
    try {
        charts->exportPicture(path);
        Q_EMIT charts->exported(path);
    } catch (const Error& error) {
        Q_EMIT charts->exportFailed(errorText(error));
    }
}

Charts::Charts(QWidget* parent) : QWidget(parent), m_all(std::make_unique<Impl>(this)) {
    m_all->build();
}

// The panels read the store to their end: they go first.
Charts::~Charts() {
    delete m_all->stack;
}

void Charts::addPage(QWidget* page, const QString& title) {
    m_all->stack->addWidget(page);
    m_all->tabs->addTab(title);
    m_all->arrange();
}

void Charts::setPageTitle(QWidget* page, const QString& title) {
    const int index = m_all->stack->indexOf(page);
    if (index < 0) return;
    m_all->tabs->setTabText(index, title);
    m_all->tabs->setTabToolTip(index, tr("Show: %1").arg(title));
    m_all->arrange();
}

void Charts::showPage(QWidget* page) {
    const int index = m_all->stack->indexOf(page);
    if (index >= 0) m_all->tabs->setCurrentIndex(index);
}

const RunStore& Charts::store() const {
    return m_all->store;
}
QSize Charts::sizeHint() const {
    return {920, 340};
}
QSize Charts::minimumSizeHint() const {
    return {320, m_all->grid->totalMinimumSize().height()};
}

void Charts::exportPicture(const QString& path) {
    exportPanels(m_all->page() != nullptr ? *m_all->page() : *m_all->pages.front(), path,
                 tr("Strata Studio: charts"));
}

void Charts::exportTable(const QString& path) {
    auto* watcher = new QFutureWatcher<QString>(this);
    connect(watcher, &QFutureWatcher<QString>::finished, this, [this, watcher, path] {
        if (const QString message = watcher->result(); message.isEmpty())
            Q_EMIT exported(path);
        else
            Q_EMIT exportFailed(message);
        watcher->deleteLater();
    });
    watcher->setFuture(QtConcurrent::run([s = m_all->store, path] { return csvFault(s, path); }));
}

void Charts::start(const train::PlanEvent& plan) {
    m_all->store.start(plan);
    m_all->setMetrics(plan.metrics.size());
    m_all->setDevices(plan.devices.size());
    m_all->devicePage->showDevices();
    m_all->showTechniques();
    m_all->eachPanel([](ChartPanel& panel) { panel.rebuild(); });
    for (PanelPage* page : m_all->pages) page->setEmpty(false);
    m_all->budget.reset();
    m_all->changed();
}

void Charts::addSteps(const std::vector<train::StepEvent>& steps) {
    m_all->addSteps(steps);
}

void Charts::addSteps(const QVector<train::StepEvent>& steps) {
    m_all->addSteps(steps);
}

void Charts::addMark(const train::MarkEvent& mark) {
    m_all->store.add(mark);
    m_all->changed();
}

void Charts::addMeasurement(const train::MonitorEvent& monitor) {
    m_all->store.add(monitor);
    m_all->devicePage->showTold();
    m_all->changed();
}

void Charts::setClipLine(bool on) {
    m_all->clipLine = on;
}

void Charts::addEpoch(const train::EpochEvent& epoch) {
    m_all->store.add(epoch);
    m_all->changed();
}

void Charts::addCheckpoint(const train::CheckpointEvent& checkpoint) {
    m_all->store.add(checkpoint);
    m_all->changed();
}

void Charts::finish(const train::EndEvent&) {
    m_all->budget.reset();
    m_all->timer.stop();
    m_all->changed();
}

void Charts::clear() {
    m_all->store.clear();
    m_all->devicePage->showDevices();
    m_all->showTechniques();
    for (PanelPage* page : m_all->pages) page->setEmpty(true);
    m_all->eachPanel([](ChartPanel& panel) { panel.rebuild(); });
    m_all->budget.reset();
    m_all->showBack();
}

void Charts::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange)
        m_all->retranslate();
    QWidget::changeEvent(event);
}

void Charts::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_all->arrange();
}

}  // namespace strata::ui
