// Devices, errors and settings of the stand-in runtime.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "other_processes.h"
#include "state.h"

namespace cuda_emulator {
namespace {

constexpr int runtime_version = 13000;
constexpr std::chrono::milliseconds a_moment{1};
// A plug-in is loaded with as many GPUs as its environment says, and their order.
Machine first_machine() {
    Machine machine;
    if (const char* devices = std::getenv("STRATA_EMULATED_GPUS"))
        machine.devices = std::atoi(devices);
    machine.latest_stream_first = std::getenv("STRATA_EMULATED_LATEST_FIRST") != nullptr;
    return machine;
}

Machine the_machine = first_machine();
Order the_order = Order::forward;
std::string the_fault;
thread_local cudaError_t last_error = cudaSuccess;
thread_local int device = 0;

cudaError_t machine_error() {
    if (!the_machine.has_driver || the_machine.driver_version < runtime_version)
        return cudaErrorInsufficientDriver;
    return the_machine.devices == 0 ? cudaErrorNoDevice : cudaSuccess;
}

cudaError_t check_device(int index) {
    const cudaError_t error = machine_error();
    if (error != cudaSuccess) return error;
    return index >= 0 && index < the_machine.devices ? cudaSuccess : cudaErrorInvalidDevice;
}

}  // namespace

void Mutex::lock() {
    mutex_.lock();
    ++depth_;
}

void Mutex::unlock() {
    --depth_;
    mutex_.unlock();
}

bool Mutex::wait() {
    const int depth = std::exchange(depth_, 0);
    for (int i = 1; i < depth; ++i) mutex_.unlock();
    std::unique_lock lock(mutex_, std::adopt_lock);
    // What other processes do wakes nobody here, and NCCL waits for them for ever.
    const bool with_others = !shared_directory().empty();
    const bool woken = submitted_.wait_for(lock, with_others ? a_moment : machine().patience) ==
                           std::cv_status::no_timeout ||
                       with_others;
    lock.release();
    for (int i = 1; i < depth; ++i) mutex_.lock();
    depth_ = depth;
    return woken;
}

Mutex& mutex() {
    // A joining that waits on may outlive main().
    static Mutex* const instance = new Mutex;
    return *instance;
}

cudaError_t report(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
    return error;
}

void set_machine(const Machine& machine) {
    const std::lock_guard lock(mutex());
    the_machine = machine;
}
void set_order(Order order) {
    const std::lock_guard lock(mutex());
    the_order = order;
}
const Machine& machine() {
    return the_machine;
}
Order order() {
    return the_order;
}
int current_device() {
    return device;
}

void set_fault(const std::string& what) {
    the_fault = what;
}
std::string take_fault() {
    const std::lock_guard lock(mutex());
    return std::exchange(the_fault, {});
}

}  // namespace cuda_emulator

using namespace cuda_emulator;

cudaError_t cudaDriverGetVersion(int* version) {
    *version = machine().has_driver ? machine().driver_version : 0;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = runtime_version;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
    const std::lock_guard lock(mutex());
    *count = machine().has_driver ? machine().devices : 0;
    return report(machine_error());
}

cudaError_t cudaSetDevice(int index) {
    const std::lock_guard lock(mutex());
    const cudaError_t error = check_device(index);
    if (error == cudaSuccess) device = index;
    return report(error);
}

cudaError_t cudaGetDevice(int* index) {
    *index = device;
    return report(machine_error());
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int index) {
    const std::lock_guard lock(mutex());
    const cudaError_t error = check_device(index);
    if (error != cudaSuccess) return report(error);
    *properties = {};
    std::snprintf(properties->name, sizeof(properties->name), "CUDA emulator");
    properties->totalGlobalMem = machine().memory;
    properties->sharedMemPerBlock = std::size_t{48} << 10;
    properties->warpSize = 32;
    properties->maxThreadsPerBlock = 1024;
    const int threads[] = {1024, 1024, 64};
    const int grid[] = {2147483647, 65535, 65535};
    std::copy_n(threads, 3, properties->maxThreadsDim);
    std::copy_n(grid, 3, properties->maxGridSize);
    properties->major = machine().capability / 10;
    properties->minor = machine().capability % 10;
    properties->multiProcessorCount = 2;
    properties->pciBusID = index + 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int index) {
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, index);
    if (error != cudaSuccess) return error;
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock:
            *value = properties.maxThreadsPerBlock;
            return cudaSuccess;
        case cudaDevAttrWarpSize:
            *value = properties.warpSize;
            return cudaSuccess;
        case cudaDevAttrMultiProcessorCount:
            *value = properties.multiProcessorCount;
            return cudaSuccess;
        case cudaDevAttrComputeCapabilityMajor:
            *value = properties.major;
            return cudaSuccess;
        case cudaDevAttrComputeCapabilityMinor:
            *value = properties.minor;
            return cudaSuccess;
    }
    return report(cudaErrorInvalidValue);
}

cudaError_t cudaGetLastError() {
    return std::exchange(last_error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
    return last_error;
}

namespace {

struct ErrorText {
    cudaError_t error;
    const char* name;
    const char* text;
};
constexpr ErrorText error_texts[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {cudaErrorPeerAccessAlreadyEnabled, "cudaErrorPeerAccessAlreadyEnabled",
     "peer access is already enabled"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorIllegalState, "cudaErrorIllegalState",
     "the operation cannot be performed in the present state"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {cudaErrorStreamCaptureMerge, "cudaErrorStreamCaptureMerge",
     "operation would result in a merge of separate capture sequences"},
    {cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched",
     "capture was not ended in the same stream as it began"},
    {cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined",
     "capturing stream has unjoined work"},
    {cudaErrorStreamCaptureImplicit, "cudaErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {cudaErrorCapturedEvent, "cudaErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {cudaErrorStreamCaptureWrongThread, "cudaErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"}};

const ErrorText& text_of(cudaError_t error) {
    for (const ErrorText& entry : error_texts) {
        if (entry.error == error) return entry;
    }
    static constexpr ErrorText none{cudaErrorUnknown, "unrecognized error code",
                                    "unrecognized error code"};
    return none;
}

}  // namespace

const char* cudaGetErrorName(cudaError_t error) {
    return text_of(error).name;
}
const char* cudaGetErrorString(cudaError_t error) {
    return text_of(error).text;
}
