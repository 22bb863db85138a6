// How fast the device's kernels are beside what it can do itself: own kernels beside a plain copy
// of as many bytes, the products of a dense layer beside a plain product of the same size.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/core/half.h"
#include "engine/graph/bound_program.h"
#include "engine/graph/op_measure.h"
#include "engine/graph/runtime.h"
#include "engine/selftest/checks.h"
#include "engine/selftest/stopwatch.h"

namespace strata::selftest {
namespace {

using ops::Program;
using ops::ValueId;

constexpr double enough = 0.004;  // seconds of one run

// One op, and the bytes that it cannot do without.
struct Measured {
    Program program;
    double bytes = 0.0;

    ValueId value(const Shape& shape, DType type, double passes = 1.0) {
        ops::Value made;
        made.shape = shape;
        made.dtype = type;
        made.persistent = true;
        bytes += passes * static_cast<double>(made.bytes());
        return program.add(std::move(made));
    }
    void op(ops::Attributes attributes, std::vector<ValueId> inputs, std::vector<ValueId> outputs) {
        program.ops.push_back({std::move(attributes), std::move(inputs), std::move(outputs), ""});
    }
};

struct Family {
    const char* what;
    std::vector<DType> types;
    Measured (*make)(std::int64_t n, DType type);  // of n elements, a multiple of 64 Ki
};

constexpr std::int64_t channels = 64, classes = 1024;

ops::Activation relu() {
    return {ops::ActivationKind::relu};
}
ops::Window2D halving() {
    return {2, 2, 2, 2, 1, 1, 0, 0, 0, 0};
}
Shape images(std::int64_t n, std::int64_t side) {
    return {n / (side * side * channels), side, side, channels};
}

Measured forward(std::int64_t n, DType type) {
    Measured m;
    const ValueId x = m.value({n}, type);
    m.op(ops::ActivationForward{relu()}, {x}, {m.value({n}, type)});
    return m;
}
Measured backward(std::int64_t n, DType type) {
    Measured m;
    const ValueId dy = m.value({n}, type), y = m.value({n}, type);
    m.op(ops::ActivationBackward{relu()}, {dy, y}, {m.value({n}, type)});
    return m;
}
Measured sum(std::int64_t n, DType type) {
    Measured m;
    const ValueId a = m.value({n}, type), b = m.value({n}, type);
    m.op(ops::AddN{}, {a, b}, {m.value({n}, type)});
    return m;
}
Measured dropout(std::int64_t n, DType type) {
    Measured m;
    const Shape shape{64, n / 64};
    const ValueId x = m.value(shape, type);
    m.op(ops::Dropout{0.5F, 1}, {x}, {m.value(shape, type)});
    return m;
}
// Of so many arrays and, of each channel, so many vectors. The statistics come first: the arrays
// are read twice.
Measured normalized(const ops::Attributes& op, std::int64_t n, DType type, int arrays,
                    int vectors) {
    Measured m;
    const Shape shape{n / channels, channels}, each{channels};
    std::vector<ValueId> inputs;
    for (int i = 0; i < arrays; ++i) inputs.push_back(m.value(shape, type, 2.0));
    for (int i = 0; i < vectors; ++i) inputs.push_back(m.value(each, DType::float32));
    std::vector<ValueId> outputs{m.value(shape, type)};
    for (int i = 0; i < 2; ++i) outputs.push_back(m.value(each, DType::float32));
    m.op(op, inputs, outputs);
    return m;
}
Measured normalization(std::int64_t n, DType type) {
    return normalized(ops::BatchNormTraining{}, n, type, 1, 4);
}
Measured normalization_backward(std::int64_t n, DType type) {
    return normalized(ops::BatchNormBackward{}, n, type, 2, 3);
}
Measured pooling(std::int64_t n, DType type) {
    Measured m;
    const ValueId x = m.value(images(n, 16), type);
    const Shape half = images(n / 4, 8);
    m.op(ops::Pool2D{ops::PoolKind::max, halving()}, {x},
         {m.value(half, type), m.value(half, DType::uint8)});
    return m;
}
Measured pooling_backward(std::int64_t n, DType type) {
    Measured m;
    const Shape half = images(n / 4, 8);
    const ValueId dy = m.value(half, type), winners = m.value(half, DType::uint8);
    m.op(ops::Pool2DBackward{ops::PoolKind::max, halving()}, {dy, winners},
         {m.value(images(n, 16), type)});
    return m;
}
Measured cross_entropy(std::int64_t n, DType type) {
    Measured m;
    const Shape logits{n / classes, classes};
    const ValueId z = m.value(logits, type), labels = m.value({n / classes}, DType::int32);
    m.op(ops::SoftmaxCrossEntropy{}, {z, labels},
         {m.value({}, DType::float64), m.value(logits, type)});
    return m;
}
// In place: what is updated is read and written.
Measured adam(std::int64_t n, DType type) {
    Measured m;
    const ValueId w = m.value({n}, type, 2.0), g = m.value({n}, type);
    const ValueId first = m.value({n}, type, 2.0), second = m.value({n}, type, 2.0);
    m.op(ops::AdamUpdate{}, {w, g, first, second, m.value({}, DType::float64)}, {});
    return m;
}
Measured norm(std::int64_t n, DType type) {
    Measured m;
    const ValueId x = m.value({n}, type);
    m.op(ops::SumOfSquares{}, {x}, {m.value({}, DType::float64)});
    return m;
}

const std::vector<Family>& families() {
    static const std::vector<DType> wide{DType::float32}, both{DType::float32, DType::bfloat16};
    static const std::vector<Family> all{
        {"relu", both, forward},
        {"relu, gradient", both, backward},
        {"sum of two", both, sum},
        {"dropout", both, dropout},
        {"batch normalisation", both, normalization},
        {"batch normalisation, gradient", both, normalization_backward},
        {"max pooling", both, pooling},
        {"max pooling, gradient", both, pooling_backward},
        {"softmax and cross-entropy", wide, cross_entropy},
        {"Adam", wide, adam},
        {"norm of the gradient", wide, norm}};
    return all;
}

const char* precision_of(DType type) {
    return type == DType::bfloat16  ? "mixed_bfloat16"
           : type == DType::float16 ? "mixed_float16"
                                    : "float32";
}

void fill(graph::BoundProgram& bound, const Program& program) {
    for (const ValueId id : program.ops[0].inputs) {
        const std::vector<std::byte> values = graph::made_up_values(program[id]);
        bound.device().copy_in(bound.address(id), values.data(), values.size());
        bound.device().synchronize();
    }
}

struct Seconds {
    double own = 0.0, copy = 0.0, bytes = 0.0;
};

// The op, then a plain copy that reads and writes as many bytes, on the same device.
Seconds measure(const Measured& measured, const std::string& id) {
    Seconds seconds;
    seconds.bytes = measured.bytes;
    {
        graph::BoundProgram bound(measured.program, {}, id, {});
        fill(bound, measured.program);
        const ops::StepScalars scalars;
        seconds.own = seconds_of(bound.device(), [&] { bound.run(scalars); });
    }
    Measured plain;
    const auto half = static_cast<std::int64_t>(measured.bytes / 2.0);
    const ValueId from = plain.value({half}, DType::uint8), to = plain.value({half}, DType::uint8);
    plain.op(ops::CopyBlock{.rows = 1, .width = 1}, {from}, {to});
    graph::BoundProgram bound(plain.program, {}, id, {});
    device::Device& device = bound.device();
    seconds.copy = seconds_of(device, [&] {
        device.copy_to(device, bound.address(to), bound.address(from),
                       static_cast<std::size_t>(half));
    });
    return seconds;
}

// What a CPU's copy is no measure of: its threads read what its caches hold.
void beside(Line& line, double share, const std::string& of) {
    line.measured += ", " + percent_text(share) + " of " + of;
    line.figures["share"] = share;
    if (line.device.starts_with("cpu"))
        line.outcome = Outcome::told;
    else if (share < wanted_share)
        line.outcome = Outcome::slow;
}

double room(const Teller& teller) {
    const auto device = graph::runtime().open(teller.device(), {});
    const auto memory = static_cast<double>(device->info().memory);
    return memory > 0.0 ? memory / 16.0 : 1e8;
}

void check_kernels(const Teller& teller) {
    constexpr double least = 1 << 16, most = 1 << 28;  // elements
    const double bytes = room(teller);
    for (const Family& family : families())
        for (const DType type : family.types)
            teller.line(family.what, precision_of(type), [&](Line& line) {
                Seconds seconds;
                grow(least, std::min(most, bytes / 16.0), enough, 4.0, [&](double n) {
                    seconds =
                        measure(family.make(static_cast<std::int64_t>(n), type), teller.device());
                    return seconds.own;
                });
                line.measured = rate_text(seconds.bytes / seconds.own, "B");
                line.figures = {{"bytes_per_s", seconds.bytes / seconds.own},
                                {"copy_bytes_per_s", seconds.bytes / seconds.copy}};
                beside(line, seconds.copy / seconds.own, "a copy");
            });
}

// ---- products

struct Product {
    const char* what;
    bool transpose_a, transpose_b, epilogue;
};
constexpr Product layer_products[] = {{"dense layer", false, false, true},
                                      {"dense layer, gradient of the weights", true, false, false},
                                      {"dense layer, gradient of the input", false, true, false}};
constexpr Product plain_product{"plain product", false, false, false};

double product_seconds(const Product& product, std::int64_t n, DType type, const std::string& id,
                       const device::DeviceOptions& options) {
    Measured m;
    ops::Matmul op{product.transpose_a, product.transpose_b, product.epilogue, {}};
    if (product.epilogue) op.activation = relu();
    std::vector<ValueId> inputs{m.value({n, n}, type), m.value({n, n}, type)};
    if (product.epilogue) inputs.push_back(m.value({n}, DType::float32));
    m.op(op, inputs, {m.value({n, n}, type)});
    graph::BoundProgram bound(m.program, {}, id, options);
    fill(bound, m.program);
    const ops::StepScalars scalars;
    return seconds_of(bound.device(), [&] { bound.run(scalars); });
}

void check_products(const Teller& teller, const std::string& precision, DType type,
                    const device::DeviceOptions& options) {
    constexpr double least = 128, most = 8192;
    const double largest = std::min(most, std::sqrt(room(teller) / 16.0));
    Sized plain;
    const auto flops = [&] { return 2.0 * std::pow(plain.size, 3); };
    teller.line(plain_product.what, precision, [&](Line& line) {
        plain = grow(least, largest, enough, 2.0, [&](double n) {
            return product_seconds(plain_product, static_cast<std::int64_t>(n), type,
                                   teller.device(), options);
        });
        line.outcome = Outcome::told;
        line.measured = rate_text(flops() / plain.seconds, "FLOP") + ", side " +
                        std::to_string(std::lround(plain.size));
        line.figures = {{"flops_per_s", flops() / plain.seconds}, {"side", plain.size}};
    });
    if (plain.size == 0.0) return;  // it failed
    for (const Product& product : layer_products)
        teller.line(product.what, precision, [&](Line& line) {
            const double seconds = product_seconds(product, static_cast<std::int64_t>(plain.size),
                                                   type, teller.device(), options);
            line.measured = rate_text(flops() / seconds, "FLOP");
            line.figures = {{"flops_per_s", flops() / seconds}};
            beside(line, plain.seconds / seconds, "the plain product");
        });
}

}  // namespace

void check_speed(const Teller& teller) {
    check_kernels(teller);
    check_products(teller, "float32", DType::float32, {});
    if (!teller.device().starts_with("cpu")) {
        device::DeviceOptions options;
        options.allow_tf32 = true;
        check_products(teller, "float32 as TF32", DType::float32, options);
    }
    check_products(teller, precision_of(DType::bfloat16), DType::bfloat16, {});
    check_products(teller, precision_of(DType::float16), DType::float16, {});
}

}  // namespace strata::selftest
