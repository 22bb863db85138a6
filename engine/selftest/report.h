// What the self-test tells: one line for each thing that it looked at, as soon as it is known.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace strata::selftest {

enum class Outcome {
    passed,
    failed,
    slow,  // right, but below the share of the device's own speed that is wanted
    told   // measured, with nothing to compare it with
};
const char* name_of(Outcome outcome);  // "pass", "FAIL", "slow", "-"

// Of the device's own copies and products, that its kernels and layers should reach.
inline constexpr double wanted_share = 0.85;

struct Line {
    std::string device;     // "cuda:0"
    std::string group;      // one of group_names()
    std::string what;       // "Conv2D", "copy to the device"
    std::string precision;  // a policy; "" where there is none
    Outcome outcome = Outcome::passed;
    std::string measured;                   // "1.2e-06 of 1.0e-04", "2.1 TB/s, 93 % of a copy"
    std::string detail;                     // of what is no pass: what is wrong, and what to do
    std::map<std::string, double> figures;  // the same numbers, for programs
};

using Tell = std::function<void(const Line&)>;

}  // namespace strata::selftest
