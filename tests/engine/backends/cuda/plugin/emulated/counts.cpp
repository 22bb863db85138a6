// What the emulator in the plug-in counts, and the failures that it is to bring about, for tests
// that load the plug-in: counts.h calls these.
#include <cuda_emulator_counts.h>

extern "C" __attribute__((visibility("default"))) cuda_emulator::Counts strata_emulated_counts();
extern "C" __attribute__((visibility("default"))) void strata_emulated_failure(int number,
                                                                               cudaError_t error,
                                                                               bool at_launch);

extern "C" cuda_emulator::Counts strata_emulated_counts() {
    return cuda_emulator::counts();
}

extern "C" void strata_emulated_failure(int number, cudaError_t error, bool at_launch) {
    cuda_emulator::fail_kernel(number, error, at_launch);
}
