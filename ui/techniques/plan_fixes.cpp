#include "ui/techniques/plan_fixes.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>
#include <map>

#include "ui/document/placement_edits.h"
#include "ui/widgets/format.h"

namespace strata::ui {
namespace {

constexpr qsizetype mostNames = 4;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(strata::ui::PlanFixes)
};

QString listed(const QStringList& names) {
    if (names.size() <= mostNames) return names.join(", ");
    return Words::tr("%1 and %2 more")
        .arg(names.mid(0, mostNames - 1).join(", "), formatCount(names.size() - mostNames + 1));
}

}  // namespace

QString changeText(const parallel::PlanChange& change) {
    QStringList parts;
    if (change.batch_size && change.accumulation)
        parts << Words::tr("batch size %1, %2 batches an update")
                     .arg(formatCount(*change.batch_size), formatCount(*change.accumulation));
    else if (change.batch_size)
        parts << Words::tr("batch size %1").arg(formatCount(*change.batch_size));
    if (change.micro_batches)
        parts << Words::tr("%1 micro-batches").arg(formatCount(*change.micro_batches));
    if (change.precision)
        parts << Words::tr("precision %1").arg(QString::fromStdString(*change.precision));
    if (!change.recompute.empty()) {
        QStringList names;
        for (const std::string& name : change.recompute) names << QString::fromStdString(name);
        parts << Words::tr("compute the activations of %1 again").arg(listed(names));
    }
    std::map<QString, QStringList> moved;
    for (const auto& [layer, device] : change.devices)
        moved[QString::fromStdString(device)] << QString::fromStdString(layer);
    for (const auto& [device, names] : moved)
        parts << Words::tr("%1 on %2", "layers, device").arg(listed(names), device);
    if (change.sharded_optimizer)
        parts << (*change.sharded_optimizer
                      ? Words::tr("share the optimizer's state among the copies")
                      : Words::tr("the whole optimizer's state with each copy"));
    return parts.join(QStringLiteral(" · "));
}

QString changeEffect(const parallel::PlanFix& fix, const parallel::PlanWarning& warning,
                     bool asked) {
    QStringList parts;
    if (warning.too_much > 0) {
        const QString bytes = formatBytes(fix.bytes),
                      device = QString::fromStdString(warning.device);
        parts << (!asked     ? Words::tr("%1 on %2", "bytes, device")
                  : fix.fits ? Words::tr("%1 on %2, which fits", "bytes, device")
                             : Words::tr("%1 on %2, still too much", "bytes, device"))
                     .arg(bytes, device);
    }
    if (warning.idle_share > 0.0) {
        const auto before = std::lround(100.0 * warning.idle_share);
        const auto then = std::lround(100.0 * fix.idle_share);
        if (then == before)
            parts << Words::tr("waiting stays at %1 %").arg(formatCount(then));
        else
            parts << (then > before ? Words::tr("waiting rises from %1 % to %2 %")
                                    : Words::tr("waiting falls from %1 % to %2 %"))
                         .arg(formatCount(before), formatCount(then));
    }
    const auto percent = std::lround(100.0 * std::abs(fix.slowdown - 1.0));
    if (percent > 0)
        parts << (fix.slowdown > 1.0 ? Words::tr("%1 % more time a sample")
                                     : Words::tr("%1 % less time a sample"))
                     .arg(formatCount(percent));
    return parts.join(QStringLiteral(" · "));
}

void applyChange(train::RunConfig& config, const parallel::PlanChange& change) {
    if (change.batch_size) config.data.pipeline.batch_size = *change.batch_size;
    if (change.accumulation) config.training.gradient_accumulation_steps = *change.accumulation;
    if (change.precision) config.training.precision = *change.precision;
    if (change.micro_batches) config.placement.micro_batches = *change.micro_batches;
    if (change.sharded_optimizer) config.placement.sharded_optimizer = *change.sharded_optimizer;
    for (const std::string& name : change.recompute)
        if (const int at = config.model.index_of(name); at >= 0)
            config.model.layers[static_cast<std::size_t>(at)].recompute = true;
    std::map<std::string, std::vector<std::string>> moved;
    for (const auto& [layer, device] : change.devices) moved[device].push_back(layer);
    for (const auto& [device, names] : moved) placeLayers(config, names, device);
}

}  // namespace strata::ui
