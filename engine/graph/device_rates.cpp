#include "engine/graph/device_rates.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <vector>

#include "engine/core/half.h"
#include "engine/device/arena.h"
#include "engine/graph/compiled_program.h"
#include "engine/graph/memory_plan.h"
#include "engine/graph/runtime.h"

namespace strata::graph {
namespace {

using ops::Program;
using ops::ValueId;

constexpr int timed_runs = 2;
constexpr std::uint32_t one_in_sparse = 4;  // of gradients behind a pooling of 2 x 2

// One op of a kind on made-up values.
class Reference {
public:
    explicit Reference(const WorkKind& kind) : kind_(kind) {
        switch (kind.work) {
            case Work::product:
                op(ops::Matmul{}, {value({64, 512}), value({512, 512})}, {value({64, 512})});
                break;
            case Work::convolution:
                op(ops::Conv2D{.window = window(1), .activation = {}}, {image(32), kernel(32)},
                   {image(64)});
                break;
            case Work::convolution_data:
                op(ops::Conv2DBackwardData{window(1)}, {image(64), kernel(32)}, {image(32)});
                break;
            case Work::convolution_weights:
                op(ops::Conv2DBackwardWeights{window(1)}, {image(32), image(64)}, {kernel(32)});
                break;
            case Work::thin_convolution:
                op(ops::Conv2D{.window = window(1), .activation = {}}, {image(1), kernel(1)},
                   {image(64)});
                break;
            case Work::pooling:
                op(ops::Pool2D{ops::PoolKind::max, pool()}, {image(64)},
                   {pooled(), value({4, 7, 7, 64}, DType::uint8)});
                break;
            case Work::pooling_backward:
                op(ops::Pool2DBackward{ops::PoolKind::max, pool()},
                   {pooled(), value({4, 7, 7, 64}, DType::uint8)}, {image(64)});
                break;
            case Work::normalization:
                op(ops::BatchNormTraining{},
                   {image(64), channels(), channels(), channels(), channels()},
                   {image(64), channels(), channels()});
                break;
            case Work::normalization_backward:
                op(ops::BatchNormBackward{},
                   {image(64), image(64), channels(), channels(), channels()},
                   {image(64), channels(), channels()});
                break;
            default:
                elementwise();
        }
    }

    Program program;

private:
    void elementwise() {
        const std::int64_t n = std::int64_t{1} << 17;
        const ops::Activation tanh{ops::ActivationKind::tanh};
        if (kind_.work == Work::curve)
            op(ops::ActivationForward{tanh}, {value({n})}, {value({n})});
        else if (kind_.work == Work::dropout)
            op(ops::Dropout{}, {value({64, n / 64})}, {value({64, n / 64})});
        else if (kind_.work == Work::cast)
            op(ops::ScaleShift{}, {value({n}, DType::float32)}, {value({n})});
        else if (kind_.work == Work::launch)
            op(ops::ScaleShift{}, {value({16})}, {value({16})});
        else
            op(ops::AddN{}, {value({n}), value({n})}, {value({n})});
    }

    void op(ops::Attributes attributes, std::vector<ValueId> inputs, std::vector<ValueId> outputs) {
        program.ops.push_back({std::move(attributes), std::move(inputs), std::move(outputs), ""});
    }
    ValueId value(const Shape& shape, DType type) {
        ops::Value made;
        made.shape = shape;
        made.dtype = type;
        made.persistent = true;
        return program.add(std::move(made));
    }
    ValueId value(const Shape& shape) { return value(shape, kind_.type); }
    ValueId image(std::int64_t channels) { return value({4, 14, 14, channels}); }
    ValueId pooled() { return value({4, 7, 7, 64}); }
    ValueId kernel(std::int64_t channels) { return value({3, 3, channels, 64}); }
    ValueId channels() { return value({64}); }
    static ops::Window2D window(int pad) { return {3, 3, 1, 1, 1, 1, pad, pad, pad, pad}; }
    static ops::Window2D pool() { return {2, 2, 2, 2, 1, 1, 0, 0, 0, 0}; }

    WorkKind kind_;
};

// Values of the size of activations; positions of a pooling stay 0. In gradients behind a pooling
// most are 0.
std::vector<std::byte> values_for(const ops::Value& value, bool sparse) {
    std::vector<std::byte> bytes(value.bytes());
    std::uint32_t state = 1;
    for (std::int64_t i = 0; i < value.shape.elements(); ++i) {
        state = state * 1664525U + 1013904223U;
        float x = 0.25F + static_cast<float>(state >> 8) * 0x1p-25F;
        if (sparse && (state >> 24) % one_in_sparse != 0) x = 0.0F;
        if (value.dtype == DType::float32) reinterpret_cast<float*>(bytes.data())[i] = x;
        if (value.dtype == DType::bfloat16)
            reinterpret_cast<BFloat16*>(bytes.data())[i] = to_bfloat16(x);
        if (value.dtype == DType::float16)
            reinterpret_cast<Float16*>(bytes.data())[i] = to_float16(x);
    }
    return bytes;
}

ValueId gradient_of(const ops::Op& op) {
    if (std::holds_alternative<ops::Conv2DBackwardData>(op.attributes)) return op.inputs[0];
    if (std::holds_alternative<ops::Conv2DBackwardWeights>(op.attributes)) return op.inputs[1];
    return ops::no_value;
}

// The quickest of a few runs after one that warms up: what else the machine does only adds.
double time_of(device::Device& device, CompiledProgram& code) {
    using Clock = std::chrono::steady_clock;
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run <= timed_runs; ++run) {
        const auto begin = Clock::now();
        code.run({});
        device.synchronize();
        if (run > 0)
            best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
    }
    return best;
}

double measure(const Reference& reference, bool sparse, const std::string& id,
               const device::DeviceOptions& options) {
    const Program& program = reference.program;
    const auto device = runtime().open(id, options);
    const MemoryPlan plan = plan_memory(program, {});
    CompiledProgram code(runtime().backend(*device), *device, program);
    device::MemoryBudget budget = plan.budget;
    budget[device::Category::workspace] = code.scratch_bytes();
    const device::Arena arena(*device, budget);
    std::vector<void*> addresses;
    for (std::size_t offset : plan.offsets)
        addresses.push_back(arena.at(device::Category::activations, offset));
    for (ValueId value : program.ops[0].inputs) {
        const auto bytes =
            values_for(program[value], sparse && value == gradient_of(program.ops[0]));
        device->copy_in(addresses[static_cast<std::size_t>(value)], bytes.data(), bytes.size());
        device->synchronize();
    }
    code.bind(program, addresses, arena.base(device::Category::workspace));
    return time_of(*device, code);
}

}  // namespace

// Under the lock: two measurements at once would disturb each other.
double DeviceRates::seconds_per_unit(const WorkKind& kind) {
    const std::lock_guard lock(mutex_);
    if (const auto it = known_.find(kind); it != known_.end()) return it->second;
    const Reference reference(kind);
    const OpCost cost = cost_of(reference.program, reference.program.ops[0]);
    const double units = kind.work == Work::launch ? 1.0
                         : counts_flops(kind.work) ? cost.flops
                                                   : cost.bytes;
    return known_[kind] = measure(reference, kind.sparse, device_, options_) / units;
}

double DeviceRates::seconds(const OpCost& cost) {
    const double moved = cost.bytes * seconds_per_unit({Work::stream});
    const double done =
        (counts_flops(cost.kind.work) ? cost.flops : cost.bytes) * seconds_per_unit(cost.kind);
    return seconds_per_unit({Work::launch}) + std::max(moved, done);
}

DeviceRates& rates_of(const std::string& device, const device::DeviceOptions& options) {
    static std::mutex mutex;
    static std::map<std::pair<std::string, int>, std::unique_ptr<DeviceRates>> all;
    const std::lock_guard lock(mutex);
    auto& rates = all[{device, options.threads}];
    if (!rates) rates = std::make_unique<DeviceRates>(device, options);
    return *rates;
}

}  // namespace strata::graph
