// What a backend (CPU, CUDA) offers: devices, and for each op a kernel bound once to fixed
// addresses.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/device/device.h"
#include "engine/device/device_group.h"
#include "engine/device/monitor.h"
#include "engine/ops/op.h"

namespace strata::ops {

// The numbers that change from step to step. Everything else is fixed when a kernel is made.
// Sums over the replicas that work on other samples of the same micro-batch.
class ReplicaSums {
public:
    virtual ~ReplicaSums() = default;
    // Each number's sum, in place; every replica calls it with as many, in the same order.
    virtual void add_up(std::span<double> numbers) = 0;
};

struct StepScalars {
    std::uint64_t seed = 0;  // of the run
    std::uint32_t step = 0;  // number of the micro-batch since the run's start: dropout's key
    std::int64_t first_sample = 0;   // global index of the batch's first sample: dropout's key
    std::int64_t sample_stride = 1;  // of its i-th sample: first_sample + i * sample_stride
    float loss_scale = 1.0F;
    float learning_rate = 0.0F;
    double gradient_scale = 1.0;  // 1 / (loss_scale * samples of the window)
    std::int64_t update = 1;      // t, from 1: updates that were applied, plus 1
    float clip_limit = 0.0F;      // c of the clipping ops and ClipKind; 0: no clipping
    float weight_decay = 0.0F;    // decoupled: w -= learning_rate * weight_decay * w
    bool first_in_window = true;  // of gradient accumulation
    // The next call is the update: replicas may add up what is ready while the rest is computed.
    bool last_in_window = false;
    ReplicaSums* replicas = nullptr;  // null: the whole micro-batch is here
    std::int64_t samples_before = 0;  // in the window's micro-batches before this one
};

// One op, ready to run. prepare() made it for shapes and dtypes; bind() gives the addresses; run()
// neither allocates nor throws but for device faults. Ops of one device run in the order of their
// run() calls.
class Kernel {
public:
    virtual ~Kernel() = default;
    virtual std::size_t workspace_bytes() const {
        return 0;
    }  // scratch that run() needs, known after prepare()
    // Same order, shapes and dtypes as in prepare(). workspace: 64-byte aligned, may be nullptr
    // when 0 bytes.
    virtual void bind(std::span<const Tensor> inputs, std::span<const Tensor> outputs,
                      void* workspace) = 0;
    virtual void run(const StepScalars& scalars) = 0;
};

class Backend {
public:
    virtual ~Backend() = default;
    virtual std::string kind() const = 0;  // "cpu", "cuda"
    // At least one entry: where nothing can be used, one with available = false and the reason.
    virtual std::vector<device::DeviceInfo> discover() const = 0;
    virtual std::unique_ptr<device::Device> open(int index,
                                                 const device::DeviceOptions& options) = 0;
    // Tensors without data. Throws Error{unsupported} naming op and device where it cannot.
    virtual std::unique_ptr<Kernel> prepare(device::Device& device, const Attributes& attributes,
                                            std::span<const Tensor> inputs,
                                            std::span<const Tensor> outputs) = 0;

    // ---- several devices. Where threads add up in shared memory (CPU) there are no groups.
    virtual bool has_groups() const { return false; }
    // To be told to all processes of a group. Throws Error{unsupported} with what is missing.
    virtual std::vector<std::byte> make_group_id() { return {}; }
    // Throws Error where this process could not join one.
    virtual void check_groups() {}
    // Called by all processes, each with devices of its own; returns when all have joined. The
    // devices outlive the group. Throws Error.
    virtual std::unique_ptr<device::DeviceGroup> join_group(
        std::span<device::Device* const> /*devices*/, const device::GroupPlace& /*place*/) {
        return nullptr;
    }

    // Null where nothing is known of the device.
    virtual std::unique_ptr<device::Monitor> monitor(int /*index*/) { return nullptr; }
};

// Library entry of a backend plug-in: `extern "C" strata::ops::Backend* strata_backend()`, never
// null; owned by the plug-in.
using BackendEntry = Backend* (*)();
inline constexpr const char* backend_entry_name = "strata_backend";

}  // namespace strata::ops
