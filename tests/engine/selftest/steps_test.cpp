// The self-test's measure: what counts as the same, and what never does.
#include "engine/selftest/steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/selftest/cases.h"
#include "engine/selftest/self_test.h"
#include "engine/selftest/stopwatch.h"

namespace strata::selftest {
namespace {

graph::HostTensor tensor(const std::string& layer, const Shape& shape,
                         const std::vector<float>& values) {
    return {layer, "kernel", "", shape, values};
}

double share(const std::vector<float>& a, const std::vector<float>& b) {
    const auto count = static_cast<std::int64_t>(a.size());
    return difference({tensor("x", {1, count}, a)}, {tensor("x", {1, count}, b)}, 0.01, "gradient")
        .share;
}

TEST(SelfTestDifference, IsAShareOfATensorsLength) {
    EXPECT_EQ(share({3.0F, 4.0F}, {3.0F, 4.0F}), 0.0);
    EXPECT_NEAR(share({3.0F, 4.05F}, {3.0F, 4.0F}), 1.0, 1e-4);  // 0.05 of 5, and 1 % is allowed
    EXPECT_GT(share({3.0F, 4.06F}, {3.0F, 4.0F}), 1.0);
    EXPECT_EQ(share({0.0F, 0.0F}, {0.0F, 0.0F}), 0.0);
    EXPECT_GT(share({0.0F, 1e-20F}, {0.0F, 0.0F}), 1.0) << "nothing is no measure for something";
}

TEST(SelfTestDifference, ANumberThatIsNoneOnOneSideIsFar) {
    const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
    EXPECT_GT(share({nan, 4.0F}, {3.0F, 4.0F}), 1.0);
    EXPECT_GT(share({inf, 4.0F}, {3.0F, 4.0F}), 1.0);
    graph::BatchResult a, b;
    b.loss_sum = 1.0;
    a.loss_sum = std::nan("");
    EXPECT_FALSE(difference(a, b, 0.01, 4).near());
    b.loss_sum = a.loss_sum;
    EXPECT_TRUE(difference(a, b, 0.01, 4).near()) << "both overflow";
    b.applied = false;
    EXPECT_FALSE(difference(a, b, 0.01, 4).near());
}

TEST(SelfTestDifference, TheWorstTensorIsNamed) {
    const std::vector<graph::HostTensor> cpu{tensor("a", {2}, {1.0F, 1.0F}),
                                             tensor("b", {2}, {1.0F, 1.0F})};
    const std::vector<graph::HostTensor> own{tensor("a", {2}, {1.0F, 1.0F}),
                                             tensor("b", {2}, {1.0F, 2.0F})};
    const Difference found = difference(own, cpu, 0.01, "gradient");
    EXPECT_EQ(found.what, "gradient of b/kernel");
    EXPECT_FALSE(found.near());
    EXPECT_FALSE(difference({own[0]}, cpu, 0.01, "gradient").near()) << "one is missing";
    EXPECT_FALSE(difference({own[0], tensor("b", {1}, {1.0F})}, cpu, 0.01, "gradient").near());
}

TEST(SelfTestDifference, AMetricMayTieOnlyWhereResultsAreRounded) {
    graph::BatchResult a, b;
    a.metric_sums = {3.0};
    b.metric_sums = {4.0};
    EXPECT_FALSE(difference(a, b, 1e-4, 4).near());
    EXPECT_TRUE(difference(a, b, 1e-2, 4).near());
}

TEST(SelfTestCases, EveryEntryOfTheCataloguesHasSome) {
    for (const layers::LayerDescription* type : computing_layers())
        EXPECT_EQ(cases_of(*type, "float32").size(), type->examples.size()) << type->spec.type;
    for (const losses::LossDescription* loss : losses::catalogue())
        for (const Case& each : cases_of(*loss, "float32"))
            EXPECT_FALSE(each.setup.metrics.empty()) << loss->name << " " << each.name;
    for (const optimizers::OptimizerDescription* type : optimizers::catalogue()) {
        bool found = false;
        for (const Recipe& recipe : recipes()) found = found || recipe.optimizer == type->type;
        EXPECT_TRUE(found) << type->type;
    }
}

TEST(SelfTestRates, AreToldWithTheirPowers) {
    EXPECT_EQ(rate_text(2.314e12, "B"), "2.31 TB/s");
    EXPECT_EQ(rate_text(999.0, "B"), "999 B/s");
    EXPECT_EQ(rate_text(5e15, "FLOP"), "5e+03 TFLOP/s");
    EXPECT_EQ(percent_text(0.934), "93 %");
}

TEST(SelfTestRates, ASizeGrowsUntilItTakesLongEnoughOrThereIsNoRoom) {
    const auto linear = [](double size) { return size * 1e-6; };
    EXPECT_EQ(grow(100, 1e9, 0.01, 4.0, linear).size, 25600.0);
    EXPECT_EQ(grow(100, 1000, 0.01, 4.0, linear).size, 400.0);
    EXPECT_EQ(grow(100, 10, 0.01, 4.0, linear).size, 100.0);
}

TEST(SelfTest, TheCpuPassesItsOwnParts) {
    int lines = 0;
    self_test({{"cpu:0"}, {"losses", "training", "memory"}}, [&](const Line& line) {
        ++lines;
        EXPECT_EQ(line.outcome, Outcome::passed) << line.what << ": " << line.detail;
        EXPECT_EQ(line.device, "cpu:0");
    });
    EXPECT_GE(lines, 4 * 3 + 3 + 4);
}

TEST(SelfTest, TwoDevicesOfTheCpuCopyToEachOther) {
    std::vector<std::string> what;
    self_test({{"cpu:0", "cpu:1"}, {"together"}}, [&](const Line& line) {
        what.push_back(line.what);
        EXPECT_NE(line.outcome, Outcome::failed) << line.detail;
    });
    EXPECT_EQ(what, (std::vector<std::string>{"copy from cpu:0 to cpu:1",
                                              "copy from cpu:1 to cpu:0", "sum over all devices"}));
}

TEST(SelfTest, RefusesWhatItDoesNotKnowBeforeItBegins) {
    const auto none = [](const Line&) { ADD_FAILURE(); };
    EXPECT_THROW(self_test({{"cpu:0"}, {"colour"}}, none), Error);
    EXPECT_THROW(self_test({{"tpu:0"}, {}}, none), Error);
    EXPECT_THROW(self_test({{"cpu:0", "cpu:0"}, {}}, none), Error);
}

}  // namespace
}  // namespace strata::selftest
