// How long queued work takes on a device: by its own events where it has them.
#pragma once

#include <functional>
#include <string>

#include "engine/device/device.h"

namespace strata::selftest {

// Seconds of one work() of many in a row: the quickest of some rounds, for what else the machine
// does only adds.
double seconds_of(device::Device& device, const std::function<void()>& work);

// A size from `least` on, four times as large each time, until one work takes `enough` seconds or
// the next size would be larger than `most`. make: prepares a size and gives its seconds.
struct Sized {
    double size = 0.0, seconds = 0.0;
};
Sized grow(double least, double most, double enough, double factor,
           const std::function<double(double size)>& make);

std::string rate_text(double per_second, const char* unit);  // "2.31 TB/s"
std::string percent_text(double share);                      // "93 %"

}  // namespace strata::selftest
