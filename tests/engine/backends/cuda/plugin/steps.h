// The self-test's steps on the CPU and on the emulated plug-in, with a failure of the test where
// they are apart.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/selftest/steps.h"
#include "tests/engine/graph/models.h"

namespace strata::graph::testing {

using selftest::History;
using selftest::precisions;
using selftest::Problem;
using selftest::problem_for;
using selftest::Steps;
using selftest::tolerance_of;

inline History history_on(const std::string& device, const Model& model, const TrainingSetup& setup,
                          const Steps& steps) {
    ExecutorOptions options = options_of(steps.batch);
    options.device = device;
    options.device_options.threads = device.starts_with("cpu") ? 1 : 0;
    return selftest::history_on(options, model, setup, steps);
}

inline void expect_near(const selftest::Difference& found) {
    EXPECT_TRUE(found.near()) << found.what << ": " << found.error << ", " << found.share
                              << " times what is allowed";
}

inline void expect_near(const std::vector<HostTensor>& cuda, const std::vector<HostTensor>& cpu,
                        double tolerance) {
    expect_near(selftest::difference(cuda, cpu, tolerance, "value"));
}

inline void expect_same_on_both(const Model& model, const TrainingSetup& setup,
                                const Steps& steps = {}) {
    expect_near(selftest::difference(history_on("cuda:0", model, setup, steps),
                                     history_on("cpu:0", model, setup, steps),
                                     tolerance_of(setup.precision), steps.batch));
}

}  // namespace strata::graph::testing
