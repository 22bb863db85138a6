// Sums and copies between the ranks of a group: the replicas of a model, or a replica's stages.
// What stands behind it is the matter of its makers: threads of one process, MPI, NCCL.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>

namespace strata::parallel {

inline constexpr std::chrono::seconds default_deadline{30};

// The part of `elements` that belongs to a rank: begin and end, begin a multiple of 16 elements, so
// that vector loops need no remainder but at the very end. Covers all of them without overlap; the
// last ranks may have nothing.
struct Share {
    std::size_t begin = 0, end = 0;
    std::size_t size() const { return end - begin; }
};
Share share_of(std::size_t elements, int rank, int size);

// One thread at a time drives a rank, and all ranks make the same calls in the same order with the
// same sizes. Every call returns when this rank's data are complete. A sum is made in
// float64 or in the order of the ranks, so that all ranks hold the same bits.
// Every call throws Error{interrupted} where a rank has failed or does not come within the
// deadline; it names that rank, and no later call of the group succeeds.
class Communicator {
public:
    virtual ~Communicator() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual std::chrono::milliseconds deadline() const = 0;

    // Each element's sum over the ranks, in place.
    virtual void all_reduce(std::span<float> data) = 0;
    virtual void all_reduce(std::span<double> data) = 0;
    // Each element's maximum, NaN above all.
    virtual void all_reduce_max(std::span<double> data) = 0;
    // Afterwards this rank's share of data is the sum; the rest is undefined.
    virtual void reduce_scatter(std::span<float> data) = 0;
    // Afterwards every share is as its rank had it.
    virtual void all_gather(std::span<float> data) = 0;
    virtual void broadcast(std::span<std::byte> data, int root) = 0;
    virtual void barrier() = 0;
    // No call that others make, too: throws at once where one would, for what is known by now.
    virtual void check() = 0;

    // This rank of another group of the same ranks, for another thread: its calls have their own
    // order, beside this one's. number: from 1. Lives as long as this one, and fails with it.
    virtual Communicator& line(int number) = 0;

    // Ends the group: the others' calls throw what is said here.
    virtual void fail(const char* why) noexcept = 0;
};

}  // namespace strata::parallel
