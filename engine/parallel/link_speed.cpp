#include "engine/parallel/link_speed.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <vector>

#include "engine/graph/training_now.h"
#include "engine/parallel/gpu_link_speed.h"
#include "engine/parallel/local_group.h"
#include "engine/parallel/progress.h"
#include "engine/parallel/short_wait.h"
#include "engine/parallel/workers.h"

namespace strata::parallel {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t copied_floats = std::size_t{1} << 18;  // 1 MiB: larger than what caches keep
constexpr std::size_t small_floats = 16;
constexpr int signals = 20, rounds = 12, exchanges = 200;
constexpr double asleep_after = 2.0 * std::chrono::duration<double>(short_wait).count();

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::vector<std::vector<int>> cores_for(int devices) {
    const std::vector<int> usable = usable_cores();
    std::vector<std::vector<int>> cores(static_cast<std::size_t>(devices));
    for (std::size_t i = 0; i < cores.size() && usable.size() >= cores.size(); ++i)
        cores[i] = {usable[i]};
    return cores;
}

// From one thread to another that has gone to sleep, as it does where a stage waits for another: by
// what they tell each other, the quickest of some; and how long that keeps the one who tells.
void measure_signals(Workers& workers, LinkSpeed& speed) {
    Progress progress(2);
    progress.begin();
    std::vector<Clock::time_point> told(signals + 1);
    double best = std::numeric_limits<double>::infinity();
    std::vector<double> telling;
    workers.run(
        [&](int i) {
            if (i > 1) return;
            for (int k = 1; k <= signals; ++k) {
                if (i == 1) {
                    progress.wait(0, false, k);
                    best = std::min(best, seconds_since(told[static_cast<std::size_t>(k)]));
                    progress.advance(1, false);
                    continue;
                }
                const auto begin = Clock::now();
                while (seconds_since(begin) < asleep_after) {
                }
                told[static_cast<std::size_t>(k)] = Clock::now();
                progress.advance(0, false);
                telling.push_back(seconds_since(told[static_cast<std::size_t>(k)]));
                progress.wait(1, false, k);
            }
        },
        [&] { progress.fail(); });
    speed.copy.latency = best;
    // The quickest found the other one awake, and what else the machine does only adds.
    std::nth_element(telling.begin(), telling.begin() + signals / 4, telling.end());
    speed.telling = telling[signals / 4];
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// To and fro, between threads that do nothing else.
void measure_awake(Workers& workers, LinkSpeed& speed) {
    Progress progress(2);
    progress.begin();
    std::vector<double> seconds;
    workers.run(
        [&](int i) {
            if (i > 1) return;
            for (int k = 1; k <= exchanges; ++k) {
                const auto begin = Clock::now();
                if (i == 1) progress.wait(0, false, k);
                progress.advance(i, false);
                if (i == 0) progress.wait(1, false, k);
                if (i == 0) seconds.push_back(0.5 * seconds_since(begin));
            }
        },
        [&] { progress.fail(); });
    speed.awake = median(std::move(seconds));
}

// Orders without work, as often as a training gives them.
void measure_orders(Workers& workers, LinkSpeed& speed) {
    std::vector<double> seconds;
    for (int k = 0; k < exchanges; ++k) {
        const auto begin = Clock::now();
        workers.run([](int) {}, [] {});
        seconds.push_back(seconds_since(begin));
    }
    speed.order = median(std::move(seconds));
}

// Into memory that the other thread has just read, seconds for all copied_floats.
double copy_seconds(Workers& workers) {
    std::vector<float> from(copied_floats, 1.0F), to(copied_floats, 0.0F);
    Progress progress(2);
    progress.begin();
    double best = std::numeric_limits<double>::infinity();
    float read = 0.0F;
    workers.run(
        [&](int i) {
            if (i > 1) return;
            for (int k = 1; k <= rounds; ++k) {
                if (i == 1) {
                    progress.wait(0, false, k);
                    for (float value : to) read += value;
                    progress.advance(1, false);
                    continue;
                }
                std::fill(from.begin(), from.end(), static_cast<float>(k));
                const auto begin = Clock::now();
                std::copy(from.begin(), from.end(), to.begin());
                best = std::min(best, seconds_since(begin));
                progress.advance(0, false);
                progress.wait(1, false, k);
            }
        },
        [&] { progress.fail(); });
    return read > 0.0F ? best : std::numeric_limits<double>::infinity();
}

double all_reduce_of(std::size_t floats, Workers& workers) {
    LocalGroup group(workers.count());
    std::vector<std::vector<float>> data(static_cast<std::size_t>(workers.count()),
                                         std::vector<float>(floats, 0.5F));
    double best = std::numeric_limits<double>::infinity();
    workers.run(
        [&](int i) {
            auto& own = data[static_cast<std::size_t>(i)];
            for (int k = 0; k < rounds; ++k) {
                std::fill(own.begin(), own.end(), 0.5F);
                group.rank(i).barrier();
                const auto begin = Clock::now();
                group.rank(i).all_reduce(std::span(own));
                if (i == 0) best = std::min(best, seconds_since(begin));
            }
        },
        [&] { group.rank(0).fail("the measurement has ended"); });
    return best;
}

LinkSpeed measure(int devices) {
    Workers workers(cores_for(std::max(devices, 2)));
    LinkSpeed speed;
    measure_signals(workers, speed);
    measure_awake(workers, speed);
    measure_orders(workers, speed);
    speed.copy.bytes_per_s =
        static_cast<double>(copied_floats * sizeof(float)) / copy_seconds(workers);
    const auto n = static_cast<double>(workers.count());
    const double small = all_reduce_of(small_floats, workers);
    const double large = all_reduce_of(copied_floats, workers);
    // The formula, turned round: 2(n-1) messages, and 2(n-1)/n of the bytes.
    speed.sum.latency = small / (2.0 * (n - 1.0));
    speed.sum.bytes_per_s = 2.0 * (n - 1.0) / n *
                            static_cast<double>(copied_floats * sizeof(float)) /
                            std::max(large - small, 0.1 * large);
    return speed;
}

}  // namespace

const LinkSpeed& measured_links(int devices) {
    static graph::Measurements<int, LinkSpeed> known;
    return known.of(devices, [devices] { return std::make_unique<LinkSpeed>(measure(devices)); });
}

const LinkSpeed& measured_links(const std::vector<std::string>& devices) {
    static graph::Measurements<std::vector<std::string>, LinkSpeed> known;
    const bool gpus = std::none_of(devices.begin(), devices.end(),
                                   [](const std::string& id) { return id.starts_with("cpu"); });
    if (!gpus || devices.size() < 2) return measured_links(static_cast<int>(devices.size()));
    return known.of(devices,
                    [&] { return std::make_unique<LinkSpeed>(measure_gpu_links(devices)); });
}

}  // namespace strata::parallel
