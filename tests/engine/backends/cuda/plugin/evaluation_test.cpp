// An evaluation on the emulated GPU: the sums of batch by batch, the host one batch ahead of the
// device, and nothing left in the way of what follows, however it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>

#include "engine/graph/runtime.h"
#include "engine/train/evaluation.h"
#include "tests/engine/backends/cuda/plugin/counts.h"
#include "tests/engine/backends/cuda/plugin/plugin.h"
#include "tests/engine/core/error_of.h"
#include "tests/engine/graph/models.h"

namespace strata::train {
namespace {

using cuda_emulator::Counts;
using graph::Executor;
using graph::testing::layer;
using strata::testing::error_of;
using test::operator-;
using test::emulated_counts;
using ::testing::HasSubstr;

constexpr std::int64_t classes = 3, pixels = 36;

// Samples that differ, and one that cannot be read where a test wants it.
class Samples final : public data::Source {
public:
    explicit Samples(std::int64_t count, std::int64_t unreadable = -1)
        : count_(count), unreadable_(unreadable) {}
    std::int64_t size() const override { return count_; }
    const Shape& sample_shape() const override { return shape_; }
    DType sample_dtype() const override { return DType::uint8; }
    std::int64_t classes() const override { return train::classes; }
    const std::vector<std::string>& class_names() const override { return names_; }
    std::string description() const override { return "samples of a test"; }
    std::size_t memory_bytes() const override { return 0; }
    void read(const std::int64_t* indices, std::int64_t n, void* out,
              std::int32_t* labels) const override {
        auto* bytes = static_cast<std::uint8_t*>(out);
        for (std::int64_t i = 0; i < n; ++i) {
            const std::int64_t row = indices[i];
            if (row == unreadable_) throw Error(ErrorCode::io, "a damaged sample", "samples");
            for (std::int64_t k = 0; k < pixels; ++k)
                *bytes++ = static_cast<std::uint8_t>((37 * row + 11 * k + row * k) % 251);
            labels[i] = static_cast<std::int32_t>(row * row % train::classes);
        }
    }

private:
    std::int64_t count_, unreadable_;
    Shape shape_{6, 6, 1};
    std::vector<std::string> names_;
};

// A model, data for it, and what goes through them.
class Trial {
public:
    Trial(const std::string& device, std::int64_t batch, std::shared_ptr<const Samples> samples,
          const std::string& loss = "sparse_categorical_crossentropy", bool training = true)
        : source(std::move(samples)),
          setup(graph::testing::setup_of("Adam", Json::object(), loss)) {
        graph::ExecutorOptions options = graph::testing::options_of(batch, DType::uint8);
        options.device = device;
        options.device_options.threads = device == "cpu:0" ? 1 : 0;
        options.other_batches = {source->size() % batch};
        options.training = training;
        const graph::Model model = graph::testing::model_of(
            {layer("input", "InputLayer", {{"shape", {6, 6, 1}}}), layer("rescaling", "Rescaling"),
             layer("conv", "Conv2D", {{"filters", 3}, {"kernel_size", 3}, {"activation", "relu"}}),
             layer("norm", "BatchNormalization"), layer("flatten", "Flatten"),
             layer("output", "Dense", {{"units", classes}, {"activation", "softmax"}})});
        executor = std::make_unique<Executor>(model, &setup, options);
        executor->initialize(3);
        batch_size = batch;
        use(source);
    }

    void use(const std::shared_ptr<const Samples>& samples) {
        std::vector<std::int64_t> rows(static_cast<std::size_t>(samples->size()));
        std::iota(rows.begin(), rows.end(), 0);
        data::PipelineOptions options;
        options.batch_size = batch_size;
        options.shuffle = false;
        pipeline = std::make_unique<data::Pipeline>(samples, rows, options);
        targets = std::make_unique<TargetEncoder>(*setup.loss, Shape{classes}, *samples, "samples");
    }

    Evaluation evaluate(const std::function<bool()>& keep_going = {}) {
        World alone;
        return train::evaluate(*executor, *pipeline, *targets, {"accuracy"}, alone, keep_going);
    }

    // A batch's result before the next is asked for.
    Evaluation evaluate_in_turn() {
        double loss = 0.0, right = 0.0;
        Evaluation result;
        pipeline->start_epoch(0);
        while (const data::Batch* batch = pipeline->next()) {
            const graph::BatchResult part =
                executor->evaluate(batch->samples.data(), targets->encode(*batch), batch->size);
            loss += part.loss_sum;
            right += part.metric_sums.at(0);
            result.samples += batch->size;
        }
        result.loss = loss / static_cast<double>(result.samples);
        result.metrics["accuracy"] = right / static_cast<double>(result.samples);
        return result;
    }

    static ops::StepScalars scalars(int step) {
        ops::StepScalars scalars = graph::testing::scalars_of(0.01F, step + 1);
        scalars.step = static_cast<std::uint32_t>(step);
        scalars.last_in_window = true;
        return scalars;
    }
    // Begins to take the first batch to the device.
    void stage() {
        pipeline->start_epoch(0);
        const data::Batch* batch = pipeline->next();
        executor->stage(batch->samples.data(), targets->encode(*batch), batch->size);
    }
    void step_on_staged(int step) {
        executor->accumulate(nullptr, nullptr, batch_size, scalars(step));
        executor->update(batch_size, scalars(step));
    }

    std::shared_ptr<const Samples> source;
    graph::TrainingSetup setup;
    std::unique_ptr<Executor> executor;
    std::unique_ptr<data::Pipeline> pipeline;
    std::unique_ptr<TargetEncoder> targets;
    std::int64_t batch_size = 0;
};

void expect_equal(const Evaluation& a, const Evaluation& b) {
    EXPECT_EQ(a.loss, b.loss);
    EXPECT_EQ(a.metrics, b.metrics);
    EXPECT_EQ(a.samples, b.samples);
}

class EvaluationOnCuda : public ::testing::Test {
protected:
    void SetUp() override {
        test::use_emulated_plugin();
        ASSERT_NO_THROW(graph::runtime().open("cuda:0", {}));
    }
    static std::shared_ptr<const Samples> samples(std::int64_t count) {
        return std::make_shared<Samples>(count);
    }
};

TEST_F(EvaluationOnCuda, GivesTheSumsOfBatchByBatchAndOfTheCpu) {
    const auto source = samples(21);
    for (const char* loss : {"sparse_categorical_crossentropy", "categorical_crossentropy"})
        for (const std::int64_t batch : {1, 5, 7, 8, 20, 21, 32})
            for (const bool training : {true, false}) {
                SCOPED_TRACE(std::string(loss) + ", batches of " + std::to_string(batch));
                Trial gpu("cuda:0", batch, source, loss, training);
                Trial cpu("cpu:0", batch, source, loss, training);
                const Evaluation expected = gpu.evaluate_in_turn();
                // As single ops, while its passes are recorded, and as graphs.
                for (int i = 0; i < 3; ++i) expect_equal(gpu.evaluate(), expected);
                const Evaluation on_cpu = cpu.evaluate();
                expect_equal(on_cpu, cpu.evaluate_in_turn());
                EXPECT_NEAR(expected.loss, on_cpu.loss, 1e-5);
                EXPECT_EQ(expected.metrics, on_cpu.metrics);
                EXPECT_EQ(expected.samples, 21);
            }
}

TEST_F(EvaluationOnCuda, AsksForTheNextBatchBeforeItWaitsForTheOneBefore) {
    for (const bool training : {true, false}) {
        Trial trial("cuda:0", 4, samples(22), "sparse_categorical_crossentropy", training);
        trial.evaluate();
        trial.evaluate();
        const Counts before = emulated_counts();
        std::vector<std::uint64_t> waits;  // when it is asked whether to begin a batch
        trial.evaluate([&] {
            waits.push_back((emulated_counts() - before).waits);
            return true;
        });
        EXPECT_EQ(waits, (std::vector<std::uint64_t>{0, 0, 1, 2, 3, 4}));
        const Counts all = emulated_counts() - before;
        EXPECT_EQ(all.waits, 6U) << "one for each batch's results";
        EXPECT_EQ(all.allocations, 0U);
    }
}

TEST_F(EvaluationOnCuda, AStopBetweenBatchesIsNotInTheWayOfTheNextStep) {
    std::vector<std::vector<graph::HostTensor>> states;
    for (const int batches : {-1, 0, 1, 2, 3}) {
        Trial trial("cuda:0", 4, samples(14));
        for (int step = 0; step < 4; ++step) {
            trial.stage();
            trial.step_on_staged(step);
            if (batches < 0) continue;
            int asked = 0;
            const Evaluation result = trial.evaluate([&] { return asked++ < batches; });
            EXPECT_EQ(result.samples, 4 * batches);
            EXPECT_EQ(result.loss > 0.0, batches > 0);
            EXPECT_EQ(error_of([&] { trial.executor->finish_evaluate(); }).code(),
                      ErrorCode::internal)
                << "nothing is under way";
        }
        states.push_back(trial.executor->snapshot(true));
    }
    for (std::size_t i = 1; i < states.size(); ++i)
        for (std::size_t k = 0; k < states[0].size(); ++k)
            EXPECT_EQ(states[i][k].values, states[0][k].values)
                << states[0][k].layer << "/" << states[0][k].role << " " << i;
}

TEST_F(EvaluationOnCuda, ABatchThatIsStagedForTrainingStaysStaged) {
    std::vector<std::vector<graph::HostTensor>> states;
    std::vector<Evaluation> evaluations;
    for (const bool before : {true, false}) {
        Trial trial("cuda:0", 4, samples(14));
        if (before) evaluations.push_back(trial.evaluate());
        trial.stage();
        if (!before) evaluations.push_back(trial.evaluate());
        trial.step_on_staged(0);
        states.push_back(trial.executor->snapshot(true));
    }
    expect_equal(evaluations[0], evaluations[1]);
    for (std::size_t k = 0; k < states[0].size(); ++k)
        EXPECT_EQ(states[0][k].values, states[1][k].values);
}

TEST_F(EvaluationOnCuda, ASampleThatCannotBeReadEndsItAndTheNextIsWhole) {
    Trial trial("cuda:0", 4, samples(14));
    const Evaluation expected = trial.evaluate();
    trial.use(std::make_shared<Samples>(14, 9));
    const Error error = error_of([&] { trial.evaluate(); });
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_EQ(error.message(), "a damaged sample");
    trial.use(trial.source);
    expect_equal(trial.evaluate(), expected);
    EXPECT_EQ(error_of([&] {
                  trial.evaluate([]() -> bool { throw Error(ErrorCode::io, "no"); });
              }).message(),
              "no");
    expect_equal(trial.evaluate(), expected);
}

// Of the second batch: the first is under way.
TEST_F(EvaluationOnCuda, ALaunchThatFailsEndsItAndTheNextIsWhole) {
    const test::Setting off("STRATA_CUDA_GRAPHS", "0");
    Trial trial("cuda:0", 4, samples(14));
    const Evaluation expected = trial.evaluate();
    int asked = 0;
    const Error error = error_of([&] {
        trial.evaluate([&] {
            if (asked++ == 1) test::order_failure(0, cudaErrorInvalidConfiguration, true);
            return true;
        });
    });
    EXPECT_THAT(error.message(), HasSubstr("layer '"));
    EXPECT_EQ(asked, 2);
    expect_equal(trial.evaluate(), expected);
}

// The device finds it later than the host a fault of its own: the device's batch came first.
TEST_F(EvaluationOnCuda, AFaultBesideTheHostIsToldBeforeThoseThatCameAfterIt) {
    Trial trial("cuda:0", 4, samples(14));
    trial.evaluate();
    trial.evaluate();
    int asked = 0;
    const Error error = error_of([&] {
        trial.evaluate([&] {
            if (asked++ == 1) throw Error(ErrorCode::io, "a fault of the host");
            test::order_failure(0, cudaErrorIllegalAddress, false);
            return true;
        });
    });
    EXPECT_THAT(error.message(), HasSubstr("an illegal memory access"));
    EXPECT_THAT(error.hint(), HasSubstr("CUDA_LAUNCH_BLOCKING=1"));
    EXPECT_EQ(error_of([&] { trial.executor->finish_evaluate(); }).code(), ErrorCode::internal);
}

TEST_F(EvaluationOnCuda, TwoMayBeUnderWayAndOtherPassesBetweenThem) {
    Trial trial("cuda:0", 7, samples(21));
    std::vector<std::vector<std::byte>> inputs;
    std::vector<std::vector<std::int32_t>> labels;
    std::vector<graph::BatchResult> expected;
    trial.pipeline->start_epoch(0);
    while (const data::Batch* batch = trial.pipeline->next()) {
        inputs.push_back(batch->samples);
        labels.push_back(batch->labels);
        expected.push_back(
            trial.executor->evaluate(batch->samples.data(), batch->labels.data(), batch->size));
    }
    const auto begin = [&](std::size_t i) {
        trial.executor->begin_evaluate(inputs[i].data(), labels[i].data(), 7);
    };
    const auto expect_next = [&](std::size_t i) {
        const graph::BatchResult& result = trial.executor->finish_evaluate();
        EXPECT_EQ(result.loss_sum, expected[i].loss_sum) << i;
        EXPECT_EQ(result.metric_sums, expected[i].metric_sums) << i;
    };
    std::vector<float> outputs(7 * classes), again(7 * classes);
    trial.executor->predict(inputs[2].data(), 7, outputs.data());
    begin(0);
    begin(1);
    EXPECT_EQ(error_of([&] { begin(2); }).code(), ErrorCode::internal);
    EXPECT_EQ(
        error_of([&] { trial.executor->evaluate(inputs[0].data(), labels[0].data(), 7); }).code(),
        ErrorCode::internal);
    trial.executor->predict(inputs[2].data(), 7, again.data());
    EXPECT_EQ(again, outputs);
    expect_next(0);
    begin(2);
    expect_next(1);
    expect_next(2);
    begin(1);  // and is left: the executor goes while the device works
}

}  // namespace
}  // namespace strata::train
