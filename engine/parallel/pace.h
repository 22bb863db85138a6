// How much longer work takes on cores that are all busy, and beside what else the machine does,
// than the quickest of some tries alone: measured once for each number of cores, in less than a
// tenth of a second. Used by the planner; no part of training.
#pragma once

#include <vector>

namespace strata::parallel {

class Pace {
public:
    // pieces: seconds of equal pieces of work in a row, of each core, all of them at a time, as
    // many of each. quickest: of one piece alone, seconds.
    Pace(const std::vector<std::vector<double>>& pieces, double quickest);

    // The factor for work that takes each core so many seconds at its quickest and ends when the
    // last core is done: the median over what was measured, at least 1.
    double slowdown(double seconds) const;

private:
    std::vector<std::vector<double>> sums_;  // of the pieces before each, of each core
    double quickest_;
};

// Of so many cores of this process, from 1 to all; more count as all. What is measured while the
// process trains counts for that long only. Thread-safe; the answer lives to the end.
const Pace& measured_pace(int cores);

}  // namespace strata::parallel
