#include "engine/backends/cpu/onednn_matmul.h"

#include "engine/backends/cpu/onednn_kernel.h"

namespace strata::cpu {
namespace {

class MatmulKernel final : public OnednnKernel {
public:
    MatmulKernel(const Request& request, const ops::MatmulSizes& s, const ops::Matmul& op)
        : OnednnKernel(request.device.threads()),
          activation_(op.activation, request.outputs[0].dtype, s.m * s.n) {
        const auto type = onednn_type(s.type);
        const memory::desc a({s.m, s.k}, type, strides(s.m, s.k, op.transpose_a));
        const memory::desc b({s.k, s.n}, type, strides(s.k, s.n, op.transpose_b));
        const memory::desc c({s.m, s.n}, onednn_type(activation_.primitive_type()),
                             strides(s.m, s.n, false));
        const memory::desc bias = op.has_bias
                                      ? memory::desc({1, s.n}, onednn_type(request.inputs[2].dtype),
                                                     strides(1, s.n, false))
                                      : memory::desc();
        dnnl::primitive_attr attr = attributes();
        activation_.add_to(attr);
        const dnnl::matmul::desc desc =
            op.has_bias ? dnnl::matmul::desc(a, b, bias, c) : dnnl::matmul::desc(a, b, c);
        const dnnl::matmul::primitive_desc pd(desc, attr, onednn_engine());
        expect_fast(pd, s.type);
        a_ = take(a);
        b_ = take(b);
        c_ = activation_.staged() ? scratch(c) : take(c);
        std::vector<std::pair<int, memory>> arguments{
            {DNNL_ARG_SRC, a_},
            {DNNL_ARG_WEIGHTS, b_},
            {DNNL_ARG_DST, c_},
            {DNNL_ARG_SCRATCHPAD, scratch(pd.scratchpad_desc())}};
        if (op.has_bias) {
            bias_ = take(bias);
            arguments.emplace_back(DNNL_ARG_BIAS, bias_);
        }
        calls_.emplace_back(dnnl::matmul(pd), arguments);
    }

    void bind(Tensors inputs, Tensors outputs, void* workspace) override {
        a_.set_data_handle(inputs[0].data);
        b_.set_data_handle(inputs[1].data);
        if (bias_) bias_.set_data_handle(inputs[2].data);
        result_ = outputs[0].data;
        if (!activation_.staged()) c_.set_data_handle(result_);
        bind_scratch(workspace);
    }

    void run(const ops::StepScalars& scalars) override {
        OnednnKernel::run(scalars);
        activation_.finish(c_.get_data_handle(), result_, threads_);
    }

private:
    // Of a (rows, columns) matrix that is stored so, or transposed.
    static memory::dims strides(std::int64_t rows, std::int64_t columns, bool transposed) {
        return transposed ? memory::dims{1, rows} : memory::dims{columns, 1};
    }

    FusedActivation activation_;
    memory a_, b_, bias_, c_;
    void* result_ = nullptr;
};

}  // namespace

KernelPtr onednn_matmul(const Request& request, const ops::MatmulSizes& sizes,
                        const ops::Matmul& op) {
    return with_onednn(
        request, [&]() -> KernelPtr { return std::make_unique<MatmulKernel>(request, sizes, op); });
}

KernelPtr onednn_bfloat16_matmul(const Request& request, const ops::MatmulSizes& sizes,
                                 const ops::Matmul& op) {
    return bfloat16_kernel(request, sizes.type, [&]() -> KernelPtr {
        return std::make_unique<MatmulKernel>(request, sizes, op);
    });
}

}  // namespace strata::cpu
