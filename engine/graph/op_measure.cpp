#include "engine/graph/op_measure.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/core/half.h"
#include "engine/graph/bound_program.h"

namespace strata::graph {
namespace {

using ops::Program;
using ops::ValueId;

constexpr int least_runs = 3, most_runs = 50;
constexpr int least_quick_runs = 10;  // that other programs cannot all lengthen
constexpr double quick = 0.0005;      // seconds
constexpr double enough = 0.005;      // seconds, of all runs of a quick op
constexpr double long_run = 0.02;     // of one: no second one is needed

ValueId gradient_of(const ops::Op& op) {
    if (std::holds_alternative<ops::Conv2DBackwardData>(op.attributes)) return op.inputs[0];
    if (std::holds_alternative<ops::Conv2DBackwardWeights>(op.attributes)) return op.inputs[1];
    return ops::no_value;
}

// The quickest of some runs after one that warms up: what else the machine does only adds.
double time_of(BoundProgram& bound) {
    using Clock = std::chrono::steady_clock;
    double best = std::numeric_limits<double>::infinity(), all = 0.0;
    for (int run = 0; run <= most_runs; ++run) {
        const auto begin = Clock::now();
        bound.run({});
        bound.device().synchronize();
        if (run == 0) continue;
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        best = std::min(best, seconds);
        all += seconds;
        const int least = best < quick ? least_quick_runs : least_runs;
        if (best > long_run || (run >= least && all > enough)) break;
    }
    return best;
}

}  // namespace

std::vector<std::byte> made_up_values(const ops::Value& value, double nonzero) {
    std::vector<std::byte> bytes(value.bytes());
    std::uint32_t state = 1;
    for (std::int64_t i = 0; i < value.shape.elements(); ++i) {
        state = state * 1664525U + 1013904223U;
        float x = 0.25F + static_cast<float>(state >> 8) * 0x1p-25F;
        if (nonzero < 1.0 && static_cast<double>(state) * 0x1p-32 >= nonzero) x = 0.0F;
        if (value.dtype == DType::float32) reinterpret_cast<float*>(bytes.data())[i] = x;
        if (value.dtype == DType::bfloat16)
            reinterpret_cast<BFloat16*>(bytes.data())[i] = to_bfloat16(x);
        if (value.dtype == DType::float16)
            reinterpret_cast<Float16*>(bytes.data())[i] = to_float16(x);
    }
    return bytes;
}

double measure_op(const Program& program, double nonzero, const std::string& id,
                  const device::DeviceOptions& options) {
    BoundProgram bound(program, {}, id, options);
    for (ValueId value : program.ops[0].inputs) {
        if (value == ops::no_value) continue;
        const auto bytes =
            made_up_values(program[value], value == gradient_of(program.ops[0]) ? nonzero : 1.0);
        bound.device().copy_in(bound.address(value), bytes.data(), bytes.size());
        bound.device().synchronize();
    }
    return time_of(bound);
}

Program alone(const Program& program, const ops::Op& op) {
    Program made;
    std::vector<ValueId> from;  // of each value made
    const auto copy = [&](ValueId id) {
        if (id == ops::no_value) return id;
        const auto known = std::find(from.begin(), from.end(), id);
        if (known != from.end()) return static_cast<ValueId>(known - from.begin());
        ops::Value value = program[id];
        value.category = device::Category::activations;
        value.persistent = true;
        value.offset = 0;
        value.base = ops::no_value;
        for (std::size_t i = 0; i < from.size(); ++i)
            if (program.root(from[i]) == program.root(id) &&
                program[from[i]].bytes() == value.bytes() &&
                program[from[i]].offset == program[id].offset)
                value.base = static_cast<ValueId>(i);
        from.push_back(id);
        return made.add(std::move(value));
    };
    ops::Op own = op;
    for (auto* ids : {&own.inputs, &own.outputs})
        for (ValueId& id : *ids) id = copy(id);
    made.ops.push_back(std::move(own));
    return made;
}

}  // namespace strata::graph
