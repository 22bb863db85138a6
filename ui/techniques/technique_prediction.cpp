#include "ui/techniques/technique_prediction.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <algorithm>

#include "ui/widgets/format.h"

namespace strata::ui {
namespace {

QString words(const char* text) {
    return QCoreApplication::translate("strata::ui::Techniques", text);
}

struct StepTimes {
    graph::StepTimeParts with, without;
};

std::optional<StepTimes> stepTimes(const TechniquePrediction& prediction, Technique technique,
                                   bool on) {
    const auto other = prediction.switchedSteps.find(technique);
    if (!prediction.step || other == prediction.switchedSteps.end()) return {};
    const StepTimes times = on ? StepTimes{*prediction.step, other->second}
                               : StepTimes{other->second, *prediction.step};
    if (!(times.without.total() > 0.0)) return {};
    return times;
}

struct DeviceChange {
    std::string device;
    std::size_t now = 0, then = 0;  // bytes
};

// Of the devices of both the one whose memory changes most; where none does, the fullest.
DeviceChange greatestChange(const MemoryPrediction& now, const MemoryPrediction& then) {
    DeviceChange found{now.device, now.budget.total(), now.budget.total()};
    const auto size = [](const DeviceChange& c) {
        return std::max(c.now, c.then) - std::min(c.now, c.then);
    };
    for (const auto& [device, bytes] : now.bytes) {
        const auto same = then.bytes.find(device);
        if (same == then.bytes.end()) continue;
        const DeviceChange change{device, bytes, same->second};
        if (size(change) > size(found)) found = change;
    }
    return found;
}

void predictPlacements(const train::RunConfig& config, TechniquePrediction& out) {
    PlacementPrediction now = predictPlacement(config, Warnings::none);
    out.placement = std::move(now.plan);
    out.placementFault = std::move(now.fault);
    if (!out.placement) return;
    for (const Technique technique : {Technique::dataParallel, Technique::devicePipeline}) {
        train::RunConfig other = config;
        switchTechnique(other, technique, !isOn(config, technique));
        if (PlacementPrediction then = predictPlacement(other, Warnings::none); then.plan)
            out.switchedPlacements.emplace(technique, std::move(*then.plan));
    }
}

}  // namespace

TechniquePrediction predictTechniques(const train::RunConfig& config) {
    TechniquePrediction out;
    out.epoch = predictEpoch(config);
    out.memory = predictMemory(config);
    predictPlacements(config, out);
    if (!out.memory) return out;
    if (const auto step = predictStepTime(config)) out.step = step->with;
    for (const Technique technique :
         {Technique::precision, Technique::accumulation, Technique::clipping, Technique::ema,
          Technique::recomputation}) {
        // A memory limit that nobody chose says nothing.
        if (technique == Technique::recomputation && !isOn(config, technique)) continue;
        train::RunConfig other = config;
        switchTechnique(other, technique, !isOn(config, technique));
        if (const auto memory = predictMemory(other)) out.switched.emplace(technique, *memory);
        if (const auto step = predictStepTime(other))
            out.switchedSteps.emplace(technique, step->with);
    }
    return out;
}

QString memoryEffect(const TechniquePrediction& prediction, Technique technique, bool on) {
    const auto other = prediction.switched.find(technique);
    if (!prediction.memory || other == prediction.switched.end()) return {};
    const DeviceChange change = greatestChange(*prediction.memory, other->second);
    const QString with = formatBytes(on ? change.now : change.then);
    const QString without = formatBytes(on ? change.then : change.now);
    if (with == without)
        return words(QT_TRANSLATE_NOOP("strata::ui::Techniques", "memory stays %1")).arg(with);
    if (prediction.memory->bytes.size() > 1)
        return words(QT_TRANSLATE_NOOP("strata::ui::Techniques", "memory on %1 %2 instead of %3"))
            .arg(QString::fromStdString(change.device), with, without);
    return words(QT_TRANSLATE_NOOP("strata::ui::Techniques", "memory %1 instead of %2"))
        .arg(with, without);
}

QString stepTimeEffect(const TechniquePrediction& prediction, Technique technique, bool on) {
    const auto times = stepTimes(prediction, technique, on);
    if (!times) return {};
    const double ratio = times->with.total() / times->without.total();
    const QString number = QLocale().toString(ratio, 'f', 2);
    return (on ? words(QT_TRANSLATE_NOOP("strata::ui::Techniques", "×\u00a0%1 step time"))
               : words(QT_TRANSLATE_NOOP("strata::ui::Techniques", "if on: ×\u00a0%1 step time")))
        .arg(number);
}

QString stepTimeParts(const TechniquePrediction& prediction, Technique technique, bool on) {
    const auto times = stepTimes(prediction, technique, on);
    if (!times) return {};
    using Parts = graph::StepTimeParts;
    const std::pair<const char*, double Parts::*> parts[] = {
        {QT_TRANSLATE_NOOP("strata::ui::Techniques", "forward pass"), &Parts::forward},
        {QT_TRANSLATE_NOOP("strata::ui::Techniques", "backward pass"), &Parts::backward},
        {QT_TRANSLATE_NOOP("strata::ui::Techniques", "activations computed again"),
         &Parts::recomputation},
        {QT_TRANSLATE_NOOP("strata::ui::Techniques", "adding up gradients"), &Parts::accumulation},
        {QT_TRANSLATE_NOOP("strata::ui::Techniques", "update of the weights"), &Parts::update},
        {QT_TRANSLATE_NOOP("strata::ui::Techniques", "clipping"), &Parts::clip},
        {QT_TRANSLATE_NOOP("strata::ui::Techniques", "change to 16 bits and back"), &Parts::casts}};
    QStringList lines{
        words(QT_TRANSLATE_NOOP("strata::ui::Techniques",
                                "Predicted for as many samples, with and without the technique. "
                                "100 % is a step without it:"))};
    const double whole = times->without.total();
    const auto percent = [&](double seconds) {
        return QLocale().toString(100.0 * seconds / whole, 'f', 1);
    };
    for (const auto& [name, part] : parts) {
        const double with = times->with.*part, without = times->without.*part;
        if (with <= 0.0 && without <= 0.0) continue;
        lines << words(QT_TRANSLATE_NOOP("strata::ui::Techniques", "%1: %2 % instead of %3 %"))
                     .arg(words(name), percent(with), percent(without));
    }
    lines << words(QT_TRANSLATE_NOOP("strata::ui::Techniques", "Waiting for data is not in it."));
    return lines.join('\n');
}

}  // namespace strata::ui
