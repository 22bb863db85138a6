// Sums and copies between devices of one process that hold arrays of the same size: the replicas of
// a model. Made by a backend for devices of its kind.
#pragma once

#include <cstddef>
#include <vector>

namespace strata::device {

// The parts of an array that belong to the ranks, one behind the other: part r is elements
// [begins[r], begins[r + 1]). size() + 1 of them.
using PartBegins = std::vector<std::size_t>;

// A rank is one of the devices; the thread that drives it makes its calls. All ranks make the same
// calls in the same order, and none waits: a call takes place on the devices when what their queues
// held before it is done, beside what is queued after it, until join(). Throws Error{interrupted}
// that names the device where the exchange fails.
class DeviceGroup {
public:
    virtual ~DeviceGroup() = default;
    virtual int size() const = 0;

    // In place: each element's sum over the ranks.
    virtual void all_reduce(int rank, float* data, std::size_t count) = 0;
    virtual void all_reduce(int rank, double* data, std::size_t count) = 0;
    // In place: of this rank's part the sum over the ranks; the rest is undefined.
    virtual void reduce_scatter(int rank, float* data, const PartBegins& parts) = 0;
    // In place: every part as its rank had it.
    virtual void all_gather(int rank, float* data, const PartBegins& parts) = 0;
    // What is queued on the rank's device from now on begins after its calls so far.
    virtual void join(int rank) = 0;
    // Throws where the exchange has failed since.
    virtual void check(int rank) = 0;
    // Ends the calls that the ranks wait in; the group can do no more.
    virtual void fail() noexcept = 0;
};

}  // namespace strata::device
