#include "engine/parallel/pace.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "engine/graph/training_now.h"
#include "engine/parallel/progress.h"
#include "engine/parallel/workers.h"

namespace strata::parallel {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int pieces = 120, pieces_alone = 9;  // alone, as often as an op is measured
constexpr double piece_seconds = 5e-4;
constexpr std::size_t floats = std::size_t{1} << 15;  // two arrays of 128 KiB
constexpr std::size_t close = floats / 16;            // of them a part in the first-level cache
constexpr int rounds_close = 16;                      // over it, to one over all

// Half of it waits for the caches, half of it for the core.
class Load {
public:
    Load() : x_(floats, 1.0F), y_(floats, 0.5F) {}

    double run(int rounds) {
        const auto begin = Clock::now();
        for (int round = 0; round < rounds; ++round) {
            add(floats);
            for (int k = 0; k < rounds_close; ++k) add(close);
        }
        return std::chrono::duration<double>(Clock::now() - begin).count();
    }

private:
    void add(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) y_[i] = 0.5F * y_[i] + 0.25F * x_[i];
    }

    std::vector<float> x_, y_;
};

double quickest_of_some(Load& load, int rounds) {
    double best = load.run(rounds);
    for (int k = 1; k < pieces_alone; ++k) best = std::min(best, load.run(rounds));
    return best;
}

// As devices are: one alone runs anywhere, several have cores of their own.
std::vector<std::vector<int>> cores_of(int count) {
    if (count == 1) return {{}};
    const std::vector<int> usable = usable_cores();
    std::vector<std::vector<int>> cores(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < cores.size(); ++i) cores[i] = {usable[i]};
    return cores;
}

std::unique_ptr<Pace> measure(int count) {
    std::vector<std::vector<double>> measured(static_cast<std::size_t>(count));
    Workers workers(cores_of(count));
    Progress alone(1);
    alone.begin();
    int rounds = 1;
    double quickest = 0.0;
    workers.run(
        [&](int i) {
            Load load;
            std::vector<double>& own = measured[static_cast<std::size_t>(i)];
            own.reserve(pieces);
            if (i == 0) {
                const double one = quickest_of_some(load, 1);
                rounds = std::max(1, static_cast<int>(std::lround(piece_seconds / one)));
                quickest = quickest_of_some(load, rounds);
                alone.advance(0, false);
            }
            if (!alone.wait(0, false, 1)) return;
            for (int k = 0; k < pieces; ++k) own.push_back(load.run(rounds));
        },
        [&] { alone.fail(); });
    return std::make_unique<Pace>(measured, quickest);
}

}  // namespace

Pace::Pace(const std::vector<std::vector<double>>& pieces, double quickest) : quickest_(quickest) {
    for (const std::vector<double>& own : pieces) {
        std::vector<double> sums{0.0};
        for (double seconds : own) sums.push_back(sums.back() + seconds);
        sums_.push_back(std::move(sums));
    }
}

double Pace::slowdown(double seconds) const {
    const std::size_t count = sums_.front().size() - 1;
    const auto wanted = static_cast<std::size_t>(std::max(1.0, std::round(seconds / quickest_)));
    const std::size_t length = std::min(wanted, count);
    std::vector<double> times;  // of all windows of so many pieces
    for (std::size_t begin = 0; begin + length <= count; ++begin) {
        double longest = 0.0;
        for (const std::vector<double>& sums : sums_)
            longest = std::max(longest, sums[begin + length] - sums[begin]);
        times.push_back(longest);
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return std::max(1.0, *middle / (quickest_ * static_cast<double>(length)));
}

const Pace& measured_pace(int cores) {
    static graph::Measurements<int, Pace> known;
    const int count = std::clamp(cores, 1, static_cast<int>(usable_cores().size()));
    return known.of(count, [count] { return measure(count); });
}

}  // namespace strata::parallel
