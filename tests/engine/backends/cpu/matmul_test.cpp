// The CPU backend's matmul ops against plain loops in float64.
#include "engine/ops/matmul.h"

#include <dlfcn.h>
#include <dnnl.h>

#include <cmath>

#include "activation_reference.h"
#include "engine/core/error.h"
#include "op_case.h"

namespace {

bool product_fails = false;

}  // namespace

// Stands before oneDNN's own, to let it fail: no operands that a kernel accepts make it fail.
extern "C" dnnl_status_t dnnl_sgemm(char transpose_a, char transpose_b, dnnl_dim_t m, dnnl_dim_t n,
                                    dnnl_dim_t k, float alpha, const float* a, dnnl_dim_t lda,
                                    const float* b, dnnl_dim_t ldb, float beta, float* c,
                                    dnnl_dim_t ldc) {
    if (product_fails) return dnnl_out_of_memory;
    static const auto next =
        reinterpret_cast<decltype(&dnnl_sgemm)>(dlsym(RTLD_NEXT, "dnnl_sgemm"));
    return next(transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

namespace strata::test {
namespace {

struct Sizes {
    std::int64_t m, n, k;
};

Doubles reference(const ops::Matmul& op, Sizes s, const Floats& a, const Floats& b,
                  const Floats& bias) {
    Doubles c;
    for (std::int64_t i = 0; i < s.m; ++i) {
        for (std::int64_t j = 0; j < s.n; ++j) {
            double sum = op.has_bias ? static_cast<double>(bias[static_cast<std::size_t>(j)]) : 0.0;
            for (std::int64_t p = 0; p < s.k; ++p) {
                const std::int64_t at_a = op.transpose_a ? p * s.m + i : i * s.k + p;
                const std::int64_t at_b = op.transpose_b ? j * s.k + p : p * s.n + j;
                sum += static_cast<double>(a[static_cast<std::size_t>(at_a)]) *
                       static_cast<double>(b[static_cast<std::size_t>(at_b)]);
            }
            c.push_back(activation_value(op.activation, sum));
        }
    }
    return c;
}

void check(const ops::Matmul& op, Sizes s, int threads = 2) {
    const Floats a = random_floats(s.m * s.k, 1);
    const Floats b = random_floats(s.k * s.n, 2);
    const Floats bias = random_floats(s.n, 3);
    OpCase run(op, threads);
    run.input(op.transpose_a ? Shape{s.k, s.m} : Shape{s.m, s.k}, a);
    run.input(op.transpose_b ? Shape{s.n, s.k} : Shape{s.k, s.n}, b);
    if (op.has_bias) run.input({s.n}, bias);
    run.output({s.m, s.n}).run({}, 2);
    expect_close(run.result(), reference(op, s, a, b, bias),
                 5e-7 * std::sqrt(static_cast<double>(s.k) + 4.0),
                 "m " + std::to_string(s.m) + " n " + std::to_string(s.n) + " k " +
                     std::to_string(s.k) + (op.transpose_a ? " A'" : "") +
                     (op.transpose_b ? " B'" : "") + " " + ops::name_of(op.activation.kind));
}

const std::vector<Sizes> all_sizes{{1, 1, 1},      {1, 10, 128},  {64, 128, 784}, {64, 10, 128},
                                   {784, 128, 64}, {128, 10, 64}, {64, 10, 1600}, {1600, 10, 64},
                                   {64, 1600, 10}, {37, 29, 31},  {3, 257, 5},    {130, 17, 300},
                                   {5, 48, 1},     {16, 16, 16},  {33, 10, 7}};

TEST(Matmul, EveryTransposeAndSize) {
    for (const Sizes& s : all_sizes)
        for (bool a : {false, true})
            for (bool b : {false, true}) check({a, b, false, {}}, s);
}

TEST(Matmul, BiasAndFusedRelu) {
    for (const Sizes& s : all_sizes) {
        check({false, false, true, {}}, s);
        check({false, false, true, {ops::ActivationKind::relu}}, s);
        check({false, true, true, {ops::ActivationKind::relu}}, s);
    }
}

TEST(Matmul, EveryActivationThatCanBeFused) {
    int fused = 0;
    for (const std::string& name : ops::activation_names()) {
        const ops::Activation activation = ops::activation_from_name(name);
        if (ops::is_row_wise(activation.kind) || !ops::derivative_from_output(activation.kind))
            continue;
        ++fused;
        check({false, false, true, activation}, {9, 33, 4});
        check({false, false, false, activation}, {64, 10, 4});
    }
    EXPECT_GE(fused, 19);
}

TEST(Matmul, AnyNumberOfThreads) {
    for (int threads : {1, 2, 3, 5}) {
        check({false, false, true, {ops::ActivationKind::relu}}, {64, 128, 784}, threads);
        check({true, false, false, {}}, {784, 128, 64}, threads);
        check({false, true, false, {}}, {64, 128, 10}, threads);
    }
}

TEST(Matmul, NothingToSumGivesTheBias) {
    OpCase op{ops::Matmul{false, false, true, {}}};
    op.input({2, 0}, Floats{}).input({0, 3}, Floats{}).input({3}, Floats{1, 2, 3});
    op.output({2, 3}).run();
    EXPECT_EQ(op.result(), (Floats{1, 2, 3, 1, 2, 3}));
}

TEST(Matmul, EarlierAxesAreRows) {
    OpCase op{ops::Matmul{}};
    op.input({2, 2, 3}, Floats{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    op.input({3, 1}, Floats{1, 10, 100}).output({2, 2, 1}).run();
    EXPECT_EQ(op.result(), (Floats{321, 654, 987, 1320}));
}

TEST(Matmul, SizesThatDoNotFitAreRefused) {
    OpCase op{ops::Matmul{}};
    op.input({2, 3}, Floats(6)).input({4, 5}, Floats(20)).output({2, 5});
    EXPECT_THROW(op.run(), Error);
}

TEST(Matmul, SoftmaxCannotBeFused) {
    OpCase op{ops::Matmul{false, false, false, {ops::ActivationKind::softmax}}};
    op.input({2, 3}, Floats(6)).input({3, 5}, Floats(15)).output({2, 5});
    EXPECT_THROW(op.run(), Error);
}

TEST(BiasGradient, SumsTheColumns) {
    for (const auto& [m, n] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {1, 1}, {64, 10}, {64, 128}, {7744, 64}, {43264, 32}, {301, 37}}) {
        const Floats dy = random_floats(m * n, 8);
        Doubles expected(static_cast<std::size_t>(n));
        for (std::size_t i = 0; i < dy.size(); ++i)
            expected[i % static_cast<std::size_t>(n)] += static_cast<double>(dy[i]);
        OpCase op{ops::BiasGradient{}};
        op.input({m, n}, dy).output({n}).run({}, 2);
        expect_close(op.result(), expected, 3e-5, "columns");
    }
}

TEST(MatmulFaults, AFailureOfOneDnnIsTold) {
    OpCase op{ops::Matmul{}};
    op.input({2, 3}, Floats(6)).input({3, 2}, Floats(6)).output({2, 2});
    product_fails = true;
    EXPECT_THROW(op.run(), Error);
    product_fails = false;
    EXPECT_NO_THROW(op.run());
}

}  // namespace
}  // namespace strata::test
