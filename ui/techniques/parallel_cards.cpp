#include "ui/techniques/parallel_cards.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

#include "ui/document/placement_edits.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/format.h"
#include "ui/widgets/text.h"

namespace strata::ui {
namespace {

constexpr const char* replicasKey = "placement.replicas";
constexpr const char* copiesKey = "placement.replicas.count";
constexpr const char* shardedKey = "placement.sharded_optimizer";
constexpr const char* microBatchesKey = "placement.micro_batches";
constexpr const char* partsKey = "placement.micro_batches.count";
constexpr const char* scheduleKey = "placement.schedule";
constexpr int mostReplicas = 64, mostMicroBatches = 1024;

using parallel::PlacementPlan;
using parallel::ScheduleKind;

constexpr ScheduleKind kinds[] = {ScheduleKind::naive, ScheduleKind::gpipe,
                                  ScheduleKind::one_f_one_b, ScheduleKind::interleaved};

QString joined(QStringList parts) {
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString percent(double share) {
    return formatCount(std::lround(100.0 * share));
}

// "3.1 MiB on cpu:1": of the device that holds most.
QString fullestText(const PlacementPlan& plan) {
    const auto fullest = std::max_element(
        plan.devices.begin(), plan.devices.end(),
        [](const auto& a, const auto& b) { return a.memory.total() < b.memory.total(); });
    if (fullest == plan.devices.end()) return {};
    return DataParallelCard::tr("at most %1 a device").arg(formatBytes(fullest->memory.total()));
}

QString stepText(const PlacementPlan& plan) {
    if (!plan.timed) return {};
    return DataParallelCard::tr("step %1").arg(formatSeconds(plan.step.total()));
}

// How many times as many samples a second with the technique as without it.
QString speedText(const std::optional<PlacementPlan>& now, const PlacementPlan* other, bool on) {
    if (!now || other == nullptr || !now->timed || !other->timed) return {};
    const double with = on ? now->seconds_per_sample() : other->seconds_per_sample();
    const double without = on ? other->seconds_per_sample() : now->seconds_per_sample();
    if (!(with > 0.0) || !(without > 0.0)) return {};
    const QString ratio = QLocale().toString(without / with, 'f', 2);
    return (on ? DataParallelCard::tr("×\u00a0%1 samples/s")
               : DataParallelCard::tr("if on: ×\u00a0%1 samples/s"))
        .arg(ratio);
}

bool normalizes(const graph::Model& model) {
    return std::any_of(model.layers.begin(), model.layers.end(), [](const auto& layer) {
        return layer.type->spec.type == "BatchNormalization";
    });
}

}  // namespace

DataParallelCard::DataParallelCard(Document& document)
    : TechniqueCard(document, replicasKey, Technique::dataParallel) {
    m_replicas = addSpin(copiesKey, 2, mostReplicas, [](Config& c, int v) {
        c.placement.replicas = v;
        c.placement.devices.clear();  // a list of them was for another number
    });
    m_sharded =
        addCheck(shardedKey, [](Config& c, bool on) { c.placement.sharded_optimizer = on; });
    m_note = makeLabel("secondary");
    addWidget(m_note);
    finish();
}

void DataParallelCard::retranslate() {
    TechniqueCard::retranslate();
    setText(copiesKey, tr("copies"), tr("Copies of the model, each on devices of its own"));
    setText(shardedKey, tr("share the optimizer"),
            tr("Each copy keeps the optimizer's state of a part of the weights only (ZeRO-1)"));
}

void DataParallelCard::showOptions(const train::RunConfig& config) {
    if (on()) showSpin(m_replicas, config.placement.replicas);
    showCheck(m_sharded, config.placement.sharded_optimizer);
    m_note->setVisible(on() && normalizes(config.model));
    m_note->setText(
        tr("BatchNormalization: each copy normalises by its own samples, unless the layer's "
           "“synchronized” is on."));
}

QString DataParallelCard::effect() const {
    const auto& plan = prediction().placement;
    QString speed = speedText(plan, prediction().placed(Technique::dataParallel), on());
    if (!on()) return speed;
    const std::int64_t batch = config().data.pipeline.batch_size,
                       window = config().training.gradient_accumulation_steps,
                       replicas = config().placement.replicas;
    QStringList parts;
    parts << (window > 1 ? tr("effective batch %1 × %2 × %3 = %4")
                               .arg(formatCount(batch), formatCount(window), formatCount(replicas),
                                    formatCount(batch * window * replicas))
                         : tr("effective batch %1 × %2 = %3")
                               .arg(formatCount(batch), formatCount(replicas),
                                    formatCount(batch * replicas)));
    if (prediction().epoch)
        parts << tr("%1 updates an epoch").arg(formatCount(prediction().epoch->updates));
    if (plan) parts << fullestText(*plan) << stepText(*plan) << speed;
    return joined(parts);
}

DevicePipelineCard::DevicePipelineCard(Document& document)
    : TechniqueCard(document, microBatchesKey, Technique::devicePipeline) {
    m_microBatches = addSpin(partsKey, 2, mostMicroBatches,
                             [](Config& c, int v) { c.placement.micro_batches = v; });
    QStringList names;
    for (const ScheduleKind kind : kinds) names << QString::fromLatin1(parallel::name_of(kind));
    m_schedule = addChoice(scheduleKey, names, [](Config& c, const std::string& v) {
        c.placement.schedule = parallel::schedule_kind(v, scheduleKey);
    });
    m_note = makeLabel("secondary");
    addWidget(m_note);
    finish();
}

bool DevicePipelineCard::isPlaced() const {
    return devicesOf(config().model).size() > 1;
}

void DevicePipelineCard::retranslate() {
    TechniqueCard::retranslate();
    setText(partsKey, tr("micro-batches"),
            tr("Parts of a batch that go through the devices one behind the other"));
    setText(scheduleKey, tr("schedule"),
            tr("GPipe: all forward, then all backward. 1F1B: in turn, and holds less. Interleaved: "
               "1F1B with several stages a device. Naive: one micro-batch after the other"));
    for (int i = 0; i < m_schedule->count(); ++i)
        m_schedule->setItemText(i, scheduleText(kinds[i]));
}

void DevicePipelineCard::showOptions(const train::RunConfig& config) {
    if (on()) showSpin(m_microBatches, config.placement.micro_batches);
    showChoice(m_schedule, parallel::name_of(config.placement.schedule));
    m_note->setVisible(!isPlaced());
    m_note->setText(
        tr("All layers stand on one device: place some of them on another one first "
           "(select cards, then Edit, Place on)."));
}

QString DevicePipelineCard::effect() const {
    const auto& plan = prediction().placement;
    if (!isPlaced() || !plan) return {};
    QStringList parts;
    if (plan->timed)
        parts << tr("idle %1 %, by the formula %2 %")
                     .arg(percent(plan->idle_share), percent(plan->idle_share_formula));
    parts << fullestText(*plan) << stepText(*plan)
          << speedText(plan, prediction().placed(Technique::devicePipeline), on());
    return joined(parts);
}

}  // namespace strata::ui
