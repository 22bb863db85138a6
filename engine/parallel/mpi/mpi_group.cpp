#include "engine/parallel/mpi/mpi_group.h"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include "engine/parallel/mpi/backoff.h"

namespace strata::parallel {
namespace {

using std::chrono::milliseconds;

constexpr int own_line = 0;
// In which the others print what they were told, before a launcher ends them for this one's sake.
constexpr milliseconds farewell{300}, longest_farewell{5000};

}  // namespace

MpiGroup::MpiGroup(milliseconds timeout)
    : link_(timeout), hosts_(static_cast<std::size_t>(link_.size())), own_(link_, own_line) {
    // Until the hosts are known.
    link_.set_watch(std::make_unique<Watch>(rank(), hosts_, timeout));
    share_hosts();
    begin_watch();
}

void MpiGroup::share_hosts() {
    using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;
    std::vector<Name> names(hosts_.size(), Name{});
    int length = 0;
    check_mpi(MPI_Get_processor_name(names[static_cast<std::size_t>(rank())].data(), &length),
              "MPI_Get_processor_name");
    for (int root = 0; root < size(); ++root) {
        Name& name = names[static_cast<std::size_t>(root)];
        broadcast(std::as_writable_bytes(std::span(name)), root);
        hosts_[static_cast<std::size_t>(root)] = name.data();
    }
}

void MpiGroup::begin_watch() {
    auto watch = std::make_unique<Watch>(rank(), hosts_, link_.timeout());
    WatchAddress address;
    if (rank() == 0 && size() > 1) address = watch->listen();
    broadcast(std::as_writable_bytes(std::span(&address, 1)), 0);
    std::vector<double> flags(hosts_.size(), 0.0);
    if (rank() > 0 && watch->connect(address)) flags[static_cast<std::size_t>(rank())] = 1.0;
    all_reduce(std::span(flags));
    watch->begin({flags.begin(), flags.end()});
    link_.set_watch(std::move(watch));
}

MpiGroup::~MpiGroup() {
    if (closed_) return;
    const Watch& watch = link_.watch();
    // MPI_Finalize would wait for those that are gone.
    if (!watch.failed()) fail("it has not finished its work");
    std::this_thread::sleep_for(farewell);
    // Rank 0 has files to close.
    const auto until = Backoff::Clock::now() + std::min(longest_farewell, link_.timeout() / 3);
    while (!watch.lead_has_left() && Backoff::Clock::now() < until)
        std::this_thread::sleep_for(farewell / 10);
}

void MpiGroup::close() {
    barrier();
    closed_ = true;
    link_.close();
}

int MpiGroup::ranks_on_this_host() const {
    return static_cast<int>(std::count(hosts_.begin(), hosts_.end(), host(rank())));
}

}  // namespace strata::parallel
