#include "engine/backends/cuda/cudnn_library.h"

#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>

namespace strata::cuda {
namespace {

std::mutex fault_mutex;
std::string the_fault;

std::string cudnn_fault() {
    const std::lock_guard lock(fault_mutex);
    return the_fault;
}

// The environment asks for it, and it is there.
const CudnnLibrary* wanted_library() {
    const char* wanted = std::getenv("STRATA_CUDNN");
    if (wanted != nullptr && std::string_view(wanted) == "0") return nullptr;
    return cudnn_installed();
}

}  // namespace

const CudnnLibrary* cudnn_from(const std::function<void*(const char*)>& symbol,
                               CudnnLibrary& library) {
    bool complete = true;
    const auto take = [&](auto& function, const char* name) {
        void* const found = symbol(name);
        complete = complete && found != nullptr;
        function = reinterpret_cast<std::decay_t<decltype(function)>>(found);
    };
    take(library.version, "cudnnGetVersion");
    take(library.error_text, "cudnnGetErrorString");
    take(library.create, "cudnnCreate");
    take(library.destroy, "cudnnDestroy");
    take(library.set_stream, "cudnnSetStream");
    take(library.create_tensor, "cudnnCreateTensorDescriptor");
    take(library.set_tensor, "cudnnSetTensor4dDescriptor");
    take(library.destroy_tensor, "cudnnDestroyTensorDescriptor");
    take(library.create_filter, "cudnnCreateFilterDescriptor");
    take(library.set_filter, "cudnnSetFilter4dDescriptor");
    take(library.destroy_filter, "cudnnDestroyFilterDescriptor");
    take(library.create_convolution, "cudnnCreateConvolutionDescriptor");
    take(library.set_convolution, "cudnnSetConvolution2dDescriptor");
    take(library.set_groups, "cudnnSetConvolutionGroupCount");
    take(library.set_math, "cudnnSetConvolutionMathType");
    take(library.destroy_convolution, "cudnnDestroyConvolutionDescriptor");
    take(library.choose_forward, "cudnnGetConvolutionForwardAlgorithm_v7");
    take(library.choose_data, "cudnnGetConvolutionBackwardDataAlgorithm_v7");
    take(library.choose_weights, "cudnnGetConvolutionBackwardFilterAlgorithm_v7");
    take(library.workspace_forward, "cudnnGetConvolutionForwardWorkspaceSize");
    take(library.workspace_data, "cudnnGetConvolutionBackwardDataWorkspaceSize");
    take(library.workspace_weights, "cudnnGetConvolutionBackwardFilterWorkspaceSize");
    take(library.forward, "cudnnConvolutionForward");
    take(library.backward_data, "cudnnConvolutionBackwardData");
    take(library.backward_weights, "cudnnConvolutionBackwardFilter");
    return complete && library.version() / 10000 == 9 ? &library : nullptr;
}

void set_cudnn_fault(const std::string& why) {
    const std::lock_guard lock(fault_mutex);
    the_fault = why;
}

const CudnnLibrary* cudnn_library() {
    return cudnn_fault().empty() ? wanted_library() : nullptr;
}

std::string convolution_library_name() {
    const CudnnLibrary* const library = wanted_library();
    if (library == nullptr) return "own kernels";
    const std::size_t version = library->version();
    const std::string name =
        "cuDNN " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100);
    const std::string fault = cudnn_fault();
    return fault.empty() ? name : "own kernels (" + name + ": " + fault + ")";
}

}  // namespace strata::cuda
