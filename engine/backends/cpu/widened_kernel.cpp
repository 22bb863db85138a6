// Ops on 16-bit operands through float32 copies of them in the workspace.
#include <algorithm>

#include "engine/backends/cpu/convert.h"
#include "engine/backends/cpu/half_kernel.h"
#include "engine/device/arena.h"

namespace strata::cpu {
namespace {

class WidenedKernel final : public ops::Kernel {
public:
    WidenedKernel(const Request& request, const MakeKernel& make)
        : threads_(request.device.threads()),
          inputs_(as_float32(request.inputs)),
          outputs_(as_float32(request.outputs)),
          kernel_(make({{request.device_id, request.name, inputs_, outputs_}, request.device})) {
        place(request.inputs, inputs_, read_);
        place(request.outputs, outputs_, written_);
    }

    std::size_t workspace_bytes() const override { return bytes_ + kernel_->workspace_bytes(); }

    void bind(Tensors inputs, Tensors outputs, void* workspace) override {
        auto* const scratch = static_cast<std::byte*>(workspace);
        point(inputs, inputs_, read_, scratch);
        point(outputs, outputs_, written_, scratch);
        kernel_->bind(inputs_, outputs_, scratch + bytes_);
    }

    void run(const ops::StepScalars& scalars) override {
        for (const Copy& c : read_)
            to_float32(c.type, c.narrow, inputs_[c.operand].as<float>(),
                       inputs_[c.operand].elements(), threads_);
        kernel_->run(scalars);
        for (const Copy& c : written_)
            from_float32(c.type, outputs_[c.operand].as<float>(), c.narrow,
                         outputs_[c.operand].elements(), threads_);
    }

private:
    struct Copy {
        std::size_t operand;
        DType type;
        std::size_t at;  // in the workspace
        void* narrow = nullptr;
    };

    void place(Tensors tensors, const std::vector<Tensor>& wide, std::vector<Copy>& copies) {
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            if (!is_16_bit_float(tensors[i].dtype)) continue;
            copies.push_back({i, tensors[i].dtype, bytes_});
            bytes_ += device::aligned(wide[i].bytes());
        }
    }

    static void point(Tensors tensors, std::vector<Tensor>& wide, std::vector<Copy>& copies,
                      std::byte* scratch) {
        for (std::size_t i = 0; i < wide.size(); ++i) wide[i].data = tensors[i].data;
        for (Copy& c : copies) {
            c.narrow = tensors[c.operand].data;
            wide[c.operand].data = scratch + c.at;
        }
    }

    int threads_;
    std::vector<Tensor> inputs_, outputs_;
    KernelPtr kernel_;
    std::vector<Copy> read_, written_;
    std::size_t bytes_ = 0;
};

}  // namespace

bool has_16_bit(const Request& request) {
    const auto narrow = [](const Tensor& tensor) { return is_16_bit_float(tensor.dtype); };
    return std::any_of(request.inputs.begin(), request.inputs.end(), narrow) ||
           std::any_of(request.outputs.begin(), request.outputs.end(), narrow);
}

std::vector<Tensor> as_float32(Tensors tensors) {
    std::vector<Tensor> wide(tensors.begin(), tensors.end());
    for (Tensor& tensor : wide)
        if (is_16_bit_float(tensor.dtype)) tensor.dtype = DType::float32;
    return wide;
}

KernelPtr widened_kernel(const Request& request, const MakeKernel& make) {
    return std::make_unique<WidenedKernel>(request, make);
}

}  // namespace strata::cpu
