// 2-D convolution and its gradients on oneDNN. Images stay (N,H,W,C); kernels are reordered from
// Keras's (kh,kw,C/groups,F) to oneDNN's blocks and back in each run, as they change each step.
#include <algorithm>

#include "engine/backends/cpu/activation.h"
#include "engine/backends/cpu/conv2d.h"
#include "engine/backends/cpu/onednn.h"
#include "engine/device/arena.h"

namespace strata::cpu {
namespace {

using dnnl::memory;
constexpr auto f32 = memory::data_type::f32;

struct Descriptors {
    memory::dims image, result, kernel, bias, strides, dilates, pad_low, pad_high;
    memory::format_tag kernel_tag;
    memory::desc nhwc(const memory::dims& dims) const {
        return {dims, f32, memory::format_tag::nhwc};
    }
    memory::desc any_kernel() const { return {kernel, f32, memory::format_tag::any}; }
    memory::desc keras_kernel() const { return {kernel, f32, kernel_tag}; }
    memory::desc bias_desc(bool present) const {
        return present ? memory::desc(bias, f32, memory::format_tag::x) : memory::desc();
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

// A kernel whose operands are some oneDNN calls over memories with addresses given at bind().
class OnednnKernel : public ops::Kernel {
public:
    explicit OnednnKernel(int threads) : threads_(threads), stream_(onednn_engine()) {}

    std::size_t workspace_bytes() const override { return workspace_bytes_; }

    void run(const ops::StepScalars&) override {
        set_onednn_threads(threads_);
        for (const OnednnCall& call : calls_) call.run(stream_);
    }

protected:
    memory take(const memory::desc& desc) { return {desc, onednn_engine(), nullptr}; }
    // A memory in the workspace.
    memory scratch(const memory::desc& desc) {
        scratch_.emplace_back(take(desc), workspace_bytes_);
        workspace_bytes_ += device::aligned(desc.get_size());
        return scratch_.back().first;
    }
    void bind_scratch(void* workspace) {
        for (auto& [scratch_memory, offset] : scratch_)
            scratch_memory.set_data_handle(static_cast<std::byte*>(workspace) + offset);
    }
    static dnnl::primitive_attr attributes() {
        dnnl::primitive_attr attr;
        attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
        return attr;
    }
    // Copies between layouts of a kernel where they differ; else both names are one memory.
    memory reordered(const memory& from, const memory::desc& to) {
        if (from.get_desc() == to) return from;
        const memory result = scratch(to);
        add_reorder(from, result);
        return result;
    }
    void add_reorder(const memory& from, const memory& to) {
        const dnnl::reorder::primitive_desc pd(onednn_engine(), from.get_desc(), onednn_engine(),
                                               to.get_desc(), attributes());
        std::vector<std::pair<int, memory>> arguments{{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
        if (pd.scratchpad_desc().get_size() > 0)
            arguments.emplace_back(DNNL_ARG_SCRATCHPAD, scratch(pd.scratchpad_desc()));
        calls_.emplace_back(dnnl::reorder(pd), arguments);
    }

    int threads_;
    dnnl::stream stream_;
    std::vector<OnednnCall> calls_;

private:
    std::vector<std::pair<memory, std::size_t>> scratch_;
    std::size_t workspace_bytes_ = 0;
};

class ForwardKernel final : public OnednnKernel {
public:
    ForwardKernel(int threads, const WindowSizes& s, const ops::Conv2D& op)
        : OnednnKernel(threads), activation_(op.activation), count_(s.n * s.oh * s.ow * s.f) {
        const Descriptors d = descriptors(s, op.groups);
        dnnl::primitive_attr attr = attributes();
        if (op.activation.kind == ops::ActivationKind::relu) {
            dnnl::post_ops fused;
            fused.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
            attr.set_post_ops(fused);
            activation_.kind = ops::ActivationKind::linear;
        }
        const dnnl::convolution_forward::desc desc(
            dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct, d.nhwc(d.image),
            d.any_kernel(), d.bias_desc(op.has_bias), d.nhwc(d.result), d.strides, d.dilates,
            d.pad_low, d.pad_high);
        const dnnl::convolution_forward::primitive_desc pd(desc, attr, onednn_engine());
        x_ = take(pd.src_desc());
        kernel_ = take(d.keras_kernel());
        y_ = take(pd.dst_desc());
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
        y_.set_data_handle(outputs[0].data);
        y_data_ = outputs[0].as<float>();
        bind_scratch(workspace);
    }

    void run(const ops::StepScalars& scalars) override {
        OnednnKernel::run(scalars);
        activate_in_place(activation_, y_data_, count_, threads_);
    }

private:
    ops::Activation activation_;
    std::int64_t count_;
    float* y_data_ = nullptr;
    memory x_, kernel_, bias_, y_;
};

dnnl::convolution_forward::primitive_desc forward_hint(const Descriptors& d, bool has_bias) {
    const dnnl::convolution_forward::desc desc(
        dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct, d.nhwc(d.image),
        d.any_kernel(), d.bias_desc(has_bias), d.nhwc(d.result), d.strides, d.dilates, d.pad_low,
        d.pad_high);
    return {desc, onednn_engine()};
}

class BackwardDataKernel final : public OnednnKernel {
public:
    BackwardDataKernel(int threads, const WindowSizes& s, int groups) : OnednnKernel(threads) {
        const Descriptors d = descriptors(s, groups);
        const dnnl::convolution_backward_data::desc desc(
            dnnl::algorithm::convolution_direct, d.nhwc(d.image), d.any_kernel(), d.nhwc(d.result),
            d.strides, d.dilates, d.pad_low, d.pad_high);
        const dnnl::convolution_backward_data::primitive_desc pd(
            desc, attributes(), onednn_engine(), forward_hint(d, false));
        dx_ = take(pd.diff_src_desc());
        kernel_ = take(d.keras_kernel());
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
    BackwardWeightsKernel(int threads, const WindowSizes& s, const ops::Conv2DBackwardWeights& op)
        : OnednnKernel(threads) {
        const Descriptors d = descriptors(s, op.groups);
        const dnnl::convolution_backward_weights::desc desc(
            dnnl::algorithm::convolution_direct, d.nhwc(d.image), d.any_kernel(),
            d.bias_desc(op.has_bias), d.nhwc(d.result), d.strides, d.dilates, d.pad_low,
            d.pad_high);
        const dnnl::convolution_backward_weights::primitive_desc pd(
            desc, attributes(), onednn_engine(), forward_hint(d, op.has_bias));
        x_ = take(pd.src_desc());
        dy_ = take(pd.diff_dst_desc());
        dkernel_ = take(d.keras_kernel());
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

}  // namespace

KernelPtr onednn_conv2d(const Request& request, const WindowSizes& s, const ops::Conv2D& op) {
    return with_onednn(request, [&]() -> KernelPtr {
        return std::make_unique<ForwardKernel>(request.device.threads(), s, op);
    });
}

KernelPtr onednn_conv2d_backward_data(const Request& request, const WindowSizes& s, int groups) {
    return with_onednn(request, [&]() -> KernelPtr {
        return std::make_unique<BackwardDataKernel>(request.device.threads(), s, groups);
    });
}

KernelPtr onednn_conv2d_backward_weights(const Request& request, const WindowSizes& s,
                                         const ops::Conv2DBackwardWeights& op) {
    return with_onednn(request, [&]() -> KernelPtr {
        return std::make_unique<BackwardWeightsKernel>(request.device.threads(), s, op);
    });
}

}  // namespace strata::cpu
