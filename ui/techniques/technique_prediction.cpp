#include "ui/techniques/technique_prediction.h"

#include <QCoreApplication>

#include "ui/widgets/format.h"

namespace strata::ui {
namespace {

QString words(const char* text) {
    return QCoreApplication::translate("strata::ui::Techniques", text);
}

}  // namespace

TechniquePrediction predictTechniques(const train::RunConfig& config) {
    TechniquePrediction out;
    out.epoch = predictEpoch(config);
    out.memory = predictMemory(config);
    if (!out.memory) return out;
    for (const Technique technique : {Technique::precision, Technique::accumulation, Technique::ema,
                                      Technique::recomputation}) {
        // A memory limit that nobody chose says nothing.
        if (technique == Technique::recomputation && !isOn(config, technique)) continue;
        train::RunConfig other = config;
        switchTechnique(other, technique, !isOn(config, technique));
        if (const auto memory = predictMemory(other)) out.switched.emplace(technique, *memory);
    }
    return out;
}

QString memoryEffect(const TechniquePrediction& prediction, Technique technique, bool on) {
    const auto other = prediction.switched.find(technique);
    if (!prediction.memory || other == prediction.switched.end()) return {};
    const std::size_t now = prediction.memory->budget.total(), then = other->second.budget.total();
    const std::size_t with = on ? now : then, without = on ? then : now;
    if (with == without)
        return words(QT_TRANSLATE_NOOP("strata::ui::Techniques", "memory stays %1"))
            .arg(formatBytes(with));
    return words(QT_TRANSLATE_NOOP("strata::ui::Techniques", "memory %1 instead of %2"))
        .arg(formatBytes(with), formatBytes(without));
}

}  // namespace strata::ui
