#include "engine/backends/cpu/cpu_info.h"

#include <cpuid.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>

#include "engine/backends/cpu/simd.h"

namespace strata::cpu {
namespace {

// Of the instruction set's parts this is one whose name clang's builtin does not know.
bool has_f16c() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

Isa detect_isa() {
    __builtin_cpu_init();
    const char* limit = std::getenv("STRATA_ISA");
    const std::string_view wanted = limit == nullptr ? "" : limit;
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl");
    if (wanted == "generic" || !avx2) return Isa::generic;
    return wanted == "avx2" || !avx512 ? Isa::avx2 : Isa::avx512;
}

}  // namespace

Isa isa() {
    static const Isa found = detect_isa();
    return found;
}

std::string model_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("model name")) continue;
        const std::size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
        if (start != std::string::npos) return line.substr(start);
    }
    return "CPU";
}

int usable_threads() {
    cpu_set_t set;
    CPU_ZERO(&set);
    int count = 1;
    if (sched_getaffinity(0, sizeof set, &set) == 0) count = std::max(CPU_COUNT(&set), 1);
    if (const char* limit = std::getenv("OMP_NUM_THREADS")) {
        int wanted = 0;
        std::from_chars(limit, limit + std::strlen(limit), wanted);
        if (wanted > 0) count = std::min(count, wanted);
    }
    return count;
}

std::size_t physical_memory() {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(size)
                                 : 0;
}

const char* instruction_set_name() {
    switch (isa()) {
        case Isa::avx512:
            return "AVX-512";
        case Isa::avx2:
            return "AVX2";
        case Isa::generic:
            break;
    }
    return "SSE2";
}

}  // namespace strata::cpu
