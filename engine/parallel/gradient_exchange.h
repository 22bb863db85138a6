// Adds up the gradients of a model's replicas, bucket by bucket while the backward pass works on
// the layers before them, in this process and over others: by threads in shared memory, or where
// devices have groups, by these. Used by the placed executor.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/parallel/communicator.h"
#include "engine/parallel/counters.h"
#include "engine/parallel/device_groups.h"
#include "engine/parallel/placed_model.h"

namespace strata::parallel {

// Of a window, in seconds.
struct ExchangeTimes {
    double total = 0.0;    // that a device, on average, and the process's exchange with others took
    double exposed = 0.0;  // from the end of the last backward pass to that of the last sum

    double exposed_share() const { return total > 0.0 ? exposed / total : 0.0; }
};

// Where the optimizer is sharded, each rank gets the sums of its shares only; else all get all.
// A device of a window: what it has completed is said as it comes; work() between two ops, finish()
// after the last one. Nobody waits before finish().
class GradientExchange {
public:
    // world: of the processes; may be null.
    GradientExchange(PlacedModel& model, DeviceGroups& groups, Communicator* world);

    // False where all gradients are made by one device: nothing is to be called then.
    bool active() const { return replicas_ > 1 || world_ != nullptr || !shared_.empty(); }
    // Before the window's last batch, while the devices rest.
    void begin();
    // Whether the gradients have been added up since the last call.
    bool take() { return std::exchange(begun_, false); }
    bool begun() const { return begun_; }
    // The exchange leaves the device's sums of squares behind.
    bool squares(int device) const {
        return replicas_ > 1 && model_.sharded() && world_ == nullptr && !groups_.copies(device);
    }

    // ---- on the thread of a device
    void completed(int replica, int device, std::size_t bucket);
    // Of a replica without samples: its gradients, all zero, but for the shared ones.
    void complete_all(int replica, int device);
    // Adds up this replica's shares of the buckets that all replicas have completed; where the
    // sums are whole, with their squares.
    void work(int replica, int device);
    // The rest of them, those of shared variables last. False where the team has failed.
    bool finish(int replica, int device);

    // ---- on the caller's thread, while the devices work: the sums over the processes, in the same
    // order in each of them. Throws what the communicator throws.
    void exchange_with_others();
    // Where the gradients are not sharded: the replicas' copies of what came from the others.
    void copy_from_first(int replica, int device);

    void fail();
    // Of the last window, after finish() on all devices.
    ExchangeTimes times() const;

private:
    using Clock = std::chrono::steady_clock;
    // Of a device of a replica, written by its thread.
    struct Turn {
        std::size_t next = 0;         // bucket
        std::vector<bool> completed;  // where a group adds them up
        double seconds = 0.0;
        Clock::time_point backward_end, end;
    };

    // A variable that several of a replica's devices keep: where it begins in the gradients of
    // each, in elements.
    struct SharedVariable {
        std::vector<std::pair<int, std::size_t>> begins;
        std::size_t size = 0;
        std::vector<device::DeviceGroup*> groups;  // of each replica; null: threads add up
    };

    static std::size_t at(int index) { return static_cast<std::size_t>(index); }
    Turn& turn(int replica, int device) { return turns_[at(replica * model_.devices() + device)]; }
    float* gradients(int replica, int device) const;
    void find_shared_variables();
    void join_holders(SharedVariable& variable, const std::string& layer);
    // Over the devices of a replica: each adds up its share of all. False after a failure.
    bool add_up_shared(int replica, int device);
    bool add_up_shared_by_threads(int replica, int device);
    void add_up_shared_by_groups(int replica, int device);
    // To the group of the device's copies.
    void queue(int replica, int device, std::size_t bucket);
    void add_up(int replica, int device, std::size_t bucket);
    void add_up_and_square(int replica, int device, std::size_t bucket);
    void add_up(int replica, int device, const Share& share);
    void add_up_others(int device, std::size_t bucket);

    PlacedModel& model_;
    DeviceGroups& groups_;
    Communicator* world_;
    int replicas_;
    bool begun_ = false;
    // Of each device, by bucket: how many replicas have completed it, and added up their shares.
    std::vector<std::unique_ptr<Counters>> ready_, summed_;
    std::vector<SharedVariable> shared_;
    // By replica: how many devices have ended their backward passes, and their shared sums.
    Counters arrived_, added_;
    std::vector<Turn> turns_;
    double world_seconds_ = 0.0;
    Clock::time_point world_end_;
};

}  // namespace strata::parallel
