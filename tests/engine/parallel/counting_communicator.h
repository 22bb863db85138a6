// Passes on to another communicator, counts what goes over it and fails when it is told to.
#pragma once

#include <atomic>
#include <map>
#include <memory>

#include "engine/core/error.h"
#include "engine/parallel/communicator.h"

namespace strata::parallel::testing {

class CountingCommunicator final : public Communicator {
public:
    explicit CountingCommunicator(Communicator& to)
        : CountingCommunicator(to, std::make_shared<Counts>()) {}

    // Those of its lines, too.
    int calls() const { return counts_->calls; }
    std::size_t bytes() const { return counts_->bytes; }
    void reset() {
        counts_->calls = 0;
        counts_->bytes = 0;
    }
    // The call of this number, from 1, throws.
    void fail_at(int call) { counts_->fail_at = call; }

    int rank() const override { return to_.rank(); }
    int size() const override { return to_.size(); }
    std::chrono::milliseconds deadline() const override { return to_.deadline(); }
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
    void check() override { to_.check(); }
    Communicator& line(int number) override {
        auto& line = lines_[number];
        if (!line) line.reset(new CountingCommunicator(to_.line(number), counts_));
        return *line;
    }
    void fail(const char* why) noexcept override { to_.fail(why); }

private:
    struct Counts {
        std::atomic<int> calls = 0, fail_at = 0;
        std::atomic<std::size_t> bytes = 0;
    };

    CountingCommunicator(Communicator& to, std::shared_ptr<Counts> counts)
        : to_(to), counts_(std::move(counts)) {}

    void count(std::size_t bytes) {
        counts_->bytes += bytes;
        if (++counts_->calls == counts_->fail_at)
            throw Error(ErrorCode::interrupted, "the cable is unplugged", "");
    }

    Communicator& to_;
    std::shared_ptr<Counts> counts_;
    std::map<int, std::unique_ptr<CountingCommunicator>> lines_;
};

}  // namespace strata::parallel::testing
