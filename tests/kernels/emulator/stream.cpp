// Streams, events and launches of the stand-in runtime. Work runs when somebody waits, in the order
// of its submission over all streams or as far from it as it may be, which CUDA both allows; so a
// host that reads a result or reuses a buffer without waiting is found out. A stream whose next
// work waits for another stream stands still meanwhile, and the others go on.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "capture.h"
#include "state.h"
#include "watch.h"

struct CUstream_st {
    int device = 0;
};

struct CUevent_st {
    using Clock = std::chrono::steady_clock;
    struct Mark {
        int recorded = 0, reached = 0;  // how often, in the order of the calls
        Clock::time_point time;
    };
    // Shared with the queue: an event may be destroyed while its record is still queued.
    std::shared_ptr<Mark> mark = std::make_shared<Mark>();
    int device = 0;
    bool timed = true;

    bool pending() const { return mark->reached < mark->recorded; }
};

namespace cuda_emulator {
namespace {

struct Work {
    cudaStream_t stream;
    int device;
    std::function<bool()> ready;  // empty: at once
    std::function<cudaError_t()> run;
};

std::deque<Work>& queue() {
    static std::deque<Work> instance;
    return instance;
}
std::set<cudaStream_t>& streams() {
    static std::set<cudaStream_t> instance;
    return instance;
}
std::set<cudaEvent_t>& events() {
    static std::set<cudaEvent_t> instance;
    return instance;
}
cudaError_t first_failure = cudaSuccess;

cudaError_t run_work(const Work& work) {
    try {
        return work.run();
    } catch (const Fault& fault) {
        set_fault(fault.what());
        return cudaErrorLaunchFailure;
    }
}

// The first work of each stream that does not wait: the earliest of these, or the latest.
std::deque<Work>::iterator next_work() {
    auto found = queue().end();
    std::set<cudaStream_t> seen;
    for (auto it = queue().begin(); it != queue().end(); ++it) {
        if (!seen.insert(it->stream).second || (it->ready && !it->ready())) continue;
        found = it;
        if (!machine().latest_stream_first) break;
    }
    return found;
}

// False where all streams wait.
bool run_next() {
    const OpenArena open;
    const auto next = next_work();
    if (next == queue().end()) return false;
    const Work work = std::move(*next);
    queue().erase(next);
    const cudaError_t error = run_work(work);
    if (first_failure == cudaSuccess) first_failure = error;
    return true;
}

void go_on() {
    constexpr int some = 32;
    const OpenArena open;
    for (int i = 0; i < some && run_next(); ++i) {
    }
}

// False where it never comes to that.
template <typename Done>
bool reach(const Done& done) {
    const OpenArena open;
    while (!done()) {
        if (run_next() || mutex().wait()) continue;
        set_fault("the streams wait for each other, or for a call that nobody makes");
        queue().clear();
        return false;
    }
    return true;
}

template <typename Done>
cudaError_t run_until(const Done& done) {
    return reach(done) ? std::exchange(first_failure, cudaSuccess) : cudaErrorLaunchFailure;
}

auto is_idle(int device) {
    return [device] {
        return std::none_of(queue().begin(), queue().end(),
                            [device](const Work& work) { return work.device == device; });
    };
}

cudaError_t run_kernel(const Launch& launch, const std::function<void()>& thread) {
    ++counters().kernels;
    if (const cudaError_t error = ordered_failure(false); error != cudaSuccess) return error;
    run_grid(launch, order(), thread);
    check_guards();
    return cudaSuccess;
}

bool is_launchable(const Launch& launch) {
    const dim3 g = launch.grid;
    const dim3 b = launch.block;
    const auto threads = std::size_t{b.x} * b.y * b.z;
    return g.x > 0 && g.y > 0 && g.z > 0 && g.x <= 0x7FFFFFFFU && g.y <= 65535 && g.z <= 65535 &&
           threads > 0 && threads <= 1024 && b.z <= 64 &&
           launch.shared_bytes <= (std::size_t{48} << 10);
}

}  // namespace

bool is_stream(cudaStream_t stream) {
    return stream == nullptr || streams().contains(stream);
}

int device_of(cudaStream_t stream) {
    return stream == nullptr ? current_device() : stream->device;
}

cudaError_t enqueue(cudaStream_t stream, std::function<cudaError_t()> work) {
    return enqueue_when(stream, nullptr, std::move(work));
}

cudaError_t enqueue_when(cudaStream_t stream, std::function<bool()> ready,
                         std::function<cudaError_t()> work) {
    const std::lock_guard lock(mutex());
    constexpr std::size_t longest = 4096;
    if (!is_stream(stream)) return report(cudaErrorInvalidResourceHandle);
    if (is_capturing(stream)) {
        if (ready) return report(forbid_on(stream));
        return report(capture(stream, device_of(stream), std::move(work)));
    }
    queue().push_back({stream, device_of(stream), std::move(ready), std::move(work)});
    mutex().notify();
    if (queue().size() <= longest) return cudaSuccess;
    const OpenArena open;
    while (queue().size() > longest && run_next()) {
    }
    return cudaSuccess;
}

// With CUDA's own switch for it, a launch returns when the kernel has run. Copies and waits may go
// to a stream of any device, launches only to one of the thread's current device.
cudaError_t enqueue_launch(const Launch& launch, std::function<void()> thread) {
    const std::lock_guard lock(mutex());
    if (is_stream(launch.stream) && device_of(launch.stream) != current_device())
        return report(cudaErrorInvalidResourceHandle);
    if (!is_launchable(launch)) return report(cudaErrorInvalidConfiguration);
    if (const cudaError_t error = ordered_failure(true); error != cudaSuccess) return report(error);
    const bool captured = is_capturing(launch.stream);
    if (!captured) ++counters().launches;
    const cudaError_t error = enqueue(
        launch.stream, [launch, thread = std::move(thread)] { return run_kernel(launch, thread); });
    const char* blocking = std::getenv("CUDA_LAUNCH_BLOCKING");
    if (error != cudaSuccess || captured || blocking == nullptr ||
        std::string_view(blocking) != "1")
        return error;
    return report(drain(launch.stream));
}

cudaError_t drain(cudaStream_t stream) {
    return run_until([stream] {
        return std::none_of(queue().begin(), queue().end(),
                            [stream](const Work& work) { return work.stream == stream; });
    });
}

cudaError_t drain() {
    return run_until(is_idle(current_device()));
}

bool finish_work(int device) {
    return reach(is_idle(device));
}

}  // namespace cuda_emulator

using namespace cuda_emulator;

cudaError_t cudaDeviceSynchronize() {
    const std::lock_guard lock(mutex());
    if (const cudaError_t error = forbid_unsafe(); error != cudaSuccess) return report(error);
    ++counters().waits;
    return report(drain());
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    const std::lock_guard lock(mutex());
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) return error;
    ++counters().allocations;
    *stream = new CUstream_st{current_device()};
    streams().insert(*stream);
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

// Work that is still queued is completed, as CUDA says; here before the return.
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    const std::lock_guard lock(mutex());
    if (stream == nullptr || !is_stream(stream)) return report(cudaErrorInvalidResourceHandle);
    const cudaError_t error = drain(stream);
    streams().erase(stream);
    delete stream;
    return report(error);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    const std::lock_guard lock(mutex());
    if (!is_stream(stream)) return report(cudaErrorInvalidResourceHandle);
    if (const cudaError_t error = forbid_on(stream); error != cudaSuccess) return report(error);
    ++counters().waits;
    return report(drain(stream));
}

// Each query lets the device get on by some pieces of work, so that a loop that polls ends.
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    const std::lock_guard lock(mutex());
    if (!is_stream(stream)) return report(cudaErrorInvalidResourceHandle);
    if (const cudaError_t error = forbid_on(stream); error != cudaSuccess) return report(error);
    for (const Work& work : queue()) {
        if (work.stream != stream) continue;
        go_on();
        return cudaErrorNotReady;
    }
    return report(std::exchange(first_failure, cudaSuccess));
}

// For what was recorded before this call.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    const std::lock_guard lock(mutex());
    if (!is_stream(stream) || !events().contains(event)) {
        return report(cudaErrorInvalidResourceHandle);
    }
    if (is_captured(event)) return report(wait_captured(stream, event));
    const auto mark = event->mark;
    const int wanted = mark->recorded;
    // In a capture only its own events may be waited for.
    if (is_capturing(stream)) return report(forbid_on(stream));
    if (mark->reached >= wanted) return cudaSuccess;
    return enqueue_when(
        stream, [mark, wanted] { return mark->reached >= wanted; }, [] { return cudaSuccess; });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return enqueue(stream, [function, data] {
        function(data);
        return cudaSuccess;
    });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    const std::lock_guard lock(mutex());
    ++counters().allocations;
    *event = new CUevent_st;
    (*event)->device = current_device();
    (*event)->timed = (flags & cudaEventDisableTiming) == 0;
    events().insert(*event);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const std::lock_guard lock(mutex());
    if (events().erase(event) == 0) return report(cudaErrorInvalidResourceHandle);
    forget_captured(event);
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    const std::lock_guard lock(mutex());
    if (!events().contains(event)) return report(cudaErrorInvalidResourceHandle);
    if (!is_stream(stream) || device_of(stream) != event->device)
        return report(cudaErrorInvalidResourceHandle);
    forget_captured(event);
    if (is_capturing(stream)) {
        record_captured(event, stream);
        return cudaSuccess;
    }
    const auto mark = event->mark;
    const int number = ++mark->recorded;
    return enqueue(stream, [mark, number] {
        mark->reached = std::max(mark->reached, number);
        mark->time = CUevent_st::Clock::now();
        return cudaSuccess;
    });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    const std::lock_guard lock(mutex());
    if (!events().contains(event)) return report(cudaErrorInvalidResourceHandle);
    if (is_captured(event)) return report(cudaErrorCapturedEvent);
    if (!event->pending()) return report(std::exchange(first_failure, cudaSuccess));
    go_on();
    return cudaErrorNotReady;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    const std::lock_guard lock(mutex());
    if (!events().contains(event)) return report(cudaErrorInvalidResourceHandle);
    if (is_captured(event)) return report(cudaErrorCapturedEvent);
    const auto mark = event->mark;
    const int wanted = mark->recorded;
    if (mark->reached < wanted) ++counters().waits;
    return report(run_until([mark, wanted] { return mark->reached >= wanted; }));
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
    const std::lock_guard lock(mutex());
    if (!events().contains(begin) || !events().contains(end) || !begin->timed || !end->timed ||
        begin->device != end->device || begin->mark->recorded == 0 || end->mark->recorded == 0) {
        return report(cudaErrorInvalidResourceHandle);
    }
    if (begin->pending() || end->pending()) return cudaErrorNotReady;
    const auto time = end->mark->time - begin->mark->time;
    *milliseconds = std::chrono::duration<float, std::milli>(time).count();
    return cudaSuccess;
}
