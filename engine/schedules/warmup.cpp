#include "engine/schedules/warmup.h"

#include <cmath>

#include "engine/core/error.h"

namespace strata::schedules {

const std::vector<layers::ParamSpec>& Warmup::params() {
    static const std::vector<layers::ParamSpec> all{
        {.key = "updates",
         .type = layers::ParamType::integer,
         .default_value = nullptr,
         .doc = "Updates until the full rate; give these or epochs",
         .minimum = 0,
         .maximum = 1e15,
         .optional = true},
        {.key = "epochs",
         .type = layers::ParamType::number,
         .default_value = nullptr,
         .doc = "Epochs until the full rate, parts of one too; give these or updates",
         .minimum = 0,
         .maximum = 1e6,
         .optional = true},
        {.key = "start_factor",
         .type = layers::ParamType::number,
         .default_value = 0.0,
         .doc = "Share of the rate from which the rise starts",
         .minimum = 0,
         .maximum = 1}};
    return all;
}

Warmup::Warmup(const Json& config, std::int64_t updates_per_epoch, const std::string& where) {
    if (config.is_null()) return;
    layers::Config checked;
    try {
        checked = layers::Config::checked(params(), config);
    } catch (const Error& error) {
        throw error.at(where);
    }
    const bool by_updates = !checked.is_null("updates"), by_epochs = !checked.is_null("epochs");
    if (by_updates == by_epochs)
        throw Error(ErrorCode::invalid_argument,
                    by_updates ? "'updates' and 'epochs' are two lengths of one warm-up"
                               : "the warm-up has no length",
                    where, "Give either updates or epochs");
    updates_ =
        by_updates
            ? checked.integer("updates")
            : std::llround(checked.number("epochs") * static_cast<double>(updates_per_epoch));
    start_factor_ = checked.number("start_factor");
    counts_epochs_ = by_epochs;
}

double Warmup::factor(std::int64_t update) const {
    const double done = static_cast<double>(update + 1) / static_cast<double>(updates_);
    return start_factor_ + (1.0 - start_factor_) * done;
}

}  // namespace strata::schedules
