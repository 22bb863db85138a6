// Element-wise, row-wise and pooling ops on 16-bit operands, slice by slice in float32.
#include <algorithm>

#include "engine/backends/cpu/convert.h"
#include "engine/backends/cpu/half_kernel.h"
#include "engine/backends/cpu/parallel.h"
#include "engine/device/arena.h"

namespace strata::cpu {
namespace {

constexpr std::int64_t slice_bytes = 32768;  // of all operands as float32: a level-1 cache

class SlicedKernel final : public ops::Kernel {
public:
    SlicedKernel(const Request& request, SliceUnit unit, const MakeKernel& make)
        : inputs_(parts_in(request.inputs)), outputs_(parts_in(request.outputs)) {
        request.expect_one_type();
        units_ = units_in(request.inputs[0].shape, unit);
        std::int64_t bytes = 0;
        for (std::vector<Operand>* operands : {&inputs_, &outputs_}) {
            for (Operand& o : *operands) {
                request.expect(units_in(o.whole.shape, unit) == units_, "operands differ in size");
                o.unit = units_ == 0 ? 0 : o.whole.elements() / units_;
                if (o.converted()) bytes += 4 * o.unit;
            }
        }
        if (units_ == 0 || bytes == 0) return;
        step_ = std::clamp<std::int64_t>(slice_bytes / bytes, 1, units_);
        const std::int64_t slices = divide_up(units_, step_);
        parts_ = static_cast<int>(std::min<std::int64_t>(request.device.threads(), slices));
        place(inputs_);
        place(outputs_);
        device::DeviceOptions options;
        options.threads = 1;
        const CpuDevice one_thread(request.device.info(), options);
        for (int part = 0; part <= parts_; ++part) {
            const std::int64_t count = part < parts_ ? step_ : units_ - (slices - 1) * step_;
            workers_.push_back(worker(request, one_thread, unit, count, make));
        }
    }

    std::size_t workspace_bytes() const override {
        return part_bytes_ * static_cast<std::size_t>(parts_);
    }

    void bind(Tensors inputs, Tensors outputs, void* workspace) override {
        for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i].whole.data = inputs[i].data;
        for (std::size_t i = 0; i < outputs_.size(); ++i) outputs_[i].whole.data = outputs[i].data;
        for (std::size_t w = 0; w < workers_.size(); ++w) {
            const std::size_t part = std::min(w, static_cast<std::size_t>(parts_ - 1));
            workers_[w].scratch = static_cast<std::byte*>(workspace) + part * part_bytes_;
        }
    }

    void run(const ops::StepScalars& scalars) override {
        if (workers_.empty()) return;
        const std::int64_t slices = divide_up(units_, step_);
        for_parts(parts_, [&](int part) {
            const std::int64_t end = slices * (part + 1) / parts_;
            for (std::int64_t slice = slices * part / parts_; slice < end; ++slice)
                run_slice(
                    slice + 1 < slices ? workers_[static_cast<std::size_t>(part)] : workers_.back(),
                    slice * step_, scalars);
        });
    }

private:
    struct Operand {
        Tensor whole;
        std::int64_t unit = 0;  // elements
        std::size_t at = 0;     // in a part's scratch
        bool converted() const { return is_16_bit_float(whole.dtype); }
        void* data(std::int64_t first) const {
            return whole.as<std::byte>() +
                   first * unit * static_cast<std::int64_t>(size_of(whole.dtype));
        }
    };

    // A kernel for one size of slices, on one thread at a time; the last one is for the last slice.
    struct Worker {
        KernelPtr kernel;
        std::vector<Tensor> inputs, outputs;
        std::int64_t count = 0;  // units
        std::byte* scratch = nullptr;
    };

    static std::vector<Operand> parts_in(Tensors tensors) {
        std::vector<Operand> operands;
        for (const Tensor& tensor : tensors) operands.push_back({.whole = tensor});
        return operands;
    }

    static std::int64_t units_in(const Shape& shape, SliceUnit unit) {
        if (unit == SliceUnit::element) return shape.elements();
        if (unit == SliceUnit::row) return matrix_of(shape).rows;
        return shape.rank() == 0 ? 1 : shape[0];
    }

    static Shape slice_shape(const Operand& o, SliceUnit unit, std::int64_t count) {
        if (unit == SliceUnit::element) return {count};
        if (unit == SliceUnit::row) return {count, o.unit};
        return o.whole.shape.without_batch().with_batch(count);
    }

    void place(std::vector<Operand>& operands) {
        for (Operand& o : operands) {
            if (!o.converted()) continue;
            o.at = part_bytes_;
            part_bytes_ += device::aligned(static_cast<std::size_t>(4 * step_ * o.unit));
        }
    }

    Worker worker(const Request& request, const CpuDevice& device, SliceUnit unit,
                  std::int64_t count, const MakeKernel& make) {
        Worker w;
        w.count = count;
        const auto add = [&](const std::vector<Operand>& operands, std::vector<Tensor>& tensors) {
            for (const Operand& o : operands)
                tensors.push_back({nullptr, o.converted() ? DType::float32 : o.whole.dtype,
                                   slice_shape(o, unit, count)});
        };
        add(inputs_, w.inputs);
        add(outputs_, w.outputs);
        w.kernel = make({{request.device_id, request.name, w.inputs, w.outputs}, device});
        request.expect(w.kernel->workspace_bytes() == 0, "its slices need a workspace");
        return w;
    }

    void run_slice(Worker& w, std::int64_t first, ops::StepScalars scalars) {
        const auto prepare = [&](const Operand& o, Tensor& tensor) {
            tensor.data = o.converted() ? w.scratch + o.at : o.data(first);
        };
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const Operand& o = inputs_[i];
            prepare(o, w.inputs[i]);
            if (o.converted())
                to_float32(o.whole.dtype, o.data(first), w.inputs[i].as<float>(), w.count * o.unit);
        }
        for (std::size_t i = 0; i < outputs_.size(); ++i) prepare(outputs_[i], w.outputs[i]);
        w.kernel->bind(w.inputs, w.outputs, nullptr);
        scalars.first_sample += first * scalars.sample_stride;  // dropout's units are samples
        w.kernel->run(scalars);
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            const Operand& o = outputs_[i];
            if (o.converted())
                from_float32(o.whole.dtype, w.outputs[i].as<float>(), o.data(first),
                             w.count * o.unit);
        }
    }

    std::vector<Operand> inputs_, outputs_;
    std::int64_t units_ = 0, step_ = 1;
    int parts_ = 0;
    std::size_t part_bytes_ = 0;
    std::vector<Worker> workers_;
};

}  // namespace

KernelPtr sliced_kernel(const Request& request, SliceUnit unit, const MakeKernel& make) {
    const std::vector<Tensor> inputs = as_float32(request.inputs);
    const std::vector<Tensor> outputs = as_float32(request.outputs);
    make({{request.device_id, request.name, inputs, outputs}, request.device});  // all its checks
    return std::make_unique<SlicedKernel>(request, unit, make);
}

}  // namespace strata::cpu
