#include "engine/graph/device_rates.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "engine/graph/op_measure.h"
#include "engine/graph/training_now.h"

namespace strata::graph {
namespace {

using ops::Program;
using ops::ValueId;

// An op that takes longer is known well enough by its rate.
constexpr double longest_measured = 0.1;  // seconds
constexpr double usual_nonzero = 0.25;    // of gradients behind a pooling of 2 x 2
constexpr double measuring_budget = 2.0;  // seconds for all ops of a device

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
    ValueId channels() { return value({64}, DType::float32); }
    static ops::Window2D window(int pad) { return {3, 3, 1, 1, 1, 1, pad, pad, pad, pad}; }
    static ops::Window2D pool() { return {2, 2, 2, 2, 1, 1, 0, 0, 0, 0}; }

    WorkKind kind_;
};

}  // namespace

std::optional<double> DeviceRates::known(const WorkKind& kind) {
    const std::lock_guard lock(mutex_);
    const auto it = known_.find(kind);
    return it == known_.end() ? std::nullopt : std::optional(it->second);
}

std::optional<double> DeviceRates::known(const std::string& signature) {
    const std::lock_guard lock(mutex_);
    const auto it = ops_.find(signature);
    return it == ops_.end() ? std::nullopt : std::optional(it->second);
}

// Under the lock: two measurements at once would disturb each other.
double DeviceRates::seconds_per_unit(const WorkKind& kind) {
    const TrainingSince since;
    if (beside_ != nullptr && since.any() && !known(kind)) return beside_->seconds_per_unit(kind);
    const std::lock_guard lock(mutex_);
    if (const auto it = known_.find(kind); it != known_.end()) return it->second;
    const Reference reference(kind);
    const OpCost cost = cost_of(reference.program, reference.program.ops[0]);
    const double units = kind.work == Work::launch ? 1.0
                         : counts_flops(kind.work) ? cost.flops
                                                   : cost.bytes;
    const double seconds =
        measure_op(reference.program, kind.sparse ? usual_nonzero : 1.0, device_, options_) / units;
    if (beside_ == nullptr || !since.any()) known_[kind] = seconds;
    return seconds;
}

std::string DeviceRates::signature(const Program& program, const ops::Op& op, const OpCost& cost) {
    std::string text = ops::name_of(op.attributes);
    if (cost.nonzero < 1.0) text += " " + std::to_string(cost.nonzero);
    if (const auto* product = std::get_if<ops::Matmul>(&op.attributes))
        text += std::to_string(product->transpose_a) + std::to_string(product->transpose_b);
    text += " " + std::to_string(static_cast<int>(cost.kind.work));
    for (const auto* ids : {&op.inputs, &op.outputs}) {
        text += ids == &op.outputs ? " to" : "";
        for (ValueId id : *ids)
            text += id == ops::no_value
                        ? " -"
                        : std::string(" ") + name_of(program[id].dtype) + program[id].shape.text();
    }
    return text;
}

// What is not measured takes what others of its kind took against their rate. Kept, so that an op
// has one time as long as the process lives.
double DeviceRates::seconds_of(const Program& program, const ops::Op& op) {
    using Clock = std::chrono::steady_clock;
    const OpCost cost = cost_of(program, op);
    const std::string key = signature(program, op, cost);
    const TrainingSince since;
    if (beside_ != nullptr && since.any() && !known(key)) return beside_->seconds_of(program, op);
    const double by_rate = seconds(cost);
    const std::lock_guard lock(mutex_);
    if (const auto it = ops_.find(key); it != ops_.end()) return it->second;
    Experience& experience = experience_[cost.kind];
    if (by_rate > longest_measured || spent_ > measuring_budget) {
        const bool known = experience.by_rate > 0.0;
        return ops_[key] = known ? by_rate * experience.measured / experience.by_rate : by_rate;
    }
    const auto begin = Clock::now();
    const double measured = measure_op(alone(program, op), cost.nonzero, device_, options_);
    spent_ += std::chrono::duration<double>(Clock::now() - begin).count();
    if (beside_ != nullptr && since.any()) return measured;  // one began meanwhile
    experience.measured += measured;
    experience.by_rate += by_rate;
    return ops_[key] = measured;
}

double DeviceRates::seconds(const OpCost& cost) {
    const double moved = cost.bytes * seconds_per_unit({Work::stream});
    const double done =
        (counts_flops(cost.kind.work) ? cost.flops : cost.bytes) * seconds_per_unit(cost.kind);
    return seconds_per_unit({Work::launch}) + std::max(moved, done);
}

DeviceRates& rates_of(const std::string& device, const device::DeviceOptions& options) {
    struct Both {
        Both(const std::string& device, const device::DeviceOptions& options)
            : beside_training(device, options), alone(device, options, &beside_training) {}
        DeviceRates beside_training, alone;
    };
    static std::mutex mutex;
    static std::map<std::pair<std::string, int>, std::unique_ptr<Both>> all;
    const std::lock_guard lock(mutex);
    auto& both = all[{device, options.threads}];
    if (!both) both = std::make_unique<Both>(device, options);
    return both->alone;
}

}  // namespace strata::graph
