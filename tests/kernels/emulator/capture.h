// Streams that record what is put on them instead of queuing it. Internal to the emulator; the
// mutex is held.
#pragma once

#include <functional>

#include "include/cuda_emulator_counts.h"
#include "state.h"

namespace cuda_emulator {

Counts& counters();

bool is_capturing(cudaStream_t stream);
// The work becomes a part of the graph.
cudaError_t capture(cudaStream_t stream, int device, std::function<cudaError_t()> work);
// A call that no capture allows on its streams, as waiting for them: it ends the capture.
cudaError_t forbid_on(cudaStream_t stream);
// A call that might wait or allocate: forbidden to a thread that captures, unless its mode is
// relaxed.
cudaError_t forbid_unsafe();
// The legacy stream waits for all others, which a capture cannot.
cudaError_t forbid_implicit();

// Of an event that a capture has recorded: it cannot be waited for on the host.
bool is_captured(cudaEvent_t event);
void record_captured(cudaEvent_t event, cudaStream_t stream);
void forget_captured(cudaEvent_t event);
cudaError_t wait_captured(cudaStream_t stream, cudaEvent_t event);

// The error that a test has ordered of this launch, or of this run of a kernel.
cudaError_t ordered_failure(bool at_launch);

}  // namespace cuda_emulator
