#include "engine/backends/cpu/onednn.h"

#include <omp.h>

#include "engine/backends/cpu/onednn_kernel.h"
#include "engine/backends/cpu/simd.h"
#include "engine/core/error.h"

namespace strata::cpu {

const dnnl::engine& onednn_engine() {
    static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    return engine;
}

void set_onednn_threads(int threads) {
    omp_set_num_threads(threads);
}

void expect_success(dnnl_status_t status) {
    if (status != dnnl_success)
        throw Error(ErrorCode::internal, "oneDNN failed with status " + std::to_string(status));
}

dnnl::memory::data_type onednn_type(DType type) {
    using Type = dnnl::memory::data_type;
    if (type == DType::bfloat16) return Type::bf16;
    return type == DType::float16 ? Type::f16 : Type::f32;
}

bool onednn_has_bfloat16() {
    constexpr unsigned needed = dnnl_cpu_isa_avx512_core_bf16;  // a set of bits
    static const bool found =
        isa() == Isa::avx512 &&
        (static_cast<unsigned>(dnnl_get_effective_cpu_isa()) & needed) == needed;
    return found;
}

OnednnCall::OnednnCall(const dnnl::primitive& primitive,
                       const std::vector<std::pair<int, dnnl::memory>>& arguments)
    : primitive_(primitive) {
    for (const auto& [name, memory] : arguments) {
        memories_.push_back(memory);
        arguments_.push_back({name, memory.get()});
    }
}

void OnednnCall::run(const dnnl::stream& stream) const {
    expect_success(dnnl_primitive_execute(primitive_.get(), stream.get(),
                                          static_cast<int>(arguments_.size()), arguments_.data()));
}

}  // namespace strata::cpu
