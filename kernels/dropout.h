// Inverted dropout with a counter-based mask. Called by the CUDA backend alone.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/step.h"
#include "kernels/storage.h"

namespace strata::kernels {

struct Dropout {
    float rate = 0.5F;              // in [0, 1)
    std::uint64_t seed = 0;         // of the run
    std::uint32_t stream = 0;       // the layer's number
    std::uint32_t step = 0;         // of the run
    std::int64_t first_sample = 0;  // global index of the batch's first sample
    std::int64_t elements_per_sample = 0;
    std::int64_t sample_stride = 1;      // of the i-th sample: first_sample + i * sample_stride
    const StepValues* values = nullptr;  // where seed, step, first_sample and sample_stride are
};

// y = x / (1 - rate) where kept, else 0; n = samples * elements_per_sample; y may be x. Element e
// of sample i has the counter flat = (first_sample + i * sample_stride) * elements_per_sample + e
// and is kept where uniform(word) >= rate, with word = draw(seed, stream, step, flat / 4)[flat % 4]
// (kernels/common/philox.h). The backward pass is the same call on dy: nothing is stored.
template <class T>
cudaError_t dropout(T* y, const T* x, std::int64_t n, Dropout parameters, cudaStream_t stream);

}  // namespace strata::kernels
