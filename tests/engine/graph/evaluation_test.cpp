// Evaluations in two halves: begun, and finished in the same order.
#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/graph/executor.h"
#include "tests/engine/core/error_of.h"
#include "tests/engine/core/reference.h"
#include "tests/engine/graph/models.h"

namespace strata::graph::testing {
namespace {

using strata::testing::error_of;
using strata::testing::random_values;

TEST(Executor, FinishesEvaluationsInTheOrderInWhichTheyBegan) {
    const TrainingSetup setup = setup_of();
    Executor executor(branches(), &setup, options_of(6));
    executor.initialize(1);
    const auto x = random_values(6 * 72, 4);
    const auto labels = labels_of(6, 3);
    const auto begin = [&](std::int64_t n) { executor.begin_evaluate(x.data(), labels.data(), n); };
    const BatchResult two = executor.evaluate(x.data(), labels.data(), 2),
                      six = executor.evaluate(x.data(), labels.data(), 6);
    EXPECT_EQ(error_of([&] { executor.finish_evaluate(); }).code(), ErrorCode::internal);
    begin(2);
    EXPECT_EQ(error_of([&] { begin(7); }).where(), "batch");
    begin(6);
    EXPECT_EQ(error_of([&] { begin(2); }).code(), ErrorCode::internal);
    EXPECT_EQ(error_of([&] { executor.evaluate(x.data(), labels.data(), 2); }).code(),
              ErrorCode::internal);
    EXPECT_EQ(executor.finish_evaluate().loss_sum, two.loss_sum);
    begin(2);
    const BatchResult& last = executor.finish_evaluate();
    EXPECT_EQ(last.loss_sum, six.loss_sum);
    EXPECT_EQ(last.metric_sums, six.metric_sums);
    EXPECT_EQ(executor.finish_evaluate().loss_sum, two.loss_sum);
}

}  // namespace
}  // namespace strata::graph::testing
