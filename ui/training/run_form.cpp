#include "ui/training/run_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/losses/loss.h"
#include "engine/metrics/metric.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/format.h"
#include "ui/widgets/text.h"

namespace strata::ui {
namespace {

QString spaced(const std::string& name) {
    return QString::fromStdString(name).replace('_', ' ');
}

bool isMetric(const std::string& given, const std::string& name) {
    return metrics::find_metric(given).name == name;
}

}  // namespace

RunForm::RunForm(Document& document, QWidget* parent)
    : SettingsForm(document, parent),
      m_loss(new QComboBox),
      m_metricBox(new QWidget),
      m_epochs(makeSpin(1)),
      m_threads(makeSpin(0, 1024)),
      m_seed(new QLineEdit),
      m_checkpoint(new QCheckBox),
      m_bestOnly(new QCheckBox),
      m_monitor(new QComboBox),
      m_mode(new QComboBox) {
    addHeading("objective");
    for (const auto* loss : losses::catalogue()) {
        m_loss->addItem(spaced(loss->name), QString::fromStdString(loss->name));
        m_loss->setItemData(m_loss->count() - 1, catalogueText(loss->doc), Qt::ToolTipRole);
    }
    m_loss->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_loss->setMinimumContentsLength(12);
    addRow("training.loss", m_loss, true);
    makeMetrics();
    addHeading("run");
    addRow("training.epochs", m_epochs);
    addRow("training.seed", m_seed);
    addRow("placement.threads", m_threads);
    makeCheckpoint();
    connect(m_loss, &QComboBox::activated, this, [this](int index) {
        edit("training.loss", tr("Change the loss"),
             [&](auto& c) { c.training.loss = m_loss->itemData(index).toString().toStdString(); });
    });
    connect(m_epochs, &QSpinBox::valueChanged, this, [this](int epochs) {
        edit(
            "training.epochs", tr("Change the number of epochs"),
            [&](auto& c) { c.training.epochs = epochs; }, true);
    });
    connect(m_threads, &QSpinBox::valueChanged, this, [this](int threads) {
        edit(
            "placement.threads", tr("Change the number of threads"),
            [&](auto& c) { c.threads = threads; }, true);
    });
    connect(m_seed, &QLineEdit::editingFinished, this, &RunForm::applySeed);
}

void RunForm::makeMetrics() {
    auto* column = new QVBoxLayout(m_metricBox);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    for (const auto* metric : metrics::catalogue()) {
        auto* box = new QCheckBox(spaced(metric->name));
        box->setObjectName(QString::fromStdString(metric->name));
        box->setAccessibleName(box->text());
        box->setToolTip(catalogueText(metric->doc));
        column->addWidget(box);
        m_metrics.emplace_back(metric->name, box);
        connect(box, &QCheckBox::toggled, this,
                [this, name = metric->name](bool on) { applyMetric(name, on); });
    }
    m_metricBox->setFocusProxy(m_metrics.front().second);
    addRow("training.metrics", m_metricBox, true);
}

void RunForm::makeCheckpoint() {
    addHeading("checkpoint");
    addRow("training.checkpoint", m_checkpoint);
    addRow("training.checkpoint.monitor", m_monitor);
    m_mode->addItem(QString(), "auto");
    m_mode->addItem(QString(), "min");
    m_mode->addItem(QString(), "max");
    addRow("training.checkpoint.mode", m_mode);
    addRow("training.checkpoint.save_best_only", m_bestOnly);
    connect(m_checkpoint, &QCheckBox::toggled, this, [this](bool on) {
        edit("training.checkpoint", on ? tr("Write checkpoints") : tr("Write no checkpoints"),
             [&](auto& c) { c.training.checkpoint.enabled = on; });
    });
    connect(m_monitor, &QComboBox::textActivated, this, [this](const QString& name) {
        edit("training.checkpoint.monitor", tr("Change what the best checkpoint is chosen by"),
             [&](auto& c) { c.training.checkpoint.monitor = name.toStdString(); });
    });
    connect(m_mode, &QComboBox::activated, this, [this](int index) {
        edit("training.checkpoint.mode", tr("Change which value is the best"), [&](auto& c) {
            c.training.checkpoint.mode = m_mode->itemData(index).toString().toStdString();
        });
    });
    connect(m_bestOnly, &QCheckBox::toggled, this, [this](bool on) {
        edit("training.checkpoint.save_best_only",
             on ? tr("Keep the best checkpoint only") : tr("Keep the last checkpoint, too"),
             [&](auto& c) { c.training.checkpoint.save_best_only = on; });
    });
}

void RunForm::retranslate() {
    setHeading("objective", tr("Loss and metrics"));
    setHeading("run", tr("Run"));
    setHeading("checkpoint", tr("Checkpoints"));
    setText("training.metrics", tr("metrics"),
            tr("Shown beside the loss; they do not change the training"));
    setText("training.epochs", tr("epochs"),
            tr("How often the run goes through all training samples"));
    setText("training.seed", tr("seed"),
            tr("The same seed gives the same run: weights, order and dropout"));
    setText("placement.threads", tr("threads"), tr("Processor threads that compute"));
    m_threads->setSpecialValueText(tr("all"));
    setText("training.checkpoint", tr("write checkpoints"),
            tr("After each epoch, so that a run can go on after a power cut"));
    setText("training.checkpoint.monitor", tr("best by"),
            tr("The value whose best epoch is kept as the best checkpoint"));
    setText("training.checkpoint.mode", tr("best is"), tr("Which of two values counts as better"));
    setText("training.checkpoint.save_best_only", tr("best only"),
            tr("Write a checkpoint only after the best epoch so far, and at the end"));
    m_mode->setItemText(0, tr("chosen by its name"));
    m_mode->setItemText(1, tr("the lowest"));
    m_mode->setItemText(2, tr("the highest"));
}

void RunForm::refresh() {
    const train::TrainingConfig& training = config().training;
    const QSignalBlocker quietLoss(m_loss), quietEpochs(m_epochs), quietThreads(m_threads);
    const auto& loss = losses::find_loss(training.loss);
    m_loss->setCurrentIndex(m_loss->findData(QString::fromStdString(loss.name)));
    setText("training.loss", tr("loss"), catalogueText(loss.doc));
    for (auto& [name, box] : m_metrics) {
        const QSignalBlocker quiet(box);
        box->setChecked(std::any_of(
            training.metrics.begin(), training.metrics.end(),
            [&, &wanted = name](const std::string& given) { return isMetric(given, wanted); }));
    }
    m_epochs->setValue(
        static_cast<int>(std::min<std::int64_t>(training.epochs, m_epochs->maximum())));
    m_threads->setValue(config().threads);
    if (!m_seed->isModified()) m_seed->setText(localDigits(QString::number(training.seed)));
    showCheckpoint();
    checkAgainstModel();
}

void RunForm::showCheckpoint() {
    const train::CheckpointConfig& checkpoint = config().training.checkpoint;
    const QSignalBlocker quietOn(m_checkpoint), quietMonitor(m_monitor), quietMode(m_mode),
        quietBest(m_bestOnly);
    QStringList names{"val_loss", "loss"};
    for (const std::string& metric : config().training.metrics) {
        names << "val_" + QString::fromStdString(metric) << QString::fromStdString(metric);
    }
    const QString monitor = QString::fromStdString(checkpoint.monitor);
    if (!names.contains(monitor)) names << monitor;
    m_monitor->clear();
    m_monitor->addItems(names);
    m_monitor->setCurrentText(monitor);
    m_checkpoint->setChecked(checkpoint.enabled);
    m_mode->setCurrentIndex(m_mode->findData(QString::fromStdString(checkpoint.mode)));
    m_bestOnly->setChecked(checkpoint.save_best_only);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_monitor, m_mode, m_bestOnly})
        widget->setEnabled(checkpoint.enabled);
}

// What will be refused at Train is told here already.
void RunForm::checkAgainstModel() {
    clearError("training.loss");
    clearError("training.metrics");
    const graph::ModelReport& report = m_document.report();
    if (report.output < 0 || !report.layers[static_cast<std::size_t>(report.output)].output) return;
    const Shape& output = *report.layers[static_cast<std::size_t>(report.output)].output;
    const auto told = [this](const char* key, const auto& check) {
        try {
            check();
        } catch (const Error& error) {
            setError(key, fieldText(error));
        }
    };
    const auto& loss = losses::find_loss(config().training.loss);
    told("training.loss", [&] { loss.check(output); });
    for (const std::string& metric : config().training.metrics)
        told("training.metrics",
             [&] { metrics::find_metric(metric).op(loss.name, output, false); });
}

void RunForm::applySeed() {
    if (!m_seed->isModified()) return;
    m_seed->setModified(false);
    bool whole = false;
    const qlonglong seed = plainDigits(m_seed->text().trimmed()).toLongLong(&whole);
    if (!whole || seed < 0) {
        setError("training.seed",
                 tr("The seed is a whole number from 0 on, up to 9223372036854775807."));
        return;
    }
    edit("training.seed", tr("Change the seed"),
         [&](auto& c) { c.training.seed = static_cast<std::uint64_t>(seed); });
}

void RunForm::applyMetric(const std::string& name, bool on) {
    edit("training.metrics",
         on ? tr("Show the metric %1").arg(spaced(name))
            : tr("Leave out the metric %1").arg(spaced(name)),
         [&](auto& c) {
             std::vector<std::string>& list = c.training.metrics;
             if (on)
                 list.push_back(name);
             else
                 std::erase_if(list,
                               [&](const std::string& given) { return isMetric(given, name); });
         });
}

}  // namespace strata::ui
