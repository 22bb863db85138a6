// A kernel made of oneDNN calls over memories with addresses given at bind(), and what the families
// with such kernels share. Included by them alone.
#pragma once

#include <string_view>

#include "engine/backends/cpu/activation.h"
#include "engine/backends/cpu/convert.h"
#include "engine/backends/cpu/onednn.h"
#include "engine/device/arena.h"

namespace strata::cpu {

dnnl::memory::data_type onednn_type(DType type);  // of a compute type

// Whether oneDNN has instructions for bfloat16 here; its emulation is slower than float32.
bool onednn_has_bfloat16();

// oneDNN's kernels for any operands are far slower than float32 ones: declines them.
template <typename PrimitiveDesc>
const PrimitiveDesc& expect_fast(const PrimitiveDesc& pd, DType type) {
    if (is_16_bit_float(type) && std::string_view(pd.impl_info_str()).starts_with("ref"))
        throw dnnl::error(dnnl_unimplemented, "there is no fast kernel");
    return pd;
}

// make() with the device's thread count where the operands are bfloat16 and oneDNN has a fast
// kernel for them; else nullptr.
template <typename Make>
KernelPtr bfloat16_kernel(const Request& request, DType type, const Make& make) {
    if (type != DType::bfloat16 || !onednn_has_bfloat16()) return nullptr;
    set_onednn_threads(request.device.threads());
    try {
        return make();
    } catch (const dnnl::error&) {
        return nullptr;
    }
}

class OnednnKernel : public ops::Kernel {
public:
    explicit OnednnKernel(int threads) : threads_(threads), stream_(onednn_engine()) {}

    std::size_t workspace_bytes() const override { return workspace_bytes_; }

    void run(const ops::StepScalars&) override {
        set_onednn_threads(threads_);
        for (const OnednnCall& call : calls_) call.run(stream_);
    }

protected:
    using memory = dnnl::memory;

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
        memory result = scratch(to);
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

// The activation behind a primitive. What the primitive cannot fuse is computed on its float32
// result, which is rounded after it: a 16-bit result is then staged in the workspace.
class FusedActivation {
public:
    FusedActivation(const ops::Activation& activation, DType type, std::int64_t count)
        : rest_(activation), type_(type), count_(count) {
        if (activation.kind == ops::ActivationKind::relu) rest_.kind = ops::ActivationKind::linear;
        fused_ = rest_.kind != activation.kind;
    }

    bool staged() const {
        return is_16_bit_float(type_) && rest_.kind != ops::ActivationKind::linear;
    }
    DType primitive_type() const { return staged() ? DType::float32 : type_; }

    void add_to(dnnl::primitive_attr& attributes) const {
        if (!fused_) return;
        dnnl::post_ops post;
        post.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
        attributes.set_post_ops(post);
    }

    // from: what the primitive wrote; to: the op's result, the same where it is not staged.
    void finish(void* from, void* to, int threads) const {
        if (rest_.kind == ops::ActivationKind::linear) return;
        auto* const y = static_cast<float*>(from);
        activate_in_place(rest_, y, count_, threads);
        if (staged()) from_float32(type_, y, to, count_, threads);
    }

private:
    ops::Activation rest_;
    DType type_;
    std::int64_t count_;
    bool fused_ = false;
};

}  // namespace strata::cpu
