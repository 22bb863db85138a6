// Element-wise ops, copies and dropout. Where nothing else is said, all operands are of one compute
// type (float32, bfloat16, float16); each element is computed in float32 and rounded once.
#pragma once

#include <cstdint>

namespace strata::ops {

// y = x * scale + offset. inputs {x: a compute type or uint8}; outputs {y: a compute type}, same
// elements. Also the cast between them (scale 1, offset 0): to nearest even, overflow to infinity.
struct ScaleShift {
    float scale = 1.0F;
    float offset = 0.0F;
};

// y = sum of the inputs (2 or more, same shape); y may be the first. outputs {y}.
struct AddN {};

// outputs {y} = value.
struct Fill {
    float value = 0.0F;
};

// Copies `width` elements of each of `rows` rows: y[r * y_stride + y_offset + i] = x[r * x_stride +
// x_offset + i]. Any dtype. Concatenate and its gradient on any axis. inputs {x}, outputs {y}; y's
// other elements stay.
struct CopyBlock {
    std::int64_t rows = 0, width = 0;
    std::int64_t x_stride = 0, x_offset = 0, y_stride = 0, y_offset = 0;
};

// inverted dropout. inputs {x (N,...)}, outputs {y}; y may be x. Element e of the batch's sample i
// is kept where uniform(word) >= rate, and scaled by 1 / (1 - rate); with E elements a sample, flat
// = (first_sample + i * sample_stride) * E + e and word = draw(seed, stream, step, flat / 4)[flat %
// 4] (core/random.h; seed, step, first_sample, sample_stride from StepScalars). The backward pass
// is the same op on dy: nothing is kept.
struct Dropout {
    float rate = 0.5F;
    std::uint32_t stream = 0;  // the layer's number
};

}  // namespace strata::ops
