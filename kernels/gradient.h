// What happens to gradients before the update: accumulation over micro-batches, clipping by each
// variable's norm. Called by the CUDA backend alone.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/step.h"
#include "kernels/storage.h"

namespace strata::kernels {

// sum = g where `first`, else sum += g, over n elements.
template <class T>
cudaError_t accumulate_gradient(float* sum, const T* gradient, std::int64_t n, bool first,
                                cudaStream_t stream, const StepValues* values = nullptr);

// The same for a few sums of losses and metrics.
cudaError_t accumulate_sums(double* sum, const double* x, std::int64_t n, bool first,
                            cudaStream_t stream, const StepValues* values = nullptr);

// A variable's place in the flat array, in elements.
struct GradientSegment {
    std::int64_t offset = 0, count = 0;
};

std::size_t clip_by_norm_workspace_bytes(const GradientSegment* segments,
                                         std::size_t count);  // 8-byte aligned

// Each segment times min(1, limit / (its norm * scale)), norms in float64. A segment whose norm is
// 0, Inf or NaN stays as it is, and every one where the limit of `values` is 0.
cudaError_t clip_by_norm(float* gradient, const GradientSegment* segments, std::size_t count,
                         double scale, double limit, void* workspace, cudaStream_t stream,
                         const StepValues* values = nullptr);

}  // namespace strata::kernels
