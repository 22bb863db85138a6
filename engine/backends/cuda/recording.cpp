#include "engine/backends/cuda/recording.h"

#include "engine/backends/cuda/cuda_error.h"
#include "engine/backends/cuda/device.h"
#include "engine/core/error.h"

namespace strata::cuda {
namespace {

class GraphRecording final : public ops::Recording {
public:
    GraphRecording(const CudaDevice& device, cudaGraphExec_t graph)
        : device_(device), graph_(graph) {}
    ~GraphRecording() override {
        cudaSetDevice(device_.index());
        cudaGraphExecDestroy(graph_);
    }
    GraphRecording(const GraphRecording&) = delete;
    GraphRecording& operator=(const GraphRecording&) = delete;

    void replay() override {
        device_.activate();
        check(cudaGraphLaunch(graph_, device_.stream()), "Launching a graph", device_.info().id);
    }

private:
    const CudaDevice& device_;
    cudaGraphExec_t graph_;
};

// Nothing of the failure stays behind: the same work is queued as ever.
std::unique_ptr<ops::Recording> refuse(std::string& reason, const std::string& why) {
    cudaGetLastError();
    reason = why;
    return nullptr;
}

}  // namespace

// Thread-local: what the threads of other devices allocate meanwhile is no matter.
std::unique_ptr<ops::Recording> record_graph(const CudaDevice& device,
                                             const std::function<void()>& work,
                                             std::string& reason) {
    device.activate();
    cudaError_t error = cudaStreamBeginCapture(device.stream(), cudaStreamCaptureModeThreadLocal);
    if (error != cudaSuccess) return refuse(reason, cudaGetErrorString(error));
    std::string failed;
    cudaGraph_t graph = nullptr;
    try {
        work();
    } catch (const Error& fault) {
        failed = fault.message();
    } catch (...) {
        cudaStreamEndCapture(device.stream(), &graph);  // the stream has to work again
        if (graph != nullptr) cudaGraphDestroy(graph);
        cudaGetLastError();
        throw;
    }
    error = cudaStreamEndCapture(device.stream(), &graph);
    cudaGraphExec_t launchable = nullptr;
    if (error == cudaSuccess && failed.empty()) error = cudaGraphInstantiate(&launchable, graph, 0);
    if (graph != nullptr) cudaGraphDestroy(graph);
    if (!failed.empty()) return refuse(reason, failed);
    if (error != cudaSuccess) return refuse(reason, cudaGetErrorString(error));
    return std::make_unique<GraphRecording>(device, launchable);
}

}  // namespace strata::cuda
