#include "engine/parallel/batch_runner.h"

#include <algorithm>
#include <numeric>

namespace strata::parallel {
namespace {

using device::Category;
using graph::Mode;
using graph::Plan;
using ops::no_value;

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

std::size_t bytes_of_sample(const Plan& plan, ops::ValueId id) {
    return plan.program[id].bytes() / static_cast<std::size_t>(plan.batch);
}

}  // namespace

BatchRunner::BatchRunner(PlacedModel& model, Team& team, GradientExchange& exchange,
                         Communicator* world)
    : model_(model),
      team_(team),
      exchange_(exchange),
      statistics_(model, team, world),
      sizes_(at(model.replicas())),
      samples_before_(at(model.replicas())),
      samples_here_(at(model.replicas())),
      results_(at(model.replicas())),
      blocks_(at(model.replicas() * model.devices())) {}

void BatchRunner::begin(const BatchCall& call) {
    model_.require_planned(call.mode, call.n);
    const std::size_t metrics = model_.setup() == nullptr ? 0 : model_.setup()->metrics.size();
    for (int r = 0; r < model_.replicas(); ++r) {
        sizes_[at(r)] = model_.sizes(call.n, r);
        results_[at(r)].assign(sizes_[at(r)].size(), std::vector<double>(metrics + 1, 0.0));
        team_.progress(r).begin();
        if (call.mode != Mode::train) continue;
        note_samples(call, r);
        if (call.scalars.first_in_window) clear_sums(r);
    }
    common_ = 0;
    for (auto& list : blocks_) list.clear();
    begin_ = Clock::now();
}

// Of the replica, in the window's batches before this one.
void BatchRunner::note_samples(const BatchCall& call, int replica) {
    const std::vector<std::int64_t>& own = sizes_[at(replica)];
    std::int64_t& before = samples_before_[at(replica)];
    std::int64_t& here = samples_here_[at(replica)];
    before = call.scalars.first_in_window ? 0 : before + here;
    here = std::accumulate(own.begin(), own.end(), std::int64_t{0});
}

void BatchRunner::clear_sums(int replica) {
    for (int device = 0; device < model_.devices(); ++device) {
        const DevicePart& part = model_.part(replica, device);
        for (const Share& sum : model_.added_by_stages(device))
            part.device().fill_zero(part.arena().at(Category::gradients, sum.begin * sizeof(float)),
                                    sum.size() * sizeof(float));
    }
}

graph::BatchResult BatchRunner::run(const BatchCall& call) {
    begin(call);
    if (call.mode == Mode::train && !call.watch && model_.synchronizes()) {
        common_ = statistics_.most_micro_batches(static_cast<int>(sizes_.front().size()));
        if (common_ > 0) model_.require_schedule(common_);
    }
    if (exchanges(call)) {
        exchange_.begin();
        team_.run(
            [&](int replica, int device) {
                run_tasks(call, replica, device);
                exchange_.finish(replica, device);
            },
            [this] { exchange_.exchange_with_others(); });
    } else {
        team_.run([&](int replica, int device) { run_tasks(call, replica, device); });
    }
    timeline_.clear();
    for (const auto& list : blocks_) timeline_.insert(timeline_.end(), list.begin(), list.end());
    return sums();
}

bool BatchRunner::exchanges(const BatchCall& call) const {
    return call.mode == Mode::train && call.scalars.last_in_window && exchange_.active();
}

// In the order of the samples, whoever was first.
graph::BatchResult BatchRunner::sums() const {
    graph::BatchResult result;
    if (model_.setup() != nullptr) result.metric_sums.assign(model_.setup()->metrics.size(), 0.0);
    for (const auto& replica : results_)
        for (const std::vector<double>& sums : replica) {
            result.loss_sum += sums[0];
            for (std::size_t i = 0; i + 1 < sums.size(); ++i) result.metric_sums[i] += sums[i + 1];
        }
    return result;
}

void BatchRunner::walk(const BatchCall& call, const std::function<bool()>& done) {
    begin(call);
    const int stages = model_.stages().stages();
    const int steps = call.mode == Mode::train ? 2 * stages : stages;
    for (int r = 0; r < model_.replicas(); ++r)
        for (int m = 0; m < static_cast<int>(sizes_[at(r)].size()); ++m)
            for (int step = 0; step < steps; ++step) {
                const bool backward = step >= stages;
                const int stage = backward ? 2 * stages - 1 - step : step;
                do_task(work_of(call, {stage, m, backward}, r));
                if (done()) return;
            }
}

void BatchRunner::run_tasks(const BatchCall& call, int replica, int device) {
    const auto own = static_cast<int>(sizes_[at(replica)].size());
    const int count = std::max(own, common_);
    if (own == 0) {
        // Its sums must not be those of the window before.
        const DevicePart& part = model_.part(replica, device);
        if (call.mode == Mode::train && call.scalars.first_in_window)
            part.device().fill_zero(part.arena().base(Category::gradients),
                                    part.state().trainable_bytes);
        if (exchanges(call)) exchange_.complete_all(device);
    }
    if (count == 0) return;
    const auto seconds = [&](Clock::time_point time) {
        return std::chrono::duration<double>(time - begin_).count();
    };
    for (const StageTask& task : model_.schedule(count)[at(device)]) {
        if (task.backward && call.mode != Mode::train) continue;
        if (task.micro_batch >= own) {
            statistics_.join(replica, task);
            team_.progress(replica).advance(task.stage, task.backward);
            continue;
        }
        if (!wait_for_inputs(task, replica)) return;
        const auto start = Clock::now();
        if (!do_task(work_of(call, task, replica))) return;
        blocks_[at(replica * model_.devices() + device)].push_back(
            {replica, device, task, seconds(start), seconds(Clock::now())});
    }
}

BatchRunner::Work BatchRunner::work_of(const BatchCall& call, const StageTask& task, int replica) {
    const std::vector<std::int64_t>& sizes = sizes_[at(replica)];
    std::int64_t before = 0;
    for (int m = 0; m < task.micro_batch; ++m) before += sizes[at(m)];
    return {call,
            task,
            replica,
            model_.part(replica, model_.device_of(task.stage)),
            sizes[at(task.micro_batch)],
            model_.first_sample(call.n, replica) + before,
            before};
}

bool BatchRunner::wait_for_inputs(const StageTask& task, int replica) {
    Progress& progress = team_.progress(replica);
    const auto& reads = model_.stages().reads;
    const int count = task.micro_batch + 1;
    if (!task.backward)
        return std::all_of(reads[at(task.stage)].begin(), reads[at(task.stage)].end(),
                           [&](int source) { return progress.wait(source, false, count); });
    for (int reader = task.stage + 1; reader < model_.stages().stages(); ++reader) {
        const auto& sources = reads[at(reader)];
        if (std::find(sources.begin(), sources.end(), task.stage) != sources.end() &&
            !progress.wait(reader, true, count))
            return false;
    }
    return true;
}

bool BatchRunner::do_task(const Work& work) {
    const Plan& plan = work.plan();
    const StageTask& task = work.task;
    const BatchCall& call = work.call;
    ops::StepScalars scalars = call.scalars;
    scalars.first_sample += work.first * scalars.sample_stride;
    scalars.samples_before = samples_before_[at(work.replica)] + work.before;
    scalars.first_in_window = scalars.first_in_window && task.micro_batch == 0;
    SumsOfReplica sums(statistics_, work.replica, model_.device_of(task.stage));
    if (common_ > 0) scalars.replicas = &sums;
    if (!task.backward) {
        copy_in(work, plan.input, call.inputs);
        copy_in(work, plan.targets, call.targets);
    }
    if (call.watch)
        work.part.run(task.stage, call.mode, work.size, task.micro_batch, task.backward, scalars,
                      call.watch);
    else if (task.backward && exchanges(call) &&
             at(task.micro_batch) + 1 == sizes_[at(work.replica)].size())
        run_last_backward(work, scalars);
    else
        work.part.run(task.stage, call.mode, work.size, task.micro_batch, task.backward, scalars);
    for (const graph::Port& port : task.backward ? plan.sent_gradients : plan.sent)
        if (!send(work, port)) return false;
    if (!task.backward) read_results(work);
    team_.progress(work.replica).advance(task.stage, task.backward);
    return true;
}

// What the other replicas have completed, too, is added up between the ops.
void BatchRunner::run_last_backward(const Work& work, const ops::StepScalars& scalars) {
    const StageTask& task = work.task;
    const int device = model_.device_of(task.stage);
    const std::vector<Completion>& list = model_.completed_by(task.stage, work.size);
    auto next = list.begin();
    work.part.run_by_op(task.stage, work.call.mode, work.size, task.micro_batch, true, scalars,
                        [&](std::size_t op) {
                            for (; next != list.end() && next->op <= op; ++next)
                                exchange_.completed(device, next->bucket);
                            exchange_.work(work.replica, device);
                            return true;
                        });
    for (; next != list.end(); ++next) exchange_.completed(device, next->bucket);
}

void BatchRunner::copy_in(const Work& work, ops::ValueId id, const void* host) const {
    if (id == no_value || host == nullptr) return;
    const Plan& plan = work.plan();
    const auto begin = static_cast<std::size_t>(work.first) * bytes_of_sample(plan, id);
    work.part.device().copy_in(work.address(id), static_cast<const std::byte*>(host) + begin,
                               plan.program[id].bytes());
}

// Into the memory of the stage that reads it. The slot of an output is free when the reader is done
// with its last micro-batch; that of a gradient is the micro-batch's own.
bool BatchRunner::send(const Work& work, const graph::Port& port) {
    const StageTask& task = work.task;
    const Mode mode = work.call.mode;
    DevicePart& other = model_.part(work.replica, model_.device_of(port.stage));
    const Plan& plan = other.plan(port.stage, mode, work.size);
    const auto& ports = task.backward ? plan.received_gradients : plan.received;
    const auto place = std::find_if(ports.begin(), ports.end(), [&](const graph::Port& p) {
        return p.layer == port.layer && p.stage == task.stage;
    });
    const int freed = task.micro_batch - model_.in_flight(task.stage) + 1;
    if (!task.backward &&
        !team_.progress(work.replica).wait(port.stage, mode == Mode::train, freed))
        return false;
    void* to = other.address(port.stage, mode, work.size, task.micro_batch, place->value);
    work.part.device().copy_out(to, work.address(port.value), plan.program[place->value].bytes());
    return true;
}

void BatchRunner::read_results(const Work& work) {
    const Plan& plan = work.plan();
    if (plan.loss != no_value) {
        std::vector<double>& sums = results_[at(work.replica)][at(work.task.micro_batch)];
        work.part.device().copy_out(sums.data(), work.address(plan.loss),
                                    sums.size() * sizeof(double));
    }
    if (work.call.outputs == nullptr || plan.output == no_value) return;
    const std::size_t floats = bytes_of_sample(plan, plan.output) / sizeof(float);
    work.part.device().copy_out(work.call.outputs + static_cast<std::size_t>(work.first) * floats,
                                work.address(plan.output), plan.program[plan.output].bytes());
}

}  // namespace strata::parallel
