// Products and convolutions of 16-bit operands beside the float32 ops, and beside PyTorch.
#include "engine/backends/cpu/device.h"
#include "engine/backends/cpu/onednn_matmul.h"
#include "engine/core/error.h"
#include "engine/ops/conv2d.h"
#include "engine/ops/matmul.h"
#include "engine/ops/pool2d.h"
#include "half_case.h"
#include "tests/engine/core/reference.h"

namespace strata::test {
namespace {

using ops::ActivationKind;

double sum_error(std::int64_t terms) {
    return 1e-6 * std::sqrt(static_cast<double>(terms) + 4.0);
}

struct Product {
    std::int64_t m, n, k;
    bool transpose_a, transpose_b;
    Shape a() const { return transpose_a ? Shape{k, m} : Shape{m, k}; }
    Shape b() const { return transpose_b ? Shape{n, k} : Shape{k, n}; }
    std::string text() const {
        return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) +
               (transpose_a ? "T" : "N") + (transpose_b ? "T" : "N");
    }
};

// The largest are cut into panels.
std::vector<Product> products() {
    std::vector<Product> all;
    for (const bool a : {false, true})
        for (const bool b : {false, true})
            for (const auto& [m, n, k] : {std::array{33, 17, 40}, std::array{1, 10, 1},
                                          std::array{3, 4200, 300}, std::array{3, 300, 4200}})
                all.push_back({m, n, k, a, b});
    return all;
}

TYPED_TEST(HalfOps, ProductsOfAllTranspositions) {
    for (const Product& p : products()) {
        const Floats a = random_floats(p.m * p.k, 1), b = random_floats(p.k * p.n, 2);
        HalfCase<TypeParam> narrow{ops::Matmul{p.transpose_a, p.transpose_b, false, {}}};
        narrow.input(p.a(), a).input(p.b(), b).output({p.m, p.n}).run();
        narrow.expect_near(sum_error(p.k), p.text());
        HalfCase<TypeParam> wide{ops::Matmul{p.transpose_a, p.transpose_b, false, {}}};
        wide.input(p.a(), a).input(p.b(), b).shared_output({p.m, p.n}).run();
        wide.expect_close(sum_error(p.k), p.text());
    }
}

TYPED_TEST(HalfOps, ProductsWithBiasAndActivation) {
    const Floats a = random_floats(20 * 30, 3), b = random_floats(30 * 12, 4);
    const Floats bias = random_floats(12, 5);
    for (const ActivationKind kind : {ActivationKind::linear, ActivationKind::relu,
                                      ActivationKind::tanh, ActivationKind::leaky_relu}) {
        const ops::Matmul op{false, false, true, {kind, 0.2F}};
        HalfCase<TypeParam> narrow{op}, wide{op};
        narrow.input({20, 30}, a).input({30, 12}, b).input({12}, bias).output({20, 12}).run();
        narrow.expect_near(sum_error(30), ops::name_of(kind));
        wide.input({20, 30}, a).input({30, 12}, b).shared_input({12}, bias);
        wide.shared_output({20, 12}).run().expect_close(sum_error(30), ops::name_of(kind));
    }
}

TYPED_TEST(HalfOps, ProductsOverNothing) {
    OpCase op{ops::Matmul{false, false, true, {}}};
    op.input({2, 0}, std::vector<TypeParam>{}).input({0, 3}, std::vector<TypeParam>{});
    op.input({3}, rounded<TypeParam>({1, 2, 3})).template output<TypeParam>({2, 3}).run();
    EXPECT_EQ(op.template result<TypeParam>(), rounded<TypeParam>({1, 2, 3, 1, 2, 3}));
    OpCase empty{ops::Matmul{}};
    empty.input({0, 2}, std::vector<TypeParam>{}).input({2, 3}, std::vector<TypeParam>(6));
    EXPECT_TRUE(empty.output({0, 3}).run().result().empty());
}

// oneDNN's primitive, which takes bfloat16 where the machine has it, tried with float32 operands.
TEST(OnednnMatmul, IsTheProduct) {
    device::DeviceOptions options;
    options.threads = 2;
    const std::string id = "cpu:0";
    device::DeviceInfo info;
    info.id = id;
    cpu::CpuDevice device(info, options);
    for (const ActivationKind kind : {ActivationKind::relu, ActivationKind::tanh}) {
        for (const Product& p : products()) {
            const ops::Matmul op{p.transpose_a, p.transpose_b, true, {kind}};
            Floats a = random_floats(p.m * p.k, 6), b = random_floats(p.k * p.n, 7);
            Floats bias = random_floats(p.n, 8), c(static_cast<std::size_t>(p.m * p.n), NAN);
            OpCase expected{op};
            expected.input(p.a(), a).input(p.b(), b).input({p.n}, bias).output({p.m, p.n}).run();
            const std::vector<Tensor> inputs{{a.data(), DType::float32, p.a()},
                                             {b.data(), DType::float32, p.b()},
                                             {bias.data(), DType::float32, {p.n}}};
            const std::vector<Tensor> outputs{{c.data(), DType::float32, {p.m, p.n}}};
            const cpu::Request request{{id, "Matmul", inputs, outputs}, device};
            const auto kernel = cpu::onednn_matmul(request, ops::matmul_sizes(request, op), op);
            std::vector<std::byte> workspace(kernel->workspace_bytes() + 64);
            void* start = workspace.data();
            std::size_t room = workspace.size();
            kernel->bind(inputs, outputs, std::align(64, room - 63, start, room));
            kernel->run({});
            // Two chains of k sums, each rounding its own way: apart by about sqrt(k).
            const double tolerance = 1e-5 * std::max(1.0, std::sqrt(static_cast<double>(p.k)) / 16);
            expect_close(c, to_doubles(expected.result()), tolerance, p.text());
        }
    }
}

TYPED_TEST(HalfOps, BiasGradients) {
    const Shape dy{700, 37};
    const Floats values = random_floats(dy.elements(), 9);
    HalfCase<TypeParam> narrow{ops::BiasGradient{}}, wide{ops::BiasGradient{}};
    narrow.input(dy, values).output({37}).run().expect_rounded();
    wide.input(dy, values).shared_output({37}).run().expect_close(0.0);
}

struct ConvCase {
    Shape x, kernel, y;
    ops::Window2D window;
    int groups = 1;
};

const ConvCase convolutions[] = {
    {{3, 9, 9, 1}, {3, 3, 1, 32}, {3, 7, 7, 32}, {3, 3}},
    {{2, 13, 13, 32}, {3, 3, 32, 64}, {2, 11, 11, 64}, {3, 3}},
    {{2, 8, 8, 4}, {3, 3, 4, 6}, {2, 4, 4, 6}, {3, 3, 2, 2, 1, 1, 0, 0, 1, 1}},
    {{2, 7, 7, 8}, {3, 3, 4, 6}, {2, 7, 7, 6}, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}, 2},
    {{0, 8, 8, 4}, {3, 3, 4, 6}, {0, 6, 6, 6}, {3, 3}},
};

TYPED_TEST(HalfOps, Convolutions) {
    for (const ConvCase& k : convolutions) {
        const std::string what = k.x.text();
        const std::int64_t f = k.y[3], taps = k.kernel.elements() / f;
        const Floats x = random_floats(k.x.elements(), 10), dy = random_floats(k.y.elements(), 11);
        const Floats kernel = random_floats(k.kernel.elements(), 12), bias = random_floats(f, 13);
        for (const ActivationKind kind : {ActivationKind::relu, ActivationKind::tanh}) {
            const ops::Conv2D op{k.window, k.groups, true, {kind}};
            HalfCase<TypeParam> narrow{op}, wide{op};
            narrow.input(k.x, x).input(k.kernel, kernel).input({f}, bias).output(k.y).run();
            narrow.expect_near(sum_error(taps), what);
            wide.input(k.x, x).input(k.kernel, kernel).shared_input({f}, bias);
            wide.shared_output(k.y).run().expect_close(sum_error(taps), what);
        }
        HalfCase<TypeParam> data{ops::Conv2DBackwardData{k.window, k.groups}};
        data.input(k.y, dy).input(k.kernel, kernel).output(k.x).run();
        data.expect_near(sum_error(taps * f), what);
        HalfCase<TypeParam> weights{ops::Conv2DBackwardWeights{k.window, k.groups, true}};
        weights.input(k.x, x).input(k.y, dy).shared_output(k.kernel).shared_output({f}).run();
        const std::int64_t pixels = k.y.elements() / f;
        weights.expect_close(sum_error(pixels), what);
        weights.expect_close(sum_error(pixels), what, 1);
        HalfCase<TypeParam> rounds{ops::Conv2DBackwardWeights{k.window, k.groups, false}};
        rounds.input(k.x, x).input(k.y, dy).output(k.kernel).run();
        rounds.expect_near(sum_error(pixels), what);
    }
}

TYPED_TEST(HalfOps, ProductsRefuseOtherTypes) {
    const auto half = rounded<TypeParam>({1, 2, 3, 4});
    OpCase mixed{ops::Matmul{}};
    mixed.input({2, 2}, half).input({2, 2}, Floats{1, 2, 3, 4}).output({2, 2});
    EXPECT_THROW(mixed.run(), Error);
    OpCase narrowed{ops::Matmul{}};
    narrowed.input({2, 2}, Floats{1, 2, 3, 4}).input({2, 2}, Floats{1, 2, 3, 4});
    EXPECT_THROW(narrowed.template output<TypeParam>({2, 2}).run(), Error);
    OpCase doubles{ops::BiasGradient{}};
    doubles.input({2, 2}, half).template output<double>({2});
    EXPECT_THROW(doubles.run(), Error);
    OpCase convolution{ops::Conv2D{}};
    convolution.input({1, 1, 1, 1}, rounded<TypeParam>({1})).input({1, 1, 1, 1}, Floats{1});
    EXPECT_THROW(convolution.output({1, 1, 1, 1}).run(), Error);
}

template <typename T>
class PyTorch {
public:
    PyTorch() : cases_(testing::read_reference("halves.json").at(name_of(dtype_of<T>()))) {}

    std::vector<T> operator[](const char* name) const {
        std::vector<T> values;
        for (const std::uint32_t bits : testing::flat<std::uint32_t>(cases_.at(name)))
            values.push_back(T{static_cast<std::uint16_t>(bits)});
        return values;
    }
    // At most `steps` of T apart, or less than `tolerance`.
    void expect(const OpCase& op, const char* name, int steps, float tolerance = 0.0F) const {
        const std::vector<T> actual = op.result<T>(), expected = (*this)[name];
        ASSERT_EQ(actual.size(), expected.size()) << name;
        for (std::size_t i = 0; i < actual.size(); ++i) {
            if (std::abs(to_float(actual[i]) - to_float(expected[i])) < tolerance) continue;
            EXPECT_LE(std::abs(place_of(actual[i]) - place_of(expected[i])), steps)
                << name << ' ' << i << ": " << to_float(actual[i]);
        }
    }

private:
    Json cases_;
};

TYPED_TEST(HalfOps, ProductsAndPoolsAsPyTorch) {
    const PyTorch<TypeParam> torch;
    OpCase product{ops::Matmul{false, false, true, {}}};
    product.input({5, 24}, torch["a"]).input({24, 7}, torch["b"]).input({7}, torch["bias"]);
    torch.expect(product.template output<TypeParam>({5, 7}).run(), "product", 1);
    OpCase convolution{ops::Conv2D{{3, 3}, 1, false, {}}};
    convolution.input({2, 6, 5, 4}, torch["x"]).input({3, 3, 4, 6}, torch["kernel"]);
    torch.expect(convolution.template output<TypeParam>({2, 4, 3, 6}).run(), "convolution", 1);
    OpCase maxima{ops::Pool2D{ops::PoolKind::max, {2, 2, 2, 2}}};
    maxima.input({2, 6, 5, 4}, torch["x"]).template output<TypeParam>({2, 3, 2, 4}).run();
    torch.expect(maxima, "maxima", 0);
    OpCase means{ops::Pool2D{ops::PoolKind::average, {2, 2, 2, 2}}};
    means.input({2, 6, 5, 4}, torch["x"]).template output<TypeParam>({2, 3, 2, 4}).run();
    torch.expect(means, "means", 1);
}

TYPED_TEST(HalfOps, ActivationsAndSumsAsPyTorch) {
    const PyTorch<TypeParam> torch;
    for (const char* name : {"softmax", "gelu", "sigmoid"}) {
        OpCase op{ops::ActivationForward{ops::activation_from_name(name)}};
        op.input({4, 11}, torch["scores"]).template output<TypeParam>({4, 11}).run();
        torch.expect(op, name, 1, 1e-6F);  // PyTorch's gelu cancels in its tail
    }
    const std::vector<TypeParam> x = torch["scores"];
    std::vector<TypeParam> rows, columns;
    for (std::size_t i = 0; i < x.size(); ++i) {
        rows.push_back(x[(3 - i / 11) * 11 + i % 11]);
        columns.push_back(x[i / 11 * 11 + 10 - i % 11]);
    }
    OpCase sum{ops::AddN{}};
    sum.input({44}, x).input({44}, rows).input({44}, columns);
    torch.expect(sum.template output<TypeParam>({44}).run(), "sum", 0);
}

}  // namespace
}  // namespace strata::test
