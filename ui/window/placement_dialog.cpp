#include "ui/window/placement_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/bridge/prediction_pool.h"
#include "ui/document/placement_edits.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/format.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr int delayMs = 250, mostDevices = 64, mostOthers = 5;

parallel::AutoOptions optionsOf(const train::RunConfig& config, int devices,
                                PlacementDialog::Way way) {
    parallel::AutoOptions options;
    options.devices = firstDevices(config.model, devices);
    if (way == PlacementDialog::Way::pipeline) {
        options.replicas = 1;
        options.stages = devices;
    } else if (way == PlacementDialog::Way::copies) {
        options.replicas = devices;
        options.stages = 1;
    }
    return options;
}

QString timeText(double seconds) {
    return PlacementDialog::tr("%1 a sample").arg(formatSeconds(seconds));
}

}  // namespace

PlacementDialog::PlacementDialog(Document& document, QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_devices(makeSpin(1, mostDevices)),
      m_way(new QComboBox),
      m_head(makeLabel("heading")),
      m_reasons(makeLabel("secondary")),
      m_others(makeLabel("secondary")) {
    setWindowTitle(tr("Place automatically"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(12);
    QLabel* intro = makeLabel("secondary");
    intro->setText(
        tr("The planner weighs ways to share the model over the devices, by the time "
           "and the memory that they will take. Nothing changes before you apply it."));
    column->addWidget(intro);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    const auto field = [&](const QString& label, QWidget* editor, const QString& help) {
        editor->setAccessibleName(label);
        editor->setToolTip(help);
        form->addRow(label, editor);
    };
    field(tr("Devices"), m_devices, tr("How many devices of this machine the model may use"));
    field(tr("Share"), m_way, tr("Copies share each batch, stages share the layers"));
    m_way->addItem(tr("as is fastest"), static_cast<int>(Way::any));
    m_way->addItem(tr("the layers, in a pipeline"), static_cast<int>(Way::pipeline));
    m_way->addItem(tr("each batch, among copies of the model"), static_cast<int>(Way::copies));
    column->addLayout(form);
    auto* told = new QWidget;
    auto* lines = new QVBoxLayout(told);
    lines->setContentsMargins(0, 0, 8, 0);
    lines->setSpacing(8);
    for (QLabel* label : {m_head, m_reasons, m_others}) {
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        lines->addWidget(label);
    }
    lines->addStretch(1);
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(told);
    column->addWidget(area, 1);
    auto* buttons = new QDialogButtonBox;
    m_apply = buttons->addButton(tr("Apply"), QDialogButtonBox::AcceptRole);
    m_apply->setProperty("primary", true);
    m_apply->setToolTip(tr("Place the layers so; Undo takes it back"));
    QPushButton* cancel = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    cancel->setToolTip(tr("Leave the model as it is"));
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &PlacementDialog::apply);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMs);
    connect(&m_delay, &QTimer::timeout, this, &PlacementDialog::ask);
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &PlacementDialog::take);
    connect(m_devices, &QSpinBox::valueChanged, &m_delay, qOverload<>(&QTimer::start));
    connect(m_way, &QComboBox::currentIndexChanged, &m_delay, qOverload<>(&QTimer::start));
    const int now = static_cast<int>(devicesOf(m_document.model()).size()) *
                    m_document.config().placement.replicas;
    m_devices->setValue(std::max(now, 2));
    resize(Theme::px(560), Theme::px(440));
    tell();
    m_delay.start();
}

void PlacementDialog::setDevices(int count) {
    m_devices->setValue(count);
}

void PlacementDialog::setWay(Way way) {
    m_way->setCurrentIndex(m_way->findData(static_cast<int>(way)));
}

void PlacementDialog::ask() {
    m_again = m_watcher.isRunning();
    if (m_again) return;
    m_prediction = {};
    tell();
    const auto options = optionsOf(m_document.config(), m_devices->value(),
                                   static_cast<Way>(m_way->currentData().toInt()));
    m_watcher.setFuture(PredictionPool::instance().run(
        [config = m_document.config(), options] { return predictAutoPlacement(config, options); }));
}

void PlacementDialog::take() {
    if (m_again) return ask();
    try {
        m_prediction = m_watcher.result();
    } catch (const std::exception& error) {  // the task itself could not be run
        m_prediction = {{}, Error(ErrorCode::internal, error.what())};
    }
    tell();
    Q_EMIT predicted();
}

// The best one: "2 replicas of 1 stage: 111 µs a sample (predicted)".
QString PlacementDialog::headline() const {
    const parallel::AutoPlacement& best = *m_prediction.placement;
    QString way =
        best.candidates.empty() ? QString() : engineText(best.candidates.front().text) + ": ";
    if (!way.isEmpty()) way[0] = way[0].toUpper();
    return tr("%1%2 (predicted)", "way of sharing, time")
        .arg(way, timeText(best.plan.seconds_per_sample()));
}

QString PlacementDialog::reasons() const {
    QStringList lines;
    for (const std::string& reason : m_prediction.placement->reasons)
        lines << QStringLiteral("• ") + sentenceText(reason);
    const parallel::PlacementPlan& plan = m_prediction.placement->plan;
    for (const parallel::DevicePlan& device : plan.devices)
        if (device.replica == 0)
            lines << QStringLiteral("• ") +
                         tr("%1: %2 layers, %3 % of the work, %4")
                             .arg(QString::fromStdString(device.device),
                                  formatCount(std::ssize(device.layers)),
                                  formatCount(std::lround(100.0 * device.work_share)),
                                  formatBytes(device.memory.total()));
    return lines.join('\n');
}

QString PlacementDialog::others() const {
    QStringList lines;
    const auto& all = m_prediction.placement->candidates;
    for (std::size_t i = 1; i < all.size() && std::ssize(lines) < mostOthers; ++i) {
        const QString words = engineText(all[i].text);
        if (all[i].seconds_per_sample <= 0.0)
            lines << QStringLiteral("• ") + words;
        else
            lines << QStringLiteral("• ") +
                         (all[i].fits ? tr("%1: %2") : tr("%1: %2, but the memory is too small"))
                             .arg(words, timeText(all[i].seconds_per_sample));
    }
    if (lines.isEmpty()) return {};
    return tr("Also weighed:") + '\n' + lines.join('\n');
}

void PlacementDialog::tell() {
    const bool found = m_prediction.placement.has_value();
    m_apply->setEnabled(found);
    m_head->setText(found                ? headline()
                    : m_prediction.fault ? tr("There is no such placement.")
                                         : tr("Weighing placements…"));
    m_reasons->setText(found                ? reasons()
                       : m_prediction.fault ? errorText(*m_prediction.fault)
                                            : QString());
    m_others->setText(found ? others() : QString());
}

QString PlacementDialog::text() const {
    return QStringList{m_head->text(), m_reasons->text(), m_others->text()}.join('\n');
}

void PlacementDialog::apply() {
    if (!m_prediction.placement) return;
    const parallel::PlanRequest& chosen = m_prediction.placement->request;
    m_document.edit(tr("Place automatically on %1 devices")
                        .arg(formatCount(std::ssize(m_prediction.placement->plan.devices))),
                    [&](train::RunConfig& config) {
                        for (graph::LayerNode& node : config.model.layers)
                            node.device = chosen.model.layer(node.name).device;
                        config.placement = chosen.placement;
                    });
    accept();
}

}  // namespace strata::ui
