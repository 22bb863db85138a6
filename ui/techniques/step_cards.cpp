#include "ui/techniques/step_cards.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

#include "ui/widgets/controls.h"
#include "ui/widgets/format.h"

namespace strata::ui {
namespace {

constexpr double mebibyte = 1 << 20;
constexpr int byteDecimals = 7;       // of a MiB: a byte is 9.5e-7
constexpr std::size_t watched = 100;  // updates
constexpr const char* precisionKey = "training.precision";
constexpr const char* policyKey = "training.precision.policy";
constexpr const char* scalingKey = "training.loss_scale";
constexpr const char* scaleKey = "training.loss_scale.initial";
constexpr const char* intervalKey = "training.loss_scale.growth_interval";
constexpr const char* tf32Key = "training.allow_tf32";
constexpr const char* windowKey = "training.gradient_accumulation_steps.batches";
constexpr const char* clipTypeKey = "training.clipping.type";
constexpr const char* clipValueKey = "training.clipping.value";
constexpr const char* momentumKey = "training.ema.momentum";
constexpr const char* limitKey = "training.recomputation.memory_limit";

using train::BatchStatistics;

QString statisticsKey() {
    return QStringLiteral("training.") + QLatin1String(train::batch_statistics_key);
}

QString joined(const QString& a, const QString& b) {
    return a.isEmpty() || b.isEmpty() ? a + b : a + QStringLiteral(" · ") + b;
}

// Writes no more decimals than the value has.
class MebibyteBox : public QDoubleSpinBox {
public:
    MebibyteBox() {
        setDecimals(byteDecimals);
        setRange(1.0 / mebibyte, 1 << 30);
    }
    QString textFromValue(double value) const override {
        QString digits = QString::number(value, 'f', byteDecimals);
        while (digits.endsWith('0')) digits.chop(1);
        const auto point = digits.indexOf('.');
        return locale()
            .toString(value, 'f', static_cast<int>(digits.size() - point - 1))
            .remove(locale().groupSeparator());
    }
};

}  // namespace

PrecisionCard::PrecisionCard(Document& document)
    : TechniqueCard(document, precisionKey, Technique::precision) {
    m_policy = addChoice(policyKey, {"mixed_bfloat16", "mixed_float16"},
                         [](Config& c, const std::string& v) { c.training.precision = v; });
    m_scaling = addChoice(scalingKey, {"dynamic", "fixed"}, [](Config& c, const std::string& v) {
        c.training.loss_scale.dynamic = v == "dynamic";
    });
    m_scale = addNumber(scaleKey, [](Config& c, std::optional<double> v) {
        c.training.loss_scale.initial = v.value_or(1.0);
    });
    m_interval = addSpin(intervalKey, 1, 1000000000,
                         [](Config& c, int v) { c.training.loss_scale.growth_interval = v; });
    finish();
}

void PrecisionCard::retranslate() {
    TechniqueCard::retranslate();
    setText(policyKey, tr("type"), tr("bfloat16 needs no loss scale; float16 is finer"));
    m_policy->setItemText(0, QStringLiteral("bfloat16"));
    m_policy->setItemText(1, QStringLiteral("float16"));
    setText(scalingKey, tr("loss scale"),
            tr("Factor that keeps small gradients from vanishing in 16 bits"));
    m_scaling->setItemText(0, tr("dynamic"));
    m_scaling->setItemText(1, tr("fixed"));
    setText(scaleKey, tr("scale"), tr("The first scale, or the fixed one"));
    setText(intervalKey, tr("doubled after"),
            tr("Updates without an overflow before the scale doubles"));
}

void PrecisionCard::showOptions(const train::RunConfig& config) {
    const train::TrainingConfig& training = config.training;
    const bool half = training.precision == "mixed_float16";
    showChoice(m_policy, training.precision);
    showChoice(m_scaling, training.loss_scale.dynamic ? "dynamic" : "fixed");
    showNumber(m_scale, training.loss_scale.initial);
    showSpin(m_interval, training.loss_scale.growth_interval);
    setOptionVisible(scalingKey, half);
    setOptionVisible(scaleKey, half);
    setOptionVisible(intervalKey, half && training.loss_scale.dynamic);
}

QString PrecisionCard::effect() const {
    const QString memory = memoryEffect(prediction(), Technique::precision, on());
    const auto other = prediction().switched.find(Technique::precision);
    if (memory.isEmpty() || other == prediction().switched.end()) return {};
    const auto activations = [](const MemoryPrediction& m) {
        return static_cast<double>(m.budget[device::Category::activations]);
    };
    const double now = activations(*prediction().memory), then = activations(other->second);
    const double with = on() ? now : then, without = on() ? then : now;
    if (without <= 0.0) return memory;
    const auto percent = static_cast<std::int64_t>(std::lround(100.0 * (with - without) / without));
    const QString sign = percent < 0 ? QStringLiteral("−") : QStringLiteral("+");
    return joined(
        tr("%1%2 % activations", "sign, number").arg(sign, formatCount(std::abs(percent))), memory);
}

Tf32Card::Tf32Card(Document& document) : TechniqueCard(document, tf32Key, Technique::tf32) {
    finish();
}

void Tf32Card::retranslate() {
    TechniqueCard::retranslate();
    toggle()->setToolTip(
        tr("For matrix products and convolutions of float32 on NVIDIA GPUs from "
           "the Ampere generation on; CPUs and 16-bit layers are not changed"));
}

// What has no GPU, or nothing in float32 there, gains nothing.
QString Tf32Card::effect() const {
    const auto isGpu = [](const std::string& device) { return device.starts_with("cuda:"); };
    const auto& layers = config().model.layers;
    const auto& devices = config().placement.devices;
    const bool gpus = devices.empty() ? std::any_of(layers.begin(), layers.end(),
                                                    [&](const auto& l) { return isGpu(l.device); })
                                      : std::any_of(devices.begin(), devices.end(), isGpu);
    if (!gpus) return tr("no effect: no layer stands on a GPU");
    const bool full = config().training.precision == "float32" ||
                      std::any_of(layers.begin(), layers.end(),
                                  [](const auto& layer) { return layer.precision == "float32"; });
    return full ? QString() : tr("no effect: no layer computes in float32");
}

AccumulationCard::AccumulationCard(Document& document)
    : TechniqueCard(document, "training.gradient_accumulation_steps", Technique::accumulation) {
    m_window = addSpin(windowKey, 2, 1 << 20,
                       [](Config& c, int v) { c.training.gradient_accumulation_steps = v; });
    m_statistics = addChoice(statisticsKey(),
                             {train::name_of(BatchStatistics::each_micro_batch),
                              train::name_of(BatchStatistics::deferred)},
                             [](Config& c, const std::string& v) {
                                 c.training.batch_statistics =
                                     v == train::name_of(BatchStatistics::deferred)
                                         ? BatchStatistics::deferred
                                         : BatchStatistics::each_micro_batch;
                             });
    m_note = makeLabel("secondary");
    addWidget(m_note);
    finish();
}

bool AccumulationCard::normalizes() const {
    const auto& layers = config().model.layers;
    return std::any_of(layers.begin(), layers.end(), [](const graph::LayerNode& layer) {
        return layer.type->spec.type == "BatchNormalization";
    });
}

void AccumulationCard::retranslate() {
    TechniqueCard::retranslate();
    setText(windowKey, tr("batches"), tr("Batches whose gradients make one update"));
    setText(statisticsKey(), tr("moving averages"),
            tr("When the moving averages of BatchNormalization follow the data"));
    m_statistics->setItemText(0, tr("each batch"));
    m_statistics->setItemText(1, tr("each update (deferred)"));
}

void AccumulationCard::showOptions(const train::RunConfig& config) {
    if (on()) showSpin(m_window, config.training.gradient_accumulation_steps);
    const bool deferred = config.training.batch_statistics == BatchStatistics::deferred;
    showChoice(m_statistics, train::name_of(config.training.batch_statistics));
    setOptionVisible(statisticsKey(), normalizes());
    m_note->setVisible(normalizes());
    m_note->setText(
        on() && deferred
            ? tr("BatchNormalization: its moving averages follow all samples of the window, once "
                 "an update. Training normalises by each batch's own values all the same.")
            : tr("BatchNormalization: its moving averages follow every batch of the window, as in "
                 "Keras. Training normalises by each batch's own values."));
}

QString AccumulationCard::effect() const {
    const std::int64_t batch = config().data.pipeline.batch_size *
                               config().training.gradient_accumulation_steps *
                               config().placement.replicas * std::max(config().placement.ranks, 1);
    QString text = tr("effective batch %1").arg(formatCount(batch));
    if (prediction().epoch)
        text =
            joined(text, tr("%1 updates an epoch").arg(formatCount(prediction().epoch->updates)));
    return on() ? joined(text, memoryEffect(prediction(), Technique::accumulation, true)) : text;
}

ClippingCard::ClippingCard(Document& document)
    : TechniqueCard(document, "training.clipping", Technique::clipping) {
    m_type = addChoice(
        clipTypeKey, {"global_clipnorm", "clipnorm", "clipvalue"},
        [](Config& c, const std::string& v) {
            for (const train::Clipping type :
                 {train::Clipping::global_norm, train::Clipping::norm, train::Clipping::value})
                if (v == train::name_of(type)) c.training.clipping.type = type;
        });
    m_limit = addNumber(clipValueKey, [](Config& c, std::optional<double> v) {
        c.training.clipping.value = v.value_or(0.0);
    });
    finish();
}

void ClippingCard::retranslate() {
    TechniqueCard::retranslate();
    setText(clipTypeKey, tr("by"),
            tr("The norm of the whole gradient, of each weight tensor, or each value"));
    m_type->setItemText(0, tr("global norm"));
    m_type->setItemText(1, tr("norm of each tensor"));
    m_type->setItemText(2, tr("value"));
    setText(clipValueKey, tr("limit"), tr("Above it the gradient is made smaller"));
}

void ClippingCard::showOptions(const train::RunConfig& config) {
    if (on()) showChoice(m_type, train::name_of(config.training.clipping.type));
    showNumber(m_limit, config.training.clipping.value);
}

// The norm of a step is the whole gradient's: it tells of clipping by the global norm alone.
void ClippingCard::addSteps(const QVector<train::StepEvent>& steps) {
    if (!steps.isEmpty() && steps.first().update < m_lastUpdate) m_clipped.clear();
    for (const train::StepEvent& step : steps) {
        m_lastUpdate = step.update;
        if (step.skipped || !std::isfinite(step.gradient_norm)) continue;
        m_clipped.push_back(step.clip_limit > 0.0 && step.gradient_norm > step.clip_limit);
        if (m_clipped.size() > watched) m_clipped.pop_front();
    }
    updateEffect();
}

QString ClippingCard::effect() const {
    if (config().training.clipping.type != train::Clipping::global_norm || m_clipped.empty())
        return {};
    return tr("clipped in %1 of the last %2 updates")
        .arg(formatCount(std::count(m_clipped.begin(), m_clipped.end(), true)),
             formatCount(std::ssize(m_clipped)));
}

EmaCard::EmaCard(Document& document) : TechniqueCard(document, "training.ema", Technique::ema) {
    m_momentum = addNumber(momentumKey, [](Config& c, std::optional<double> v) {
        c.training.ema.momentum = v.value_or(0.0);
    });
    finish();
}

void EmaCard::retranslate() {
    TechniqueCard::retranslate();
    setText(momentumKey, tr("momentum"),
            tr("Share of the average that stays at each update, such as 0.99"));
}

void EmaCard::showOptions(const train::RunConfig& config) {
    showNumber(m_momentum, config.training.ema.momentum);
}

QString EmaCard::effect() const {
    return memoryEffect(prediction(), Technique::ema, on());
}

RecomputationCard::RecomputationCard(Document& document)
    : TechniqueCard(document, "training.recomputation", Technique::recomputation) {
    m_limit = new MebibyteBox;
    addOption(limitKey, m_limit);
    connect(m_limit, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        change(
            limitKey,
            [value](Config& c) {
                c.training.recomputation.memory_limit = std::llround(value * mebibyte);
            },
            true);
    });
    finish();
}

void RecomputationCard::retranslate() {
    TechniqueCard::retranslate();
    setText(limitKey, tr("memory limit"), tr("Memory that the plan may take"));
    m_limit->setSuffix(QStringLiteral(" MiB"));
}

void RecomputationCard::showOptions(const train::RunConfig& config) {
    const std::int64_t limit = config.training.recomputation.memory_limit;
    const QSignalBlocker quiet(m_limit);
    if (on() && std::llround(m_limit->value() * mebibyte) != limit)
        m_limit->setValue(static_cast<double>(limit) / mebibyte);
    const auto& memory = prediction().memory;
    if (on() && memory && memory->misfit) setError(limitKey, fieldText(*memory->misfit));
}

QString RecomputationCard::effect() const {
    const auto& memory = prediction().memory;
    if (!memory) return {};
    const QString size = formatBytes(memory->budget.total());
    if (!on()) return tr("memory %1").arg(size);
    if (memory->misfit) return {};
    if (memory->recomputed == 0) return tr("memory %1: fits as it is").arg(size);
    return joined(
        memoryEffect(prediction(), Technique::recomputation, true),
        joined(tr("%1 layers computed again")
                   .arg(formatCount(static_cast<std::int64_t>(memory->recomputed))),
               tr("%1 % more work a step").arg(formatNumber(100.0 * memory->extraWork, 2))));
}

}  // namespace strata::ui
