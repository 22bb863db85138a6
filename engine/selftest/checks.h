// The groups of the self-test, one function each. Used by self_test alone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/selftest/report.h"

namespace strata::selftest {

// Lines of one device and one group.
class Teller {
public:
    Teller(std::string device, std::string group, const Tell& tell)
        : device_(std::move(device)), group_(std::move(group)), tell_(tell) {}

    const std::string& device() const { return device_; }
    // Fills a line by `check` and tells it; where that throws, the line has failed.
    void line(const std::string& what, const std::string& precision,
              const std::function<void(Line&)>& check) const;

private:
    std::string device_, group_;
    const Tell& tell_;
};

void fail(Line& line, std::string detail);

void check_layers(const Teller& teller);
void check_losses(const Teller& teller);
void check_optimizers(const Teller& teller);
void check_training(const Teller& teller);
void check_memory(const Teller& teller);
void check_copies(const Teller& teller);
void check_speed(const Teller& teller);
// Of all the devices; teller: of the first.
void check_together(const Teller& teller, const std::vector<std::string>& devices);

}  // namespace strata::selftest
