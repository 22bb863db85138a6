// Metrics against Keras (tests/references/metrics.json), and how "accuracy" chooses its kind.
#include "engine/metrics/metric.h"

#include "engine/losses/loss.h"
#include "tests/engine/core/reference.h"
#include "tests/engine/layers/error_of.h"
#include "tests/engine/ops/op_runner.h"

namespace strata::metrics {
namespace {

using testing::error_of;
using testing::flat;
using testing::OpRunner;
using Kind = ops::AccuracyKind;

std::string loss_for(const std::string& metric) {
    if (metric == "sparse_categorical_accuracy") return "sparse_categorical_crossentropy";
    return metric == "categorical_accuracy" ? "categorical_crossentropy" : "binary_crossentropy";
}

ops::Accuracy accuracy_of(const MetricDescription& metric, const std::string& loss,
                          const Shape& output, bool on_logits = false) {
    return std::get<ops::Accuracy>(metric.op(loss, output, on_logits));
}

TEST(Metrics, ResultsAreKerass) {
    const Json cases = testing::read_reference("metrics.json");
    ASSERT_GE(cases.size(), 9U);
    for (const Json& entry : cases) {
        SCOPED_TRACE(entry.at("name").get<std::string>());
        const auto name = entry.at("identifier").get<std::string>();
        double count = 0.0, rows = 0.0;
        for (const Json& batch : entry.at("batches")) {
            const auto predictions = flat<float>(batch.at("predictions"));
            const std::int64_t columns = testing::shape_of_list(batch.at("predictions"))[-1];
            const Shape shape{static_cast<std::int64_t>(predictions.size()) / columns, columns};
            ops::Accuracy op = accuracy_of(find_metric(name), loss_for(name), Shape{columns});
            if (entry.at("config").contains("threshold"))
                op.threshold = entry.at("config").at("threshold").get<float>();
            const bool sparse = op.kind == Kind::sparse_categorical;
            OpRunner runner;
            const auto p = runner.add(shape);
            const auto t = sparse ? runner.add(Shape{shape[0]}, DType::int32) : runner.add(shape);
            const auto right = runner.add(Shape{}, DType::float64);
            runner.compile(op, {p, t}, {right});
            runner.set(p, predictions);
            if (sparse)
                runner.set(t, flat<std::int32_t>(batch.at("targets")));
            else
                runner.set(t, flat<float>(batch.at("targets")));
            runner.run();
            count += runner.get<double>(right)[0];
            rows += static_cast<double>(shape[0]);
            EXPECT_NEAR(count / rows, batch.at("result").get<double>(), 1e-7);
        }
    }
}

TEST(Metrics, AccuracyChoosesTheKindAsKerasDoes) {
    const MetricDescription& accuracy = find_metric("accuracy");
    EXPECT_EQ(&find_metric("acc"), &accuracy);
    EXPECT_EQ(accuracy_of(accuracy, "sparse_categorical_crossentropy", {10}).kind,
              Kind::sparse_categorical);
    EXPECT_EQ(accuracy_of(accuracy, "categorical_crossentropy", {10}).kind, Kind::categorical);
    EXPECT_EQ(accuracy_of(accuracy, "binary_crossentropy", {1}).kind, Kind::binary);
    EXPECT_EQ(accuracy_of(accuracy, "mean_squared_error", {3}).kind, Kind::categorical);
    EXPECT_EQ(accuracy_of(accuracy, "binary_crossentropy", {1}, false).threshold, 0.5F);
    EXPECT_EQ(accuracy_of(accuracy, "binary_crossentropy", {1}, true).threshold, 0.0F);
}

TEST(Metrics, RefuseWhatHasNoMeaning) {
    const auto refuses = [](const char* metric, const char* loss, const Shape& output,
                            bool on_logits) {
        const Error error = error_of([&] { find_metric(metric).op(loss, output, on_logits); });
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << metric;
        EXPECT_EQ(error.where(), "metrics");
        EXPECT_FALSE(error.hint().empty());
    };
    refuses("sparse_categorical_accuracy", "categorical_crossentropy", {10}, false);
    refuses("categorical_accuracy", "sparse_categorical_crossentropy", {10}, false);
    refuses("binary_accuracy", "sparse_categorical_crossentropy", {10}, false);
    refuses("binary_accuracy", "categorical_crossentropy", {10}, true);
    refuses("categorical_accuracy", "mean_squared_error", {4, 4, 3}, false);
    const Error error = error_of([] { find_metric("acuracy"); });
    EXPECT_NE(error.hint().find("accuracy"), std::string::npos) << error.hint();
}

}  // namespace
}  // namespace strata::metrics
