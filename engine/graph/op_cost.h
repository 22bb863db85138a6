// What an op of a program costs in FLOPs and bytes, and which kind of work it is: the terms in
// which device_rates knows a device. Used by step_time.
#pragma once

#include <cstdint>
#include <tuple>

#include "engine/ops/op.h"

namespace strata::graph {

// Work that runs at one rate. The first five are counted in FLOPs, the rest in bytes.
enum class Work : std::uint8_t {
    product,
    convolution,
    convolution_data,
    convolution_weights,
    thin_convolution,  // of images with few channels, forward and backward
    stream,            // reads and writes memory with little arithmetic
    cast,              // from float32, or to it
    pooling,
    pooling_backward,
    curve,  // exponentials and the like
    dropout,
    normalization,
    normalization_backward,
    launch  // an op on next to nothing
};

struct WorkKind {
    Work work = Work::stream;
    DType type = DType::float32;
    bool sparse = false;  // of gradients of which most are 0

    friend bool operator<(const WorkKind& a, const WorkKind& b) {
        return std::tie(a.work, a.type, a.sparse) < std::tie(b.work, b.type, b.sparse);
    }
};

struct OpCost {
    WorkKind kind;
    double nonzero = 1.0;  // share of the gradient that a convolution reads
    double flops = 0.0;
    double bytes = 0.0;  // read and written, each operand once
};

bool counts_flops(Work work);
// A convolution of images with no more channels is thin.
inline constexpr std::int64_t thin_channels = 4;

OpCost cost_of(const ops::Program& program, const ops::Op& op);

}  // namespace strata::graph
