// Passes on to another communicator, counts what goes over it and fails when it is told to.
#pragma once

#include "engine/core/error.h"
#include "engine/parallel/communicator.h"

namespace strata::parallel::testing {

class CountingCommunicator final : public Communicator {
public:
    explicit CountingCommunicator(Communicator& to) : to_(to) {}

    int calls() const { return calls_; }
    std::size_t bytes() const { return bytes_; }
    void reset() {
        calls_ = 0;
        bytes_ = 0;
    }
    // The call of this number, from 1, throws.
    void fail_at(int call) { fail_at_ = call; }

    int rank() const override { return to_.rank(); }
    int size() const override { return to_.size(); }
    void all_reduce(std::span<float> data) override {
        count(data.size_bytes());
        to_.all_reduce(data);
    }
    void all_reduce(std::span<double> data) override {
        count(data.size_bytes());
        to_.all_reduce(data);
    }
    void all_reduce_max(std::span<double> data) override {
        count(data.size_bytes());
        to_.all_reduce_max(data);
    }
    void reduce_scatter(std::span<float> data) override {
        count(data.size_bytes());
        to_.reduce_scatter(data);
    }
    void all_gather(std::span<float> data) override {
        count(data.size_bytes());
        to_.all_gather(data);
    }
    void broadcast(std::span<std::byte> data, int root) override {
        count(data.size());
        to_.broadcast(data, root);
    }
    void barrier() override {
        count(0);
        to_.barrier();
    }
    void fail(const char* why) noexcept override { to_.fail(why); }

private:
    void count(std::size_t bytes) {
        bytes_ += bytes;
        if (++calls_ == fail_at_) throw Error(ErrorCode::interrupted, "the cable is unplugged", "");
    }

    Communicator& to_;
    int calls_ = 0, fail_at_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace strata::parallel::testing
