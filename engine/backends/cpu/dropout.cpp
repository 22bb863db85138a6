// Inverted dropout from counter-based random numbers: any cut of the batch draws the same mask.
#include "engine/backends/cpu/kernel.h"
#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/simd.h"
#include "engine/core/random.h"

namespace strata::cpu {
namespace {

// Which words are kept, as in uniform(word) >= rate: the 24-bit value decides.
struct Mask {
    std::uint32_t threshold;  // kept where (word >> 8) >= threshold
    float scale;
};

Mask mask_of(float rate) {
    const double exact = static_cast<double>(rate) * 0x1p24;
    const auto below = static_cast<std::uint32_t>(exact);
    return {below + (static_cast<double>(below) < exact ? 1U : 0U), 1.0F / (1.0F - rate)};
}

struct Key {
    std::uint64_t seed;
    std::uint32_t stream, step;
};

// Elements [begin, end) of x, whose element 0 has the flat index `first`: one at a time.
void drop_scalar(const float* x, float* y, std::uint64_t first, std::int64_t begin,
                 std::int64_t end, Key key, Mask mask) {
    for (std::int64_t i = begin; i < end; ++i) {
        const std::uint64_t flat = first + static_cast<std::uint64_t>(i);
        const std::uint32_t word = random::draw(key.seed, key.stream, key.step, flat / 4)[flat % 4];
        y[i] = (word >> 8) >= mask.threshold ? x[i] * mask.scale : 0.0F;
    }
}

// x, y start at a multiple of 4 of the flat index, at counter `counter`; `blocks` of 4 elements.
void drop_blocks(const float* x, float* y, std::uint64_t counter, std::int64_t blocks, Key key,
                 Mask mask) {
    simd([=]() STRATA_BODY {
        constexpr int lanes = 16;
        const std::array<std::uint32_t, 2> start{static_cast<std::uint32_t>(key.seed),
                                                 static_cast<std::uint32_t>(key.seed >> 32)};
        for (std::int64_t b = 0; b < blocks; b += lanes) {
            const int count = static_cast<int>(blocks - b < lanes ? blocks - b : lanes);
            std::uint32_t words[4][lanes];
#pragma omp simd
            for (int l = 0; l < lanes; ++l) {
                const std::uint64_t index = counter + static_cast<std::uint64_t>(b + l);
                std::uint32_t c0 = static_cast<std::uint32_t>(index);
                std::uint32_t c1 = static_cast<std::uint32_t>(index >> 32);
                std::uint32_t c2 = key.step, c3 = key.stream;
                std::uint32_t k0 = start[0], k1 = start[1];
#pragma GCC unroll 10
                for (int round = 0; round < 10; ++round) {
                    const std::uint64_t p = std::uint64_t{0xD2511F53U} * c0;
                    const std::uint64_t q = std::uint64_t{0xCD9E8D57U} * c2;
                    c0 = static_cast<std::uint32_t>(q >> 32) ^ c1 ^ k0;
                    c1 = static_cast<std::uint32_t>(q);
                    c2 = static_cast<std::uint32_t>(p >> 32) ^ c3 ^ k1;
                    c3 = static_cast<std::uint32_t>(p);
                    k0 += 0x9E3779B9U;
                    k1 += 0xBB67AE85U;
                }
                words[0][l] = c0;
                words[1][l] = c1;
                words[2][l] = c2;
                words[3][l] = c3;
            }
            for (int l = 0; l < count; ++l) {
                for (int w = 0; w < 4; ++w) {
                    const std::int64_t i = 4 * (b + l) + w;
                    const float kept = x[i] * mask.scale;
                    y[i] = (words[w][l] >> 8) >= mask.threshold ? kept : 0.0F;
                }
            }
        }
    });
}

void drop(const float* x, float* y, std::uint64_t first, std::int64_t begin, std::int64_t end,
          Key key, Mask mask) {
    const auto phase = static_cast<std::int64_t>((first + static_cast<std::uint64_t>(begin)) % 4);
    const std::int64_t head = std::min(end, begin + (4 - phase) % 4);
    const std::int64_t blocks = (end - head) / 4;
    const std::int64_t tail = head + 4 * blocks;
    drop_scalar(x, y, first, begin, head, key, mask);
    drop_blocks(x + head, y + head, (first + static_cast<std::uint64_t>(head)) / 4, blocks, key,
                mask);
    drop_scalar(x, y, first, tail, end, key, mask);
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::Dropout& op) {
    request.expect_counts(1, 1, 1, 1);
    request.expect_float32();
    request.expect(request.inputs[0].elements() == request.outputs[0].elements(),
                   "x and y differ in size");
    request.expect(op.rate >= 0.0F && op.rate < 1.0F, "rate must be at least 0 and below 1");
    const Shape& shape = request.inputs[0].shape;
    request.expect(shape.rank() > 0, "x needs a batch axis");
    const std::int64_t sample = shape[0] == 0 ? 0 : shape.elements() / shape[0];
    return function_kernel(request.device, [op, sample, mask = mask_of(op.rate)](
                                               const Operands& o, const ops::StepScalars& scalars) {
        const float* x = o.in(0);
        float* y = o.out(0);
        const auto first =
            static_cast<std::uint64_t>(scalars.first_sample) * static_cast<std::uint64_t>(sample);
        const Key key{scalars.seed, op.stream, scalars.step};
        for_range(o.threads, o.inputs[0].elements(), 16, 64,
                  [=](std::int64_t begin, std::int64_t end) {
                      drop(x, y, first, begin, end, key, mask);
                  });
    });
}

}  // namespace strata::cpu
