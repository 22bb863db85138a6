// Plans: memory that is shared only by values that do not live at once, fusions, and what a run
// will hold.
#include "engine/graph/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/core/reference.h"
#include "tests/engine/graph/models.h"

namespace strata::graph {
namespace {

using ops::ValueId;
using testing::options_of;
using testing::setup_of;

Plan plan_of(const Model& model, Mode mode, std::int64_t batch, DType dtype = DType::float32,
             const TrainingSetup& setup = setup_of("Adam")) {
    const ModelReport report = require_valid(model);
    return make_plan(model, report, lay_out_state(model, report, &setup), &setup, mode, batch,
                     dtype);
}

struct Use {
    int first = -1, last = -1;
    bool overlaps(const Use& other) const { return first <= other.last && other.first <= last; }
};

std::vector<Use> uses(const Plan& plan) {
    std::vector<Use> all(plan.program.values.size());
    const auto touch = [&](ValueId id, int at) {
        Use& use = all[static_cast<std::size_t>(plan.program.root(id))];
        use = {use.first < 0 ? at : use.first, at};
    };
    const auto end = static_cast<int>(plan.program.ops.size());
    for (int i = 0; i < end; ++i) {
        for (ValueId id : plan.program.ops[static_cast<std::size_t>(i)].inputs) touch(id, i);
        for (ValueId id : plan.program.ops[static_cast<std::size_t>(i)].outputs) touch(id, i);
    }
    if (plan.mode == Mode::predict) touch(plan.output, end);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (plan.program.values[i].persistent) all[i] = {-1, end};
    return all;
}

void expect_sound(const Plan& plan) {
    const std::vector<Use> all = uses(plan);
    const auto& values = plan.program.values;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i].base != ops::no_value || all[i].last < 0) continue;
        EXPECT_EQ(plan.offsets[i] % device::alignment, 0U) << values[i].name;
        EXPECT_LE(plan.offsets[i] + values[i].bytes(), plan.budget[values[i].category])
            << values[i].name;
        for (std::size_t j = 0; j < i; ++j) {
            if (values[j].base != ops::no_value || values[j].category != values[i].category ||
                all[j].last < 0 || !all[i].overlaps(all[j]))
                continue;
            const bool apart = plan.offsets[i] + values[i].bytes() <= plan.offsets[j] ||
                               plan.offsets[j] + values[j].bytes() <= plan.offsets[i];
            EXPECT_TRUE(apart) << values[i].name << " lies upon " << values[j].name;
        }
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i].base == ops::no_value) continue;
        const auto root = static_cast<std::size_t>(plan.program.root(static_cast<ValueId>(i)));
        EXPECT_GE(plan.offsets[i], plan.offsets[root]) << values[i].name;
        EXPECT_LE(plan.offsets[i] + values[i].bytes(), plan.offsets[root] + values[root].bytes())
            << values[i].name;
    }
}

// An op that reads a value must not find there what another op wrote after that value's own writer.
void expect_reads_what_was_written(const Plan& plan) {
    std::vector<int> writer(plan.program.values.size(),
                            -1);  // the value that was last written there
    const auto place = [&](ValueId id) { return static_cast<std::size_t>(plan.program.root(id)); };
    for (const ops::Op& op : plan.program.ops) {
        for (ValueId id : op.inputs) {
            const ops::Value& value = plan.program[id];
            const int last = writer[place(id)];
            if (value.persistent || last < 0) continue;
            const std::string& name = plan.program[static_cast<ValueId>(last)].name;
            const bool view_of_it = value.name == name;
            EXPECT_TRUE(last == id || view_of_it)
                << op.layer << " reads " << value.name << ", where " << name << " is";
        }
        for (ValueId id : op.outputs) writer[place(id)] = id;
    }
}

TEST(Plans, LiveValuesNeverShareBytes) {
    for (const Model& model : {testing::classic(), testing::cnn(), testing::branches()})
        for (Mode mode : {Mode::train, Mode::evaluate, Mode::predict})
            for (std::int64_t batch : {1, 7, 64})
                for (DType dtype : {DType::float32, DType::uint8}) {
                    const Plan plan = plan_of(model, mode, batch, dtype);
                    expect_sound(plan);
                    expect_reads_what_was_written(plan);
                }
}

TEST(Plans, ActivationsShareMemoryOverTime) {
    const auto sum_of_all = [](const Plan& plan) {
        std::size_t sum = 0;
        const std::vector<Use> all = uses(plan);
        for (std::size_t i = 0; i < plan.program.values.size(); ++i) {
            const ops::Value& value = plan.program.values[i];
            if (value.base == ops::no_value && value.category == device::Category::activations &&
                all[i].last >= 0)
                sum += device::aligned(value.bytes());
        }
        return sum;
    };
    const Plan predict = plan_of(testing::cnn(), Mode::predict, 64);
    EXPECT_LT(predict.budget[device::Category::activations], sum_of_all(predict) * 7 / 10);
    const Plan train = plan_of(testing::cnn(), Mode::train, 64);
    EXPECT_LT(train.budget[device::Category::activations], sum_of_all(train));
}

int count_views(const Plan& plan, const std::string& name) {
    int count = 0;
    for (const ops::Value& value : plan.program.values)
        count += value.base != ops::no_value && value.name == name ? 1 : 0;
    return count;
}

// "act" is read by three layers and in the backward pass: silu on it must have memory of its own,
// while a dropout whose input nobody else reads works in place.
TEST(Plans, InPlaceOnlyWhereNobodyElseReads) {
    const Plan train = plan_of(testing::branches(), Mode::train, 4);
    EXPECT_EQ(count_views(train, "right/activation"), 0);
    EXPECT_EQ(count_views(train, "drop/output"), 1);
    const Plan predict = plan_of(testing::branches(), Mode::predict, 4);
    EXPECT_EQ(count_views(predict, "hidden/activation"), 1);
}

TEST(Plans, InPlaceOnlyWhereTheInputComesOnce) {
    const Json dense{{"units", 3}};
    const auto views = [&](const std::vector<std::string>& inputs) {
        const Model model = testing::model_of({testing::layer("in", "InputLayer", {{"shape", {2}}}),
                                               testing::layer("a", "Dense", dense, {"in"}),
                                               testing::layer("b", "Dense", dense, {"in"}),
                                               testing::layer("s", "Add", Json::object(), inputs)});
        const ModelReport report = require_valid(model);
        return count_views(make_plan(model, report, lay_out_state(model, report, nullptr), nullptr,
                                     Mode::predict, 4, DType::float32),
                           "s/sum");
    };
    EXPECT_EQ(views({"a", "b"}), 1);
    EXPECT_EQ(views({"a", "b", "a"}), 0);
    EXPECT_EQ(views({"a", "b", "b"}), 1);
}

TEST(Plans, NameTheirFusions) {
    using Names = std::vector<std::string>;
    const auto sorted = [](Names names) {
        std::sort(names.begin(), names.end());
        return names;
    };
    EXPECT_EQ(sorted(plan_of(testing::classic(), Mode::train, 8, DType::uint8).fusions),
              (Names{"hidden: relu inside the matrix product", "output: softmax inside the loss",
                     "rescaling: reads the 8-bit input, without a cast before it"}));
    const Names cnn = plan_of(testing::cnn(), Mode::train, 8).fusions;
    EXPECT_EQ(sorted(cnn),
              (Names{"conv_1: gradient of relu inside that of pool_1",
                     "conv_1: relu inside the convolution",
                     "conv_2: gradient of relu inside that of pool_2",
                     "conv_2: relu inside the convolution", "output: softmax inside the loss"}));
    EXPECT_EQ(plan_of(testing::classic(), Mode::predict, 8).fusions,
              Names{"hidden: relu inside the matrix product"});
}

TEST(Plans, FusedOpsAreGone) {
    const Plan plan = plan_of(testing::classic(), Mode::train, 8, DType::uint8);
    int activations = 0, scalings = 0;
    for (const ops::Op& op : plan.program.ops) {
        activations += std::holds_alternative<ops::ActivationForward>(op.attributes) ? 1 : 0;
        scalings += std::holds_alternative<ops::ScaleShift>(op.attributes) ? 1 : 0;
    }
    EXPECT_EQ(activations, 0);
    EXPECT_EQ(scalings, 1);
}

TEST(State, KeepsTrainableWeightsTogether) {
    const Model model = testing::branches();
    const TrainingSetup setup = setup_of("Adam");
    const StateLayout state = lay_out_state(model, require_valid(model), &setup);
    EXPECT_EQ(state.slots, (std::vector<std::string>{"momentum", "velocity"}));
    std::size_t bytes = 0;
    for (const VariablePlace& place : state.variables) {
        EXPECT_EQ(place.offset % device::alignment, 0U);
        EXPECT_EQ(place.offset < state.trainable_bytes, place.spec.trainable) << place.role;
        bytes += device::aligned(static_cast<std::size_t>(place.spec.shape.elements()) * 4);
    }
    EXPECT_EQ(state.weight_bytes, bytes);
    const device::MemoryBudget budget = plan_of(model, Mode::train, 4).budget;
    EXPECT_EQ(budget[device::Category::weights], state.weight_bytes);
    EXPECT_EQ(budget[device::Category::gradients], state.trainable_bytes);
    const device::MemoryBudget update = plan_of(model, Mode::update, no_batch).budget;
    EXPECT_EQ(update[device::Category::optimizer], 2 * state.trainable_bytes);
    EXPECT_EQ(update[device::Category::weights], state.weight_bytes);
}

TEST(Memory, ThePredictionIsTheArena) {
    const TrainingSetup setup = setup_of("Adam");
    for (const Model& model : {testing::classic(), testing::cnn(), testing::branches()})
        for (DType dtype : {DType::uint8, DType::float32})
            for (const std::vector<std::int64_t>& others :
                 {std::vector<std::int64_t>{}, std::vector<std::int64_t>{7, 0, 31}}) {
                ExecutorOptions options = options_of(32, dtype);
                options.other_batches = others;
                for (const bool training : {true, false}) {
                    options.training = training;
                    EXPECT_EQ(predict_memory(model, &setup, options).bytes,
                              Executor(model, &setup, options).memory().bytes);
                }
                EXPECT_EQ(predict_memory(model, nullptr, options).bytes,
                          Executor(model, nullptr, options).memory().bytes);
            }
}

// The parts in which a prediction can go wrong: the input's type, the threads' scratch.
TEST(Memory, ThePredictionKnowsTheInputAndTheKernels) {
    const TrainingSetup setup = setup_of("Adam");
    ExecutorOptions options = options_of(32, DType::uint8);
    const device::MemoryBudget bytes = predict_memory(testing::cnn(), &setup, options);
    options.input_dtype = DType::float32;
    const device::MemoryBudget floats = predict_memory(testing::cnn(), &setup, options);
    EXPECT_EQ(floats[device::Category::input] - bytes[device::Category::input], 3U * 32 * 28 * 28);
    EXPECT_GT(
        bytes[device::Category::workspace],
        plan_of(testing::cnn(), Mode::train, 32, DType::uint8).budget[device::Category::workspace]);
}

// 1024-4096-4096-10 with a batch of 256, whose planning needs no memory for it.
TEST(Memory, OfAWideModelsActivationsHalvesIn16Bits) {
    using testing::layer;
    TrainingSetup setup = setup_of("Adam");
    const Model model =
        testing::model_of({layer("input", "InputLayer", {{"shape", {1024}}}),
                           layer("wide_1", "Dense", {{"units", 4096}, {"activation", "relu"}}),
                           layer("wide_2", "Dense", {{"units", 4096}, {"activation", "relu"}}),
                           layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}})});
    const auto exact = predict_memory(model, &setup, options_of(256));
    EXPECT_GE(exact[device::Category::activations], 2U * 256 * 4096 * 4);
    for (const char* policy : {"mixed_bfloat16", "mixed_float16"}) {
        setup.precision = policy;
        const auto half = predict_memory(model, &setup, options_of(256));
        EXPECT_LE(half[device::Category::activations], 0.55 * exact[device::Category::activations])
            << policy;
    }
}

}  // namespace
}  // namespace strata::graph
