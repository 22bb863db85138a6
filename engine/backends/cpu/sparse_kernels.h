// The inner loops of sparse_conv2d.cpp for each instruction set, written with its vectors: the sums
// must stay in registers, which the compiler's own vectors do not do.
#pragma once

#include <cstdint>

namespace strata::cpu {

inline constexpr std::int64_t vector_floats = 16;  // runs are whole vectors of so many

// Something that is not zero, and where the floats begin that it multiplies.
struct Entry {
    std::int32_t at;
    float value;
};

struct SparseKernels {
    // target[0 .. floats) += sum over the entries of value * source[at ...]; floats: whole vectors.
    void (*add_run)(const Entry* entries, std::int64_t count, const float* source, float* target,
                    std::int64_t floats);
    // Writes the places of the nonzeros in row[0 .. count) to places (room for count + 16); returns
    // their number.
    std::int64_t (*find_nonzeros)(const float* row, std::int64_t count, std::int32_t* places);
};

const SparseKernels& sparse_kernels();  // of this machine

}  // namespace strata::cpu
