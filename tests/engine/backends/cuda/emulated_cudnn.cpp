// The emulator's cuDNN in the place of the machine's.
#include <cudnn.h>

#include <map>
#include <string>

#include "engine/backends/cuda/cudnn_library.h"

namespace strata::cuda {

static_assert(sizeof(CudnnChoice) == sizeof(cudnnConvolutionAlgoPerf_t));

const CudnnLibrary* cudnn_installed() {
    static const std::map<std::string, void*> functions{
        {"cudnnGetVersion", reinterpret_cast<void*>(&cudnnGetVersion)},
        {"cudnnGetErrorString", reinterpret_cast<void*>(&cudnnGetErrorString)},
        {"cudnnCreate", reinterpret_cast<void*>(&cudnnCreate)},
        {"cudnnDestroy", reinterpret_cast<void*>(&cudnnDestroy)},
        {"cudnnSetStream", reinterpret_cast<void*>(&cudnnSetStream)},
        {"cudnnCreateTensorDescriptor", reinterpret_cast<void*>(&cudnnCreateTensorDescriptor)},
        {"cudnnSetTensor4dDescriptor", reinterpret_cast<void*>(&cudnnSetTensor4dDescriptor)},
        {"cudnnDestroyTensorDescriptor", reinterpret_cast<void*>(&cudnnDestroyTensorDescriptor)},
        {"cudnnCreateFilterDescriptor", reinterpret_cast<void*>(&cudnnCreateFilterDescriptor)},
        {"cudnnSetFilter4dDescriptor", reinterpret_cast<void*>(&cudnnSetFilter4dDescriptor)},
        {"cudnnDestroyFilterDescriptor", reinterpret_cast<void*>(&cudnnDestroyFilterDescriptor)},
        {"cudnnCreateConvolutionDescriptor",
         reinterpret_cast<void*>(&cudnnCreateConvolutionDescriptor)},
        {"cudnnSetConvolution2dDescriptor",
         reinterpret_cast<void*>(&cudnnSetConvolution2dDescriptor)},
        {"cudnnSetConvolutionGroupCount", reinterpret_cast<void*>(&cudnnSetConvolutionGroupCount)},
        {"cudnnSetConvolutionMathType", reinterpret_cast<void*>(&cudnnSetConvolutionMathType)},
        {"cudnnDestroyConvolutionDescriptor",
         reinterpret_cast<void*>(&cudnnDestroyConvolutionDescriptor)},
        {"cudnnGetConvolutionForwardAlgorithm_v7",
         reinterpret_cast<void*>(&cudnnGetConvolutionForwardAlgorithm_v7)},
        {"cudnnGetConvolutionBackwardDataAlgorithm_v7",
         reinterpret_cast<void*>(&cudnnGetConvolutionBackwardDataAlgorithm_v7)},
        {"cudnnGetConvolutionBackwardFilterAlgorithm_v7",
         reinterpret_cast<void*>(&cudnnGetConvolutionBackwardFilterAlgorithm_v7)},
        {"cudnnGetConvolutionForwardWorkspaceSize",
         reinterpret_cast<void*>(&cudnnGetConvolutionForwardWorkspaceSize)},
        {"cudnnGetConvolutionBackwardDataWorkspaceSize",
         reinterpret_cast<void*>(&cudnnGetConvolutionBackwardDataWorkspaceSize)},
        {"cudnnGetConvolutionBackwardFilterWorkspaceSize",
         reinterpret_cast<void*>(&cudnnGetConvolutionBackwardFilterWorkspaceSize)},
        {"cudnnConvolutionForward", reinterpret_cast<void*>(&cudnnConvolutionForward)},
        {"cudnnConvolutionBackwardData", reinterpret_cast<void*>(&cudnnConvolutionBackwardData)},
        {"cudnnConvolutionBackwardFilter",
         reinterpret_cast<void*>(&cudnnConvolutionBackwardFilter)}};
    static CudnnLibrary found;
    if (!cuda_emulator::has_cudnn()) return nullptr;
    return cudnn_from(
        [](const char* name) {
            const auto function = functions.find(name);
            return function == functions.end() ? nullptr : function->second;
        },
        found);
}

}  // namespace strata::cuda
