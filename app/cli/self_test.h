// What a person sees of the self-test: a line for each check as soon as it is done, and the count.
#pragma once

#include <string>
#include <vector>

namespace strata::cli {

struct SelfTestOptions {
    std::vector<std::string> devices;  // empty: the first GPU, or cpu:0
    std::vector<std::string> parts;    // empty: all
    bool strict = false;
};

std::string part_names();  // "layers, losses, ..."

// The exit code: 0 where nothing failed. Throws Error where a device cannot be opened.
int run_self_test(const SelfTestOptions& options, bool json);

}  // namespace strata::cli
