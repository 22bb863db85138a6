// Takes a batch through a placed model: each device works through its list of stages and
// micro-batches and hands outputs and gradients over. Used by the placed executor.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "engine/parallel/batch_results.h"
#include "engine/parallel/gradient_exchange.h"
#include "engine/parallel/placed_executor.h"
#include "engine/parallel/placed_model.h"
#include "engine/parallel/shared_statistics.h"
#include "engine/parallel/team.h"

namespace strata::parallel {

// Of which inputs and targets are (n, ...) on the host, outputs too; null where there are none.
struct BatchCall {
    graph::Mode mode = graph::Mode::train;
    const void* inputs = nullptr;
    const void* targets = nullptr;
    float* outputs = nullptr;
    std::int64_t n = 0;
    ops::StepScalars scalars;
    DevicePart::Watch watch;  // of walk() only
};

class BatchRunner {
public:
    // world: of the processes; may be null.
    BatchRunner(PlacedModel& model, Team& team, GradientExchange& exchange, DeviceGroups& groups,
                Communicator* world);

    // On all devices at a time; of a window's last batch with the exchange of its gradients. Throws
    // what a device throws.
    graph::BatchResult run(const BatchCall& call);
    // On this thread, one task after the other, until done() is true.
    void walk(const BatchCall& call, const std::function<bool()>& done);

    // Ends the waiting of other processes for this one. While the exception is being handled.
    void fail() const noexcept { statistics_.fail(); }

    // Of the last batch; waits for devices that work beside the host.
    const std::vector<MeasuredBlock>& timeline();
    // Of the replica, in the window.
    std::int64_t samples(int replica) const {
        const auto at = static_cast<std::size_t>(replica);
        return samples_before_[at] + samples_here_[at];
    }

private:
    using Clock = std::chrono::steady_clock;
    // A stage's work on a micro-batch, and where that lies in the batch.
    struct Work {
        const BatchCall& call;
        StageTask task;
        int replica;
        DevicePart& part;
        std::int64_t size, first, before;  // samples: of it, before it in the batch, in the replica

        const graph::Plan& plan() const { return part.plan(task.stage, call.mode, size); }
        void* address(ops::ValueId id) const {
            return part.address(task.stage, call.mode, size, task.micro_batch, id);
        }
    };

    // On devices with queues of their own.
    struct DeviceEvents {
        std::unique_ptr<device::Event> begin, end;  // of the batch
        bool has_results = false;                   // that are on their way
    };
    struct TaskEvents {
        std::unique_ptr<device::Event> begin, end;
    };
    // What goes through the host: replica, the reader's stage, the layer and its stage, direction,
    // slot.
    using HostBufferKey = std::tuple<int, int, int, int, bool, int>;

    void make_events();
    bool waits_on_host(const BatchCall& call) const;
    void begin(const BatchCall& call);
    void note_samples(const BatchCall& call, int replica);
    // Of gradients to which several stages add.
    void clear_sums(int replica);
    void run_tasks(const BatchCall& call, int replica, int device);
    void begin_device(int replica, int device);
    void work_through(const BatchCall& call, int replica, int device);
    void run_last_backward(const Work& work, const ops::StepScalars& scalars);
    bool exchanges(const BatchCall& call) const;
    Work work_of(const BatchCall& call, const StageTask& task, int replica);
    // All three: false where the team has failed.
    bool wait_for_inputs(const StageTask& task, int replica);
    bool do_task(const Work& work);
    bool send(const Work& work, const graph::Port& port);
    // From the stages on devices of other kinds.
    void fetch(const Work& work);
    std::vector<std::byte>& host_buffer(const Work& reader, const graph::Port& port);
    const graph::Port& place_of(const Work& reader, int layer, int from) const;
    void copy_in(const Work& work, ops::ValueId id, const void* host) const;
    void read_results(const Work& work);
    void finish(int replica, int device);
    TaskEvents& events(const StageTask& task, int replica);

    PlacedModel& model_;
    Team& team_;
    GradientExchange& exchange_;
    DeviceGroups& groups_;
    SharedStatistics statistics_;
    Clock::time_point begin_;
    std::vector<std::vector<std::int64_t>> sizes_;  // of each replica's micro-batches
    // Of each replica: samples in this batch, and in the window's batches before it.
    std::vector<std::int64_t> samples_before_, samples_here_;
    BatchResults results_;
    std::vector<DeviceEvents> devices_;  // of each device of each replica
    std::vector<TaskEvents> tasks_;      // replica, stage, direction, micro-batch
    std::map<HostBufferKey, std::vector<std::byte>> host_buffers_;
    std::mutex host_buffers_mutex_;
    std::vector<std::vector<MeasuredBlock>> blocks_;  // of each device
    std::vector<MeasuredBlock> timeline_;
    // Micro-batches that all replicas go through together, as their statistics are added up; 0:
    // they do not.
    int common_ = 0;
};

}  // namespace strata::parallel
