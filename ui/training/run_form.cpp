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
#include "ui/widgets/engine_text.h"
#include "ui/widgets/format.h"
#include "ui/widgets/text.h"

namespace strata::ui {
namespace {

bool isMetric(const std::string& given, const std::string& name) {
    return metrics::find_metric(given).name == name;
}

}  // namespace

RunForm::RunForm(Document& document, QWidget* parent)
    : SettingsForm(document, parent),
      m_loss(new QComboBox),
      m_metricBox(new QWidget),
      m_epochs(makeSpin(1)),
      m_batch(makeSpin(1)),
      m_threads(makeSpin(0, 1024)),
      m_remainder(new QCheckBox),
      m_seed(new QLineEdit) {
    addHeading("objective");
    for (const auto* loss : losses::catalogue()) {
        m_loss->addItem(nameText(loss->name), QString::fromStdString(loss->name));
        m_loss->setItemData(m_loss->count() - 1, catalogueText(loss->doc), Qt::ToolTipRole);
    }
    m_loss->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_loss->setMinimumContentsLength(12);
    addRow("training.loss", m_loss, true);
    makeMetrics();
    addHeading("run");
    addRow("training.epochs", m_epochs);
    addRow("data.pipeline", m_batch);
    addRow("data.pipeline.drop_remainder", m_remainder);
    addRow("training.seed", m_seed);
    addRow("placement.threads", m_threads);
    connect(m_loss, &QComboBox::activated, this, [this](int index) {
        edit("training.loss", tr("Change the loss"),
             [&](auto& c) { c.training.loss = m_loss->itemData(index).toString().toStdString(); });
    });
    connect(m_epochs, &QSpinBox::valueChanged, this, [this](int epochs) {
        edit(
            "training.epochs", tr("Change the number of epochs"),
            [&](auto& c) { c.training.epochs = epochs; }, true);
    });
    connect(m_batch, &QSpinBox::valueChanged, this, [this](int size) {
        edit(
            "data.pipeline", tr("Change the batch size"),
            [&](auto& c) { c.data.pipeline.batch_size = size; }, true);
    });
    connect(m_remainder, &QCheckBox::toggled, this, [this](bool on) {
        edit("data.pipeline.drop_remainder",
             on ? tr("Drop the last small batch") : tr("Keep the last small batch"),
             [&](auto& c) { c.data.pipeline.drop_remainder = on; });
    });
    connect(m_threads, &QSpinBox::valueChanged, this, [this](int threads) {
        edit(
            "placement.threads", tr("Change the number of threads"),
            [&](auto& c) { c.placement.threads = threads; }, true);
    });
    connect(m_seed, &QLineEdit::editingFinished, this, &RunForm::applySeed);
}

void RunForm::makeMetrics() {
    auto* column = new QVBoxLayout(m_metricBox);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    for (const auto* metric : metrics::catalogue()) {
        auto* box = new QCheckBox(nameText(metric->name));
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

void RunForm::retranslate() {
    setHeading("objective", tr("Loss and metrics"));
    setHeading("run", tr("Run"));
    setText("training.metrics", tr("metrics"),
            tr("Shown beside the loss; they do not change the training"));
    setText("training.epochs", tr("epochs"),
            tr("How often the run goes through all training samples"));
    setText("data.pipeline", tr("batch size"), tr("Samples that make one update"));
    setText("data.pipeline.drop_remainder", tr("drop remainder"),
            tr("Leave out an epoch's last batch where it is smaller"));
    setText("training.seed", tr("seed"),
            tr("The same seed gives the same run: weights, order and dropout"));
    setText("placement.threads", tr("threads"), tr("Processor threads that compute"));
    m_threads->setSpecialValueText(tr("all"));
    for (std::size_t i = 0; i < losses::catalogue().size(); ++i)
        m_loss->setItemText(static_cast<int>(i), nameText(losses::catalogue()[i]->name));
    for (auto& [name, box] : m_metrics) {
        box->setText(nameText(name));
        box->setAccessibleName(box->text());
    }
}

void RunForm::refresh() {
    const train::TrainingConfig& training = config().training;
    const QSignalBlocker quietLoss(m_loss), quietEpochs(m_epochs), quietThreads(m_threads),
        quietBatch(m_batch), quietRemainder(m_remainder);
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
    const data::PipelineOptions& pipeline = config().data.pipeline;
    m_batch->setValue(
        static_cast<int>(std::min<std::int64_t>(pipeline.batch_size, m_batch->maximum())));
    m_remainder->setChecked(pipeline.drop_remainder);
    m_threads->setValue(config().placement.threads);
    if (!m_seed->isModified()) m_seed->setText(localDigits(QString::number(training.seed)));
    checkAgainstModel();
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
         on ? tr("Show the metric %1").arg(nameText(name))
            : tr("Leave out the metric %1").arg(nameText(name)),
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
