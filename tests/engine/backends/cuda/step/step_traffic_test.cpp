// What the ops of a training step launch and move on a GPU, against the least possible: each
// operand read once, each result written once, counted as in tests/kernels/traffic_test.cpp. Matrix
// products are the library's, and are not counted.
#include <cuda_emulator.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <variant>

#include "engine/backends/cuda/backend.h"
#include "engine/device/arena.h"
#include "engine/graph/compiled_program.h"
#include "tests/engine/graph/models.h"

namespace strata::graph {
namespace {

using testing::branches;
using testing::cnn;
using testing::setup_of;

constexpr std::size_t cache = std::size_t{64} << 10;
constexpr std::size_t large = std::size_t{64} << 10;  // smaller ops are sectors and partial sums

struct Cost {
    std::size_t ops = 0, launches = 0, moved = 0, least = 0;
};

// Of a block's rows in a wider array, in whole sectors of 32 bytes; together where they lie close.
std::size_t bytes_of_rows(const ops::CopyBlock& block, std::int64_t stride, std::size_t element) {
    const auto row = static_cast<std::size_t>(block.width) * element;
    const auto rows = static_cast<std::size_t>(block.rows);
    const auto apart = static_cast<std::size_t>(stride) * element;
    return stride == block.width ? rows * row : rows * std::min((row + 31) / 32 * 32, apart);
}

// What is updated in place stands among the results too.
std::size_t least_bytes(const ops::Program& program, const ops::Op& op) {
    if (const auto* block = std::get_if<ops::CopyBlock>(&op.attributes)) {
        const std::size_t element = size_of(program[op.inputs[0]].dtype);
        return bytes_of_rows(*block, block->x_stride, element) +
               bytes_of_rows(*block, block->y_stride, element);
    }
    std::size_t bytes = 0;
    std::set<ops::ValueId> seen;
    for (const ops::ValueId id : op.inputs)
        if (seen.insert(id).second) bytes += program[id].bytes();
    for (const ops::ValueId id : op.outputs) bytes += program[id].bytes();
    return bytes;
}

// A program's costs by the kind of op, of the large ones alone.
std::map<std::string, Cost> costs_of(const Plan& plan) {
    const auto device = cuda::cuda_backend().open(0, {});
    CompiledProgram code(cuda::cuda_backend(), *device, plan.program);
    device::MemoryBudget budget = plan.budget;
    const std::size_t scratch = device::aligned(budget[device::Category::workspace]);
    budget[device::Category::workspace] = scratch + code.scratch_bytes();
    const device::Arena arena(*device, budget);
    std::vector<void*> addresses;
    for (std::size_t i = 0; i < plan.program.values.size(); ++i)
        addresses.push_back(
            arena.at(plan.program[plan.program.root(static_cast<ops::ValueId>(i))].category,
                     plan.offsets[i]));
    code.bind(plan.program, addresses, arena.at(device::Category::workspace, scratch));
    device->synchronize();
    cuda_emulator::keep_launches({.cache = cache});
    std::map<std::string, Cost> costs;
    code.run(testing::scalars_of(0.1F), 0, plan.program.ops.size(), [&](std::size_t i) {
        device->synchronize();
        const ops::Op& op = plan.program.ops[i];
        const std::size_t least = least_bytes(plan.program, op);
        const auto launches = cuda_emulator::take_launches();
        if (least < large) return true;
        Cost& cost = costs[ops::name_of(op.attributes)];
        ++cost.ops;
        cost.launches += launches.size();
        cost.least += least;
        for (const auto& launch : launches) cost.moved += launch.read + launch.written;
        return true;
    });
    cuda_emulator::keep_launches({});
    return costs;
}

bool is_product(const std::string& op) {
    return op == "Matmul";
}

// A mean over the whole batch has to be known before the first result: the operands are read twice.
double most_of(const std::string& op) {
    if (op == "BatchNormTraining") return 1.3 * 3 / 2;
    return op == "BatchNormBackward" ? 1.3 * 5 / 3 : 1.3;
}

class StepOnCuda : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        cuda_emulator::set_machine({});
        if (!cuda_emulator::watches_kernels())
            GTEST_SKIP() << "A sanitizer watches this build, the emulator does not";
    }
    static void check(const Model& model, TrainingSetup setup, std::int64_t batch, DType input) {
        setup.precision = GetParam();
        const ModelReport report = require_valid(model);
        const StateLayout state = lay_out_state(model, report, &setup);
        std::printf("%-28s %4s %8s %10s %10s %6s\n", "op", "ops", "launches", "moved", "least",
                    "x");
        for (const Mode mode : {Mode::train, Mode::update})
            for (const auto& [op, cost] :
                 costs_of(make_plan(model, report, state, &setup, mode,
                                    mode == Mode::update ? no_batch : batch, input))) {
                const double share =
                    static_cast<double>(cost.moved) / static_cast<double>(cost.least);
                std::printf("%-28s %4zu %8zu %10zu %10zu %6.3f\n", op.c_str(), cost.ops,
                            cost.launches, cost.moved, cost.least, share);
                EXPECT_LE(cost.launches, 4 * cost.ops) << op;
                if (is_product(op)) continue;
                EXPECT_LE(share, most_of(op)) << op;
                EXPECT_GT(cost.moved, 0U) << op;
            }
    }
};

INSTANTIATE_TEST_SUITE_P(Precisions, StepOnCuda,
                         ::testing::Values("float32", "mixed_bfloat16", "mixed_float16"),
                         [](const auto& test) { return test.param; });

TEST_P(StepOnCuda, TheCnnMovesLittleMoreThanItMust) {
    check(cnn(), setup_of("Adam"), 32, DType::uint8);
}

TEST_P(StepOnCuda, BranchesMoveLittleMoreThanTheyMust) {
    check(branches("relu", "AveragePooling2D"), setup_of("SGD", {{"momentum", 0.9}}), 256,
          DType::float32);
}

}  // namespace
}  // namespace strata::graph
