// 2-D convolution and its gradients on oneDNN. Images stay (N,H,W,C); kernels are reordered from
// Keras's (kh,kw,C/groups,F) to oneDNN's blocks and back in each run, as they change each step.
#include <algorithm>

#include "engine/backends/cpu/conv2d.h"
#include "engine/backends/cpu/onednn_kernel.h"

namespace strata::cpu {
namespace {

using dnnl::memory;

struct Descriptors {
    memory::dims image, result, kernel, bias, strides, dilates, pad_low, pad_high;
    memory::format_tag kernel_tag;
    memory::desc image_desc(DType type) const { return nhwc(image, type); }
    memory::desc result_desc(DType type) const { return nhwc(result, type); }
    memory::desc any_kernel(DType type) const {
        return {kernel, onednn_type(type), memory::format_tag::any};
    }
    memory::desc keras_kernel(DType type) const { return {kernel, onednn_type(type), kernel_tag}; }
    // tensor: nullptr where there is no bias.
    memory::desc bias_desc(const Tensor* tensor) const {
        return tensor == nullptr
                   ? memory::desc()
                   : memory::desc(bias, onednn_type(tensor->dtype), memory::format_tag::x);
    }
    static memory::desc nhwc(const memory::dims& dims, DType type) {
        return {dims, onednn_type(type), memory::format_tag::nhwc};
    }
};

Descriptors descriptors(const WindowSizes& s, int groups) {
    const ops::Window2D& w = s.window;
    Descriptors d;
    d.image = {s.n, s.c, s.h, s.w};
    d.result = {s.n, s.f, s.oh, s.ow};
    d.bias = {s.f};
    d.strides = {w.stride_h, w.stride_w};
    d.dilates = {w.dilation_h - 1, w.dilation_w - 1};
    d.pad_low = {w.pad_top, w.pad_left};
    // oneDNN checks that the result follows exactly: rows that no window reaches are negative pads.
    d.pad_high = {(s.oh - 1) * w.stride_h + w.dilation_h * (w.kernel_h - 1) + 1 - s.h - w.pad_top,
                  (s.ow - 1) * w.stride_w + w.dilation_w * (w.kernel_w - 1) + 1 - s.w - w.pad_left};
    if (groups == 1) {
        d.kernel = {s.f, s.c, w.kernel_h, w.kernel_w};
        d.kernel_tag = memory::format_tag::hwio;
    } else {
        d.kernel = {groups, s.f / groups, s.c / groups, w.kernel_h, w.kernel_w};
        d.kernel_tag = memory::format_tag::hwigo;
    }
    return d;
}

class ForwardKernel final : public OnednnKernel {
public:
    ForwardKernel(const Request& request, const WindowSizes& s, const ops::Conv2D& op)
        : OnednnKernel(request.device.threads()),
          activation_(op.activation, request.outputs[0].dtype, s.n * s.oh * s.ow * s.f) {
        const Descriptors d = descriptors(s, op.groups);
        const DType type = request.inputs[0].dtype;
        dnnl::primitive_attr attr = attributes();
        activation_.add_to(attr);
        const dnnl::convolution_forward::desc desc(
            dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct,
            d.image_desc(type), d.any_kernel(type),
            d.bias_desc(op.has_bias ? &request.inputs[2] : nullptr),
            d.result_desc(activation_.primitive_type()), d.strides, d.dilates, d.pad_low,
            d.pad_high);
        const dnnl::convolution_forward::primitive_desc pd(desc, attr, onednn_engine());
        expect_fast(pd, type);
        x_ = take(pd.src_desc());
        kernel_ = take(d.keras_kernel(type));
        y_ = activation_.staged() ? scratch(pd.dst_desc()) : take(pd.dst_desc());
        std::vector<std::pair<int, memory>> arguments{
            {DNNL_ARG_SRC, x_},
            {DNNL_ARG_WEIGHTS, reordered(kernel_, pd.weights_desc())},
            {DNNL_ARG_DST, y_},
            {DNNL_ARG_SCRATCHPAD, scratch(pd.scratchpad_desc())}};
        if (op.has_bias) {
            bias_ = take(pd.bias_desc());
            arguments.emplace_back(DNNL_ARG_BIAS, bias_);
        }
        calls_.emplace_back(dnnl::convolution_forward(pd), arguments);
    }

    void bind(Tensors inputs, Tensors outputs, void* workspace) override {
        x_.set_data_handle(inputs[0].data);
        kernel_.set_data_handle(inputs[1].data);
        if (bias_) bias_.set_data_handle(inputs[2].data);
        result_ = outputs[0].data;
        if (!activation_.staged()) y_.set_data_handle(result_);
        bind_scratch(workspace);
    }

    void run(const ops::StepScalars& scalars) override {
        OnednnKernel::run(scalars);
        activation_.finish(y_.get_data_handle(), result_, threads_);
    }

private:
    FusedActivation activation_;
    memory x_, kernel_, bias_, y_;
    void* result_ = nullptr;
};

dnnl::convolution_forward::primitive_desc forward_hint(const Descriptors& d, DType type,
                                                       const Tensor* bias) {
    const dnnl::convolution_forward::desc desc(
        dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct, d.image_desc(type),
        d.any_kernel(type), d.bias_desc(bias), d.result_desc(type), d.strides, d.dilates, d.pad_low,
        d.pad_high);
    return {desc, onednn_engine()};
}

class BackwardDataKernel final : public OnednnKernel {
public:
    BackwardDataKernel(const Request& request, const WindowSizes& s, int groups)
        : OnednnKernel(request.device.threads()) {
        const Descriptors d = descriptors(s, groups);
        const DType type = request.inputs[0].dtype;
        const dnnl::convolution_backward_data::desc desc(
            dnnl::algorithm::convolution_direct, d.image_desc(request.outputs[0].dtype),
            d.any_kernel(type), d.result_desc(type), d.strides, d.dilates, d.pad_low, d.pad_high);
        const dnnl::convolution_backward_data::primitive_desc pd(
            desc, attributes(), onednn_engine(), forward_hint(d, type, nullptr));
        expect_fast(pd, type);
        dx_ = take(pd.diff_src_desc());
        kernel_ = take(d.keras_kernel(type));
        dy_ = take(pd.diff_dst_desc());
        const std::vector<std::pair<int, memory>> arguments{
            {DNNL_ARG_DIFF_DST, dy_},
            {DNNL_ARG_WEIGHTS, reordered(kernel_, pd.weights_desc())},
            {DNNL_ARG_DIFF_SRC, dx_},
            {DNNL_ARG_SCRATCHPAD, scratch(pd.scratchpad_desc())}};
        calls_.emplace_back(dnnl::convolution_backward_data(pd), arguments);
    }

    void bind(Tensors inputs, Tensors outputs, void* workspace) override {
        dy_.set_data_handle(inputs[0].data);
        kernel_.set_data_handle(inputs[1].data);
        dx_.set_data_handle(outputs[0].data);
        bind_scratch(workspace);
    }

private:
    memory dy_, kernel_, dx_;
};

class BackwardWeightsKernel final : public OnednnKernel {
public:
    BackwardWeightsKernel(const Request& request, const WindowSizes& s,
                          const ops::Conv2DBackwardWeights& op)
        : OnednnKernel(request.device.threads()) {
        const Descriptors d = descriptors(s, op.groups);
        const DType type = request.inputs[0].dtype;
        const DType kernel_type = request.outputs[0].dtype;
        const Tensor* bias = op.has_bias ? &request.outputs[1] : nullptr;
        const dnnl::convolution_backward_weights::desc desc(
            dnnl::algorithm::convolution_direct, d.image_desc(type), d.any_kernel(kernel_type),
            d.bias_desc(bias), d.result_desc(type), d.strides, d.dilates, d.pad_low, d.pad_high);
        const dnnl::convolution_backward_weights::primitive_desc pd(
            desc, attributes(), onednn_engine(), forward_hint(d, type, bias));
        expect_fast(pd, type);
        x_ = take(pd.src_desc());
        dy_ = take(pd.diff_dst_desc());
        dkernel_ = take(d.keras_kernel(kernel_type));
        const bool direct = pd.diff_weights_desc() == dkernel_.get_desc();
        const memory blocked = direct ? dkernel_ : scratch(pd.diff_weights_desc());
        std::vector<std::pair<int, memory>> arguments{
            {DNNL_ARG_SRC, x_},
            {DNNL_ARG_DIFF_DST, dy_},
            {DNNL_ARG_DIFF_WEIGHTS, blocked},
            {DNNL_ARG_SCRATCHPAD, scratch(pd.scratchpad_desc())}};
        if (op.has_bias) {
            dbias_ = take(pd.diff_bias_desc());
            arguments.emplace_back(DNNL_ARG_DIFF_BIAS, dbias_);
        }
        calls_.emplace_back(dnnl::convolution_backward_weights(pd), arguments);
        if (!direct) add_reorder(blocked, dkernel_);
    }

    void bind(Tensors inputs, Tensors outputs, void* workspace) override {
        x_.set_data_handle(inputs[0].data);
        dy_.set_data_handle(inputs[1].data);
        dkernel_.set_data_handle(outputs[0].data);
        if (dbias_) dbias_.set_data_handle(outputs[1].data);
        bind_scratch(workspace);
    }

private:
    memory x_, dy_, dkernel_, dbias_;
};

template <typename Kind, typename... Rest>
KernelPtr convolution(const Request& request, const WindowSizes& s, const Rest&... rest) {
    const auto make = [&]() -> KernelPtr { return std::make_unique<Kind>(request, s, rest...); };
    const DType type = request.inputs[0].dtype;
    return is_16_bit_float(type) ? bfloat16_kernel(request, type, make)
                                 : with_onednn(request, make);
}

}  // namespace

KernelPtr onednn_conv2d(const Request& request, const WindowSizes& s, const ops::Conv2D& op) {
    return convolution<ForwardKernel>(request, s, op);
}

KernelPtr onednn_conv2d_backward_data(const Request& request, const WindowSizes& s, int groups) {
    return convolution<BackwardDataKernel>(request, s, groups);
}

KernelPtr onednn_conv2d_backward_weights(const Request& request, const WindowSizes& s,
                                         const ops::Conv2DBackwardWeights& op) {
    return convolution<BackwardWeightsKernel>(request, s, op);
}

}  // namespace strata::cpu
