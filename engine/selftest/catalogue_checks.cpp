// Layers, losses with metrics, and optimizers: values and gradients beside the CPU's.
#include <cstdio>

#include "engine/layers/catalogue.h"
#include "engine/selftest/cases.h"
#include "engine/selftest/checks.h"

namespace strata::selftest {
namespace {

std::string scientific(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", value);
    return text;
}

graph::ExecutorOptions on(const std::string& device, int threads) {
    graph::ExecutorOptions options;
    options.device = device;
    options.device_options.threads = threads;
    return options;
}

// The worst of all cases, which all are looked at: a second fault may explain the first.
void compare(Line& line, const std::vector<Case>& cases, const std::string& device) {
    const double tolerance = tolerance_of(line.precision);
    Difference worst;
    std::string where;
    for (const Case& each : cases) {
        const History cpu = history_on(on("cpu:0", 1), each.model, each.setup, each.steps);
        const History own = history_on(on(device, 0), each.model, each.setup, each.steps);
        Difference found = difference(own, cpu, tolerance, each.steps.batch);
        if (!worst.what.empty() && found.share <= worst.share) continue;
        worst = std::move(found);
        where = each.name;
    }
    line.measured = scientific(worst.share * tolerance) + " of " + scientific(tolerance);
    line.figures = {{"error", worst.share * tolerance},
                    {"allowed", tolerance},
                    {"cases", static_cast<double>(cases.size())}};
    if (!worst.near()) fail(line, "example '" + where + "': " + worst.what + " is not the CPU's");
}

}  // namespace

void check_layers(const Teller& teller) {
    for (const layers::LayerDescription* type : computing_layers())
        for (const std::string& precision : precisions())
            teller.line(type->spec.type, precision, [&](Line& line) {
                compare(line, cases_of(*type, precision), teller.device());
            });
}

void check_losses(const Teller& teller) {
    for (const losses::LossDescription* loss : losses::catalogue())
        for (const std::string& precision : precisions())
            teller.line(loss->name, precision, [&](Line& line) {
                compare(line, cases_of(*loss, precision), teller.device());
            });
}

void check_optimizers(const Teller& teller) {
    for (const Recipe& recipe : recipes())
        for (const std::string& precision : precisions())
            teller.line(recipe.name, precision, [&](Line& line) {
                compare(line, cases_of(recipe, precision), teller.device());
            });
}

}  // namespace strata::selftest
