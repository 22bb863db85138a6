// Random transforms of images (N,H,W,C): the formulas of the engine's host function, for a GPU.
// Called by the CUDA backend alone.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/step.h"

namespace strata::kernels {

enum class AugmentKind : std::uint8_t { flip, translation, rotation, zoom, contrast };
enum class FillMode : std::uint8_t { constant, nearest, reflect, wrap };

// As in engine/ops/augment.h.
struct Augment {
    AugmentKind kind = AugmentKind::flip;
    bool horizontal = false, vertical = false, one_zoom = false, bilinear = true;
    FillMode fill_mode = FillMode::reflect;
    float first_lower = 0, first_upper = 0, second_lower = 0, second_upper = 0;
    float fill_value = 0, value_lower = 0, value_upper = 255;
    std::uint64_t seed = 0;
    std::uint32_t stream = 0, step = 0;
    std::int64_t first_sample = 0, sample_stride = 1;
    const StepValues* values = nullptr;  // where seed, step, first_sample and sample_stride are
};

struct ImageBatch {
    std::int64_t batch = 0;
    int height = 0, width = 0, channels = 0;

    std::int64_t elements() const { return batch * height * width * channels; }
};

// Bytes of scratch, on 16 bytes, that the two calls below need.
std::size_t augment_scratch_bytes(const Augment& parameters, const ImageBatch& shape);

// y is not x.
cudaError_t augment(float* y, const float* x, const ImageBatch& shape, const Augment& parameters,
                    void* scratch, cudaStream_t stream);
// dx is not dy; x is read for contrast alone. Each sum is made in a fixed order.
cudaError_t augment_backward(float* dx, const float* dy, const float* x, const ImageBatch& shape,
                             const Augment& parameters, void* scratch, cudaStream_t stream);

}  // namespace strata::kernels
