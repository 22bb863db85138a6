// Capture of streams into graphs, their launches, and what the host's calls are counted by. The
// nodes of a graph run in the order of their capture, which is one that their edges allow.
#include "capture.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace cuda_emulator {
namespace {

struct Node {
    int device = 0;
    std::function<cudaError_t()> run;
    std::set<int> after;
};
using Nodes = std::vector<Node>;

struct Capture {
    cudaStream_t origin = nullptr;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    std::thread::id thread;
    Nodes nodes;
    std::map<cudaStream_t, std::set<int>> ends;  // what each stream's next work follows
    bool invalid = false;
};
using CapturePtr = std::shared_ptr<Capture>;

std::map<cudaStream_t, CapturePtr>& captures() {
    static std::map<cudaStream_t, CapturePtr> instance;
    return instance;
}

struct Recorded {
    CapturePtr capture;
    std::set<int> after;
};
std::map<cudaEvent_t, Recorded>& recorded_events() {
    static std::map<cudaEvent_t, Recorded> instance;
    return instance;
}

struct Order {
    int left = -1;
    cudaError_t error = cudaSuccess;
    bool at_launch = false;
} ordered;

CapturePtr capture_of(cudaStream_t stream) {
    const auto it = captures().find(stream);
    return it == captures().end() ? nullptr : it->second;
}

void end(const CapturePtr& capture) {
    std::erase_if(captures(), [&](const auto& entry) { return entry.second == capture; });
    std::erase_if(recorded_events(), [&](const auto& e) { return e.second.capture == capture; });
}

// Whether the origin's last work follows all that was captured.
bool is_joined(const Capture& capture) {
    std::set<int> reached;
    std::vector<int> open(capture.ends.at(capture.origin).begin(),
                          capture.ends.at(capture.origin).end());
    while (!open.empty()) {
        const int node = open.back();
        open.pop_back();
        if (!reached.insert(node).second) continue;
        const std::set<int>& after = capture.nodes[static_cast<std::size_t>(node)].after;
        open.insert(open.end(), after.begin(), after.end());
    }
    return reached.size() == capture.nodes.size();
}

}  // namespace

Counts& counters() {
    static Counts instance;
    return instance;
}

Counts counts() {
    const std::lock_guard lock(mutex());
    return counters();
}

void fail_kernel(int number, cudaError_t error, bool at_launch) {
    const std::lock_guard lock(mutex());
    ordered = {number, error, at_launch};
}

cudaError_t ordered_failure(bool at_launch) {
    if (ordered.left < 0 || ordered.at_launch != at_launch) return cudaSuccess;
    return ordered.left-- == 0 ? ordered.error : cudaSuccess;
}

bool is_capturing(cudaStream_t stream) {
    return capture_of(stream) != nullptr;
}

cudaError_t capture(cudaStream_t stream, int device, std::function<cudaError_t()> work) {
    const CapturePtr c = capture_of(stream);
    if (c->invalid) return cudaErrorStreamCaptureInvalidated;
    c->nodes.push_back({device, std::move(work), c->ends[stream]});
    c->ends[stream] = {static_cast<int>(c->nodes.size()) - 1};
    return cudaSuccess;
}

cudaError_t forbid_on(cudaStream_t stream) {
    const CapturePtr c = capture_of(stream);
    if (c == nullptr) return cudaSuccess;
    c->invalid = true;
    return cudaErrorStreamCaptureUnsupported;
}

cudaError_t forbid_unsafe() {
    for (const auto& [stream, c] : captures()) {
        const bool own = c->thread == std::this_thread::get_id();
        const bool global = c->mode == cudaStreamCaptureModeGlobal;
        if (c->mode == cudaStreamCaptureModeRelaxed || (!own && !global)) continue;
        c->invalid = true;
        return cudaErrorStreamCaptureUnsupported;
    }
    return cudaSuccess;
}

// Streams that were made as non-blocking do not wait for it.
cudaError_t forbid_implicit() {
    return forbid_unsafe() == cudaSuccess ? cudaSuccess : cudaErrorStreamCaptureImplicit;
}

bool is_captured(cudaEvent_t event) {
    return recorded_events().contains(event);
}

void record_captured(cudaEvent_t event, cudaStream_t stream) {
    const CapturePtr c = capture_of(stream);
    recorded_events()[event] = {c, c->ends[stream]};
}

void forget_captured(cudaEvent_t event) {
    recorded_events().erase(event);
}

// A stream that waits for a capture's event joins the capture.
cudaError_t wait_captured(cudaStream_t stream, cudaEvent_t event) {
    const Recorded& recorded = recorded_events().at(event);
    const CapturePtr own = capture_of(stream);
    if (own != nullptr && own != recorded.capture) return cudaErrorStreamCaptureMerge;
    captures()[stream] = recorded.capture;
    recorded.capture->ends[stream].insert(recorded.after.begin(), recorded.after.end());
    return cudaSuccess;
}

}  // namespace cuda_emulator

using namespace cuda_emulator;

struct CUgraph_st {
    std::shared_ptr<const Nodes> nodes;
};
struct CUgraphExec_st {
    std::shared_ptr<const Nodes> nodes;
};

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    const std::lock_guard lock(mutex());
    if (stream == nullptr) return report(cudaErrorStreamCaptureUnsupported);
    if (!is_stream(stream)) return report(cudaErrorInvalidResourceHandle);
    if (is_capturing(stream)) return report(cudaErrorIllegalState);
    auto c = std::make_shared<Capture>();
    c->origin = stream;
    c->mode = mode;
    c->thread = std::this_thread::get_id();
    c->ends[stream] = {};
    captures()[stream] = std::move(c);
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    const std::lock_guard lock(mutex());
    if (graph != nullptr) *graph = nullptr;
    const CapturePtr c = capture_of(stream);
    if (c == nullptr || graph == nullptr) return report(cudaErrorIllegalState);
    if (c->origin != stream) return report(cudaErrorStreamCaptureUnmatched);
    if (c->mode != cudaStreamCaptureModeRelaxed && c->thread != std::this_thread::get_id())
        return report(cudaErrorStreamCaptureWrongThread);
    end(c);
    if (c->invalid) return report(cudaErrorStreamCaptureInvalidated);
    if (!is_joined(*c)) return report(cudaErrorStreamCaptureUnjoined);
    *graph = new CUgraph_st{std::make_shared<const Nodes>(std::move(c->nodes))};
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    const std::lock_guard lock(mutex());
    const CapturePtr c = capture_of(stream);
    *status = c == nullptr ? cudaStreamCaptureStatusNone
              : c->invalid ? cudaStreamCaptureStatusInvalidated
                           : cudaStreamCaptureStatusActive;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
    const std::lock_guard lock(mutex());
    if (exec == nullptr || graph == nullptr) return report(cudaErrorInvalidValue);
    ++counters().allocations;
    *exec = new CUgraphExec_st{graph->nodes};
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    const std::lock_guard lock(mutex());
    if (exec == nullptr) return report(cudaErrorInvalidValue);
    if (const cudaError_t error = forbid_on(stream); error != cudaSuccess) return report(error);
    ++counters().graph_launches;
    for (const Node& node : *exec->nodes)
        if (const cudaError_t error = enqueue(stream, node.run); error != cudaSuccess) return error;
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
    const std::lock_guard lock(mutex());
    if (graph == nullptr || count == nullptr || nodes != nullptr)
        return report(cudaErrorInvalidValue);
    *count = graph->nodes->size();
    return cudaSuccess;
}

// What was launched goes on.
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    delete exec;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return cudaSuccess;
}
