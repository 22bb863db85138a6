#include "engine/data/generators.h"

#include <cmath>
#include <numbers>

#include "engine/data/point_source.h"

namespace strata::data {
namespace {

constexpr double pi = std::numbers::pi;

layers::ParamSpec count_param() {
    return {.key = "count",
            .type = layers::ParamType::integer,
            .default_value = 1000,
            .doc = "Number of samples",
            .minimum = 1,
            .maximum = 1e9};
}

layers::ParamSpec noise_param(double usual) {
    return {.key = "noise",
            .type = layers::ParamType::number,
            .default_value = usual,
            .doc = "Standard deviation of the normal noise that is added",
            .minimum = 0,
            .maximum = 100};
}

std::shared_ptr<Source> make(PointSet set, const layers::Config& config) {
    set.count = config.integer("count");
    set.seed = static_cast<std::uint64_t>(config.integer("seed"));
    set.noise = config.number("noise");
    return std::make_shared<PointSource>(std::move(set));
}

std::shared_ptr<Source> open_spirals(const layers::Config& config, const OpenOptions&) {
    const std::int64_t classes = config.integer("classes");
    const double turns = config.number("turns");
    PointSet set;
    for (std::int64_t arm = 1; arm <= classes; ++arm)
        set.class_names.push_back("arm " + std::to_string(arm));
    // The arms do not meet in the middle: no point belongs to two of them.
    set.place = [classes, turns](std::int64_t arm, double t) {
        const double radius = 0.05 + 0.95 * t;
        const double angle =
            2 * pi * (static_cast<double>(arm) / static_cast<double>(classes) + turns * radius);
        return std::pair(radius * std::cos(angle), radius * std::sin(angle));
    };
    return make(std::move(set), config);
}

std::shared_ptr<Source> open_moons(const layers::Config& config, const OpenOptions&) {
    PointSet set;
    set.class_names = {"upper moon", "lower moon"};
    set.place = [](std::int64_t moon, double t) {
        const double x = std::cos(pi * t), y = std::sin(pi * t);
        return moon == 0 ? std::pair(x, y) : std::pair(1.0 - x, 0.5 - y);
    };
    return make(std::move(set), config);
}

std::shared_ptr<Source> open_circles(const layers::Config& config, const OpenOptions&) {
    PointSet set;
    set.class_names = {"outer circle", "inner circle"};
    set.place = [factor = config.number("factor")](std::int64_t circle, double t) {
        const double radius = circle == 0 ? 1.0 : factor;
        return std::pair(radius * std::cos(2 * pi * t), radius * std::sin(2 * pi * t));
    };
    return make(std::move(set), config);
}

std::shared_ptr<Source> open_noisy_sine(const layers::Config& config, const OpenOptions&) {
    PointSet set;
    set.values = true;
    set.place = [periods = config.number("periods")](std::int64_t, double t) {
        return std::pair(2.0 * t - 1.0, std::sin(2 * pi * periods * t));
    };
    return make(std::move(set), config);
}

}  // namespace

const SourceDescription& spirals() {
    static const SourceDescription description{
        .type = "spirals",
        .title = "Spirals",
        .doc = "Points (x, y) on arms that wind into one another: which arm? Two or more classes",
        .params = {count_param(),
                   {.key = "classes",
                    .type = layers::ParamType::integer,
                    .default_value = 3,
                    .doc = "Number of arms, each a class",
                    .minimum = 2,
                    .maximum = 100},
                   {.key = "turns",
                    .type = layers::ParamType::number,
                    .default_value = 1.0,
                    .doc = "Turns of an arm from the middle to its end",
                    .minimum = 0,
                    .maximum = 20},
                   noise_param(0.03),
                   seed_param()},
        .open = open_spirals};
    return description;
}

const SourceDescription& moons() {
    static const SourceDescription description{
        .type = "moons",
        .title = "Two moons",
        .doc = "Points (x, y) on two half circles that grip into one another: which one?",
        .params = {count_param(), noise_param(0.1), seed_param()},
        .open = open_moons};
    return description;
}

const SourceDescription& circles() {
    static const SourceDescription description{
        .type = "circles",
        .title = "Two circles",
        .doc = "Points (x, y) on a circle within a circle: which one?",
        .params = {count_param(),
                   {.key = "factor",
                    .type = layers::ParamType::number,
                    .default_value = 0.5,
                    .doc = "Radius of the inner circle, where the outer one has 1",
                    .minimum = 0,
                    .maximum = 1,
                    .exclusive_maximum = true},
                   noise_param(0.05),
                   seed_param()},
        .open = open_circles};
    return description;
}

const SourceDescription& noisy_sine() {
    static const SourceDescription description{
        .type = "noisy_sine",
        .title = "Noisy sine",
        .doc = "Regression: y of a sine wave with noise, from x between -1 and 1",
        .params = {count_param(),
                   {.key = "periods",
                    .type = layers::ParamType::number,
                    .default_value = 1.0,
                    .doc = "Periods of the wave between x = -1 and x = 1",
                    .minimum = 0,
                    .maximum = 100,
                    .exclusive_minimum = true},
                   noise_param(0.1),
                   seed_param()},
        .open = open_noisy_sine};
    return description;
}

}  // namespace strata::data
