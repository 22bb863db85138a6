// The processes that MPI has started together, their hosts and the watch over them.
#pragma once

#include <string>
#include <vector>

#include "engine/parallel/mpi/mpi_line.h"
#include "engine/parallel/process_group.h"

namespace strata::parallel {

class MpiGroup final : public ProcessGroup {
public:
    // Starts MPI. Once in a process.
    explicit MpiGroup(std::chrono::milliseconds timeout);
    ~MpiGroup() override;

    int rank() const override { return link_.rank(); }
    int size() const override { return link_.size(); }
    const std::string& host(int rank) const override {
        return hosts_[static_cast<std::size_t>(rank)];
    }
    int ranks_on_this_host() const override;
    void set_busy(bool busy) override { link_.watch().set_busy(busy); }
    void close() override;

    void all_reduce(std::span<float> data) override { own_.all_reduce(data); }
    void all_reduce(std::span<double> data) override { own_.all_reduce(data); }
    void all_reduce_max(std::span<double> data) override { own_.all_reduce_max(data); }
    void reduce_scatter(std::span<float> data) override { own_.reduce_scatter(data); }
    void all_gather(std::span<float> data) override { own_.all_gather(data); }
    void broadcast(std::span<std::byte> data, int root) override { own_.broadcast(data, root); }
    void barrier() override { own_.barrier(); }
    void check() override { link_.require_whole(); }
    std::chrono::milliseconds deadline() const override { return link_.timeout(); }
    Communicator& line(int number) override { return link_.line(number); }
    void fail(const char* why) noexcept override { own_.fail(why); }

private:
    void share_hosts();
    void begin_watch();

    bool closed_ = false;
    MpiLink link_;
    std::vector<std::string> hosts_;
    MpiLine own_;
};

}  // namespace strata::parallel
