// The numbers that change from step to step, in device memory: launches that were recorded once
// read them there. Set by the CUDA backend before each pass.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace strata::kernels {

// As the engine's StepScalars. Every launcher that takes a pointer to them reads the numbers that
// it needs through it where that is not null, and those of its own parameters where it is.
struct StepValues {
    std::uint64_t seed = 0;
    std::int64_t first_sample = 0;
    std::int64_t sample_stride = 1;
    std::int64_t update = 1;
    std::int64_t samples_before = 0;
    double gradient_scale = 1.0;
    std::uint32_t step = 0;
    std::uint32_t first_in_window = 1;
    float loss_scale = 1.0F;
    float learning_rate = 0.0F;
    float clip_limit = 0.0F;
    float weight_decay = 0.0F;
};

// *to = values, in the stream's order; the values travel with the launch.
cudaError_t set_step(StepValues* to, const StepValues& values, cudaStream_t stream);

}  // namespace strata::kernels
