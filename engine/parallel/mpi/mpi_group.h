// Ranks that are processes, over MPI. Calls never block in MPI: they test, sleep shortly and look
// at the deadline and at the watch. Sums are made in the order of the ranks, as the threads' group
// makes them.
#pragma once

#include <mpi.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "engine/parallel/mpi/watch.h"
#include "engine/parallel/process_group.h"

namespace strata::parallel {

class MpiGroup final : public ProcessGroup {
public:
    // Starts MPI. Once in a process.
    explicit MpiGroup(std::chrono::milliseconds timeout);
    ~MpiGroup() override;

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    const std::string& host(int rank) const override {
        return hosts_[static_cast<std::size_t>(rank)];
    }
    int ranks_on_this_host() const override;
    void set_busy(bool busy) override { watch_->set_busy(busy); }
    void close() override;

    void all_reduce(std::span<float> data) override;
    void all_reduce(std::span<double> data) override;
    void all_reduce_max(std::span<double> data) override;
    void reduce_scatter(std::span<float> data) override;
    void all_gather(std::span<float> data) override;
    void broadcast(std::span<std::byte> data, int root) override;
    void barrier() override;
    void fail(const char* why) noexcept override;

private:
    class Call;

    void meet();
    void share_hosts();
    void begin_watch();
    [[noreturn]] void give_up() const;
    // After `call`'s deadline: names those whose messages are missing.
    [[noreturn]] void too_late(std::vector<int> missing);
    void post_send(const void* data, std::size_t bytes, int to);
    void post_receive(void* data, std::size_t bytes, int from);
    void finish();  // waits for what was posted

    template <typename T, typename Add>
    void reduce(std::span<T> data, bool gather, const Add& add);
    template <typename T, typename Add>
    void reduce_small(std::span<T> data, const Add& add);

    int rank_ = 0, size_ = 1;
    bool closed_ = false;
    std::chrono::milliseconds timeout_;
    std::vector<std::string> hosts_;
    MPI_Comm world_ = MPI_COMM_NULL;
    std::unique_ptr<Watch> watch_;
    std::vector<MPI_Request> requests_;
    std::vector<int> peers_;  // of each request
    std::vector<std::byte> scratch_;
};

}  // namespace strata::parallel
