#include "onednn_limit.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <dnnl.hpp>
#include <unordered_map>

#include "models.h"

namespace strata::benchmarks {
namespace {

using dnnl::memory;
using Clock = std::chrono::steady_clock;
constexpr auto f32 = memory::data_type::f32;
constexpr auto any = memory::format_tag::any;

const dnnl::engine& engine() {
    static const dnnl::engine made(dnnl::engine::kind::cpu, 0);
    return made;
}

// The best of many runs, after warming up.
template <typename Run>
double best_seconds(const Run& run) {
    double best = 1e9;
    for (int i = 0; i < 300; ++i) {
        const auto start = Clock::now();
        run();
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return best;
}

double time_of(const dnnl::primitive& primitive,
               const std::vector<std::pair<int, memory::desc>>& operands) {
    dnnl::stream stream(engine());
    std::unordered_map<int, memory> arguments;
    for (const auto& [name, desc] : operands) {
        memory operand(desc, engine());
        auto* data = static_cast<float*>(operand.get_data_handle());
        std::fill_n(data, desc.get_size() / sizeof(float), 0.01F);
        arguments.emplace(name, std::move(operand));
    }
    return best_seconds([&] {
        primitive.execute(stream, arguments);
        stream.wait();
    });
}

double matmul_seconds(const ops::Matmul& op, const Shape& a, const Shape& c) {
    const std::int64_t n = c[-1], m = c.elements() / n;
    const std::int64_t k = a.elements() / m;
    double best = 1e9;
    // As it lies in memory, and as oneDNN would have it.
    for (bool free : {false, true}) {
        using tag = memory::format_tag;
        const memory::desc da({m, k}, f32, free ? any : (op.transpose_a ? tag::ba : tag::ab));
        const memory::desc db({k, n}, f32, free ? any : (op.transpose_b ? tag::ba : tag::ab));
        const memory::desc dc({m, n}, f32, free ? any : tag::ab);
        const dnnl::matmul::primitive_desc pd(dnnl::matmul::desc(da, db, dc), engine());
        best = std::min(best, time_of(dnnl::matmul(pd), {{DNNL_ARG_SRC, pd.src_desc()},
                                                         {DNNL_ARG_WEIGHTS, pd.weights_desc()},
                                                         {DNNL_ARG_DST, pd.dst_desc()}}));
    }
    std::vector<float> va(static_cast<std::size_t>(m * k), 0.01F),
        vb(static_cast<std::size_t>(k * n), 0.01F), vc(static_cast<std::size_t>(m * n));
    return std::min(best, best_seconds([&] {
                        dnnl_sgemm(op.transpose_a ? 'T' : 'N', op.transpose_b ? 'T' : 'N', m, n, k,
                                   1.0F, va.data(), op.transpose_a ? m : k, vb.data(),
                                   op.transpose_b ? k : n, 0.0F, vc.data(), n);
                    }));
}

enum class Pass { forward, data, weights };

double conv_seconds(Pass pass, const Shape& x, const Shape& y, const ops::Window2D& w,
                    memory::format_tag images) {
    const memory::desc dx({x[0], x[3], x[1], x[2]}, f32, images);
    const memory::desc dk({y[3], x[3], w.kernel_h, w.kernel_w}, f32, any);
    const memory::desc dy({y[0], y[3], y[1], y[2]}, f32, images);
    const memory::dims strides{w.stride_h, w.stride_w};
    const memory::dims dilates{w.dilation_h - 1, w.dilation_w - 1};
    const memory::dims low{w.pad_top, w.pad_left}, high{w.pad_bottom, w.pad_right};
    const auto direct = dnnl::algorithm::convolution_direct;
    const dnnl::convolution_forward::primitive_desc forward(
        {dnnl::prop_kind::forward_training, direct, dx, dk, dy, strides, dilates, low, high},
        engine());
    if (pass == Pass::forward)
        return time_of(dnnl::convolution_forward(forward),
                       {{DNNL_ARG_SRC, forward.src_desc()},
                        {DNNL_ARG_WEIGHTS, forward.weights_desc()},
                        {DNNL_ARG_DST, forward.dst_desc()}});
    if (pass == Pass::data) {
        const dnnl::convolution_backward_data::primitive_desc pd(
            {direct, dx, dk, dy, strides, dilates, low, high}, engine(), forward);
        return time_of(dnnl::convolution_backward_data(pd),
                       {{DNNL_ARG_DIFF_SRC, pd.diff_src_desc()},
                        {DNNL_ARG_WEIGHTS, pd.weights_desc()},
                        {DNNL_ARG_DIFF_DST, pd.diff_dst_desc()}});
    }
    const dnnl::convolution_backward_weights::primitive_desc pd(
        {direct, dx, dk, dy, strides, dilates, low, high}, engine(), forward);
    return time_of(dnnl::convolution_backward_weights(pd),
                   {{DNNL_ARG_SRC, pd.src_desc()},
                    {DNNL_ARG_DIFF_WEIGHTS, pd.diff_weights_desc()},
                    {DNNL_ARG_DIFF_DST, pd.diff_dst_desc()}});
}

double best_conv_seconds(Pass pass, const Shape& x, const Shape& y, const ops::Window2D& w) {
    return std::min(conv_seconds(pass, x, y, w, any),
                    conv_seconds(pass, x, y, w, memory::format_tag::nhwc));
}

double op_seconds(const ops::Program& program, const ops::Op& op) {
    const auto in = [&](std::size_t i) { return program[op.inputs[i]].shape; };
    const auto out = [&] { return program[op.outputs[0]].shape; };
    if (const auto* matmul = std::get_if<ops::Matmul>(&op.attributes))
        return matmul_seconds(*matmul, in(0), out());
    if (const auto* conv = std::get_if<ops::Conv2D>(&op.attributes))
        return best_conv_seconds(Pass::forward, in(0), out(), conv->window);
    if (const auto* conv = std::get_if<ops::Conv2DBackwardData>(&op.attributes))
        return best_conv_seconds(Pass::data, out(), in(0), conv->window);
    if (const auto* conv = std::get_if<ops::Conv2DBackwardWeights>(&op.attributes))
        return best_conv_seconds(Pass::weights, in(0), in(1), conv->window);
    return 0.0;
}

}  // namespace

double onednn_step_seconds(const std::string& name, std::int64_t batch, int threads) {
    if (threads > 0) omp_set_num_threads(threads);
    const graph::Model model = make_model(name);
    const graph::TrainingSetup setup = make_setup();
    const graph::ModelReport report = graph::require_valid(model);
    const graph::Plan plan =
        graph::make_plan(model, report, graph::lay_out_state(model, report, &setup), &setup,
                         graph::Mode::train, batch, DType::uint8);
    double seconds = 0.0;
    for (const ops::Op& op : plan.program.ops) {
        const double time = op_seconds(plan.program, op);
        if (time > 0.0)
            std::fprintf(stderr, "%8.1f us  %s  %s\n", time * 1e6, ops::name_of(op.attributes),
                         op.layer.c_str());
        seconds += time;
    }
    return seconds;
}

}  // namespace strata::benchmarks
