// Ranks that are processes, over MPI. Calls never block in MPI: they test, sleep shortly and look
// at the deadline and at the watch. Sums are made in the order of the ranks, as the threads' group
// makes them.
#pragma once

#include <vector>

#include "engine/parallel/mpi/mpi_link.h"

namespace strata::parallel {

class MpiLine final : public Communicator {
public:
    // The link outlives it.
    MpiLine(MpiLink& link, int number) : link_(link), number_(number) {}

    int rank() const override { return link_.rank(); }
    int size() const override { return link_.size(); }
    void all_reduce(std::span<float> data) override;
    void all_reduce(std::span<double> data) override;
    void all_reduce_max(std::span<double> data) override;
    void reduce_scatter(std::span<float> data) override;
    void all_gather(std::span<float> data) override;
    void broadcast(std::span<std::byte> data, int root) override;
    void barrier() override;
    void check() override { link_.require_whole(); }
    std::chrono::milliseconds deadline() const override { return link_.timeout(); }
    Communicator& line(int number) override { return link_.line(number); }
    void fail(const char* why) noexcept override;

private:
    class Call;

    void post_send(const void* data, std::size_t bytes, int to);
    void post_receive(void* data, std::size_t bytes, int from);
    void finish();  // waits for what was posted

    template <typename T, typename Add>
    void reduce(std::span<T> data, bool gather, const Add& add);
    template <typename T, typename Add>
    void reduce_small(std::span<T> data, const Add& add);

    MpiLink& link_;
    int number_;
    std::vector<MPI_Request> requests_;
    std::vector<int> peers_;  // of each request
    std::vector<std::byte> scratch_;
};

}  // namespace strata::parallel
