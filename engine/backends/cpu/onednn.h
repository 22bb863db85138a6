// oneDNN as the kernels use it: primitives made once, memory objects that only change their
// address.
#pragma once

#include <dnnl.hpp>
#include <vector>

#include "engine/backends/cpu/kernel.h"

namespace strata::cpu {

const dnnl::engine& onednn_engine();

// oneDNN takes its thread count from OpenMP's setting of the calling thread: set around each use.
void set_onednn_threads(int threads);

// Throws Error{internal} where oneDNN reports a failure of something that ran.
void expect_success(dnnl_status_t status);

// Runs make() with the device's thread count; turns dnnl::error into Error{unsupported}.
template <typename Make>
auto with_onednn(const Request& request, const Make& make) {
    set_onednn_threads(request.device.threads());
    try {
        return make();
    } catch (const dnnl::error& error) {
        request.expect(false, std::string("oneDNN says ") + error.what());
        throw;
    }
}

// A primitive with its operands, executed without building argument maps.
class OnednnCall {
public:
    OnednnCall() = default;
    OnednnCall(const dnnl::primitive& primitive,
               const std::vector<std::pair<int, dnnl::memory>>& arguments);

    bool empty() const { return arguments_.empty(); }
    // Throws Error{internal} where oneDNN reports a failure.
    void run(const dnnl::stream& stream) const;

private:
    dnnl::primitive primitive_;
    std::vector<dnnl::memory> memories_;  // keep the handles in arguments_ alive
    std::vector<dnnl_exec_arg_t> arguments_;
};

}  // namespace strata::cpu
