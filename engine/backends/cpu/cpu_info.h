// What the machine is: for the device's description and its default thread count.
#pragma once

#include <cstddef>
#include <string>

namespace strata::cpu {

std::string model_name();       // "AMD EPYC 9654"; "CPU" where /proc/cpuinfo says nothing
int usable_threads();           // of the process's affinity mask, at most OMP_NUM_THREADS; >= 1
std::size_t physical_memory();  // bytes
const char* instruction_set_name();  // "AVX-512", "AVX2" or "SSE2": what simd() uses

}  // namespace strata::cpu
