// Vector code in a binary that runs on any x86-64: a loop body is compiled once for each
// instruction set, and the machine's best one is called. The only place of the backend that knows
// the targets.
#pragma once

// In front of functions that a body calls: they must be inlined to take on the body's target.
#define STRATA_INLINE [[gnu::always_inline]] inline
// Behind the parameter list of a lambda given to simd().
#define STRATA_BODY __attribute__((always_inline))

#define STRATA_AVX2 gnu::target("avx2,fma,f16c")
#define STRATA_AVX512 \
    gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,prefer-vector-width=512")

namespace strata::cpu {

enum class Isa { generic, avx2, avx512 };

Isa isa();  // of this machine, found once; STRATA_ISA=generic or avx2 lowers it

template <typename Body>
[[STRATA_AVX512, gnu::noinline]] void run_avx512(const Body& body) {
    body();
}

template <typename Body>
[[STRATA_AVX2, gnu::noinline]] void run_avx2(const Body& body) {
    body();
}

// Runs body() compiled for isa(). Loops inside it carry `#pragma omp simd`; captures are by value.
template <typename Body>
void simd(const Body& body) {
    switch (isa()) {
        case Isa::avx512:
            return run_avx512(body);
        case Isa::avx2:
            return run_avx2(body);
        case Isa::generic:
            return body();
    }
}

}  // namespace strata::cpu
