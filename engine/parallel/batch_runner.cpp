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
                         DeviceGroups& groups, Communicator* world)
    : model_(model),
      team_(team),
      exchange_(exchange),
      groups_(groups),
      statistics_(model, team, world),
      sizes_(at(model.replicas())),
      samples_before_(at(model.replicas())),
      samples_here_(at(model.replicas())),
      results_(model.replicas(), model.setup() == nullptr ? 1 : model.setup()->metrics.size() + 1),
      devices_(at(model.replicas() * model.devices())),
      blocks_(at(model.replicas() * model.devices())) {
    make_events();
}

void BatchRunner::make_events() {
    const int stages = model_.stages().stages();
    tasks_.resize(at(model_.replicas() * stages * 2 * model_.micro_batches()));
    for (int r = 0; r < model_.replicas(); ++r) {
        for (int d = 0; d < model_.devices(); ++d) {
            device::Device& device = model_.part(r, d).device();
            devices_[at(r * model_.devices() + d)] = {device.make_event(), device.make_event()};
        }
        for (int stage = 0; stage < stages; ++stage)
            for (int m = 0; m < model_.micro_batches(); ++m)
                for (const bool backward : {false, true}) {
                    device::Device& device = model_.part(r, model_.device_of(stage)).device();
                    events({stage, m, backward}, r) = {device.make_event(), device.make_event()};
                }
    }
}

BatchRunner::TaskEvents& BatchRunner::events(const StageTask& task, int replica) {
    const int row = (replica * model_.stages().stages() + task.stage) * 2 + (task.backward ? 1 : 0);
    return tasks_[at(row * model_.micro_batches() + task.micro_batch)];
}

// For more than its results, behind which an exchange of the batch before is looked after: for
// values that are read or put in on the host, or for memory.
bool BatchRunner::waits_on_host(const BatchCall& call) const {
    return call.outputs != nullptr || call.watch || model_.synchronizes() ||
           model_.has_several_kinds() || !model_.is_planned(call.mode, call.n);
}

void BatchRunner::begin(const BatchCall& call) {
    if (waits_on_host(call)) groups_.settle_all();
    model_.require_planned(call.mode, call.n);
    for (int r = 0; r < model_.replicas(); ++r) {
        sizes_[at(r)] = model_.sizes(call.n, r);
        results_.begin(r, model_.part(r, model_.device_of(model_.stages().stages() - 1)).device(),
                       sizes_[at(r)].size(), at(model_.micro_batches()));
        team_.progress(r).begin();
        if (call.mode != Mode::train) continue;
        note_samples(call, r);
        if (call.scalars.first_in_window) clear_sums(r);
    }
    common_ = 0;
    for (auto& list : blocks_) list.clear();
    timeline_.clear();
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
    return results_.sums();
}

bool BatchRunner::exchanges(const BatchCall& call) const {
    return call.mode == Mode::train && call.scalars.last_in_window && exchange_.active();
}

// Of a device with a queue the times are its events', from its batch's begin.
const std::vector<MeasuredBlock>& BatchRunner::timeline() {
    if (!timeline_.empty()) return timeline_;
    for (std::size_t d = 0; d < blocks_.size(); ++d) {
        groups_.wait(static_cast<int>(d) / model_.devices(), static_cast<int>(d) % model_.devices(),
                     devices_[d].end.get());
        for (MeasuredBlock block : blocks_[d]) {
            if (devices_[d].begin) {
                const TaskEvents& task = events(block.task, block.replica);
                block.begin = task.begin->seconds_since(*devices_[d].begin);
                block.end = task.end->seconds_since(*devices_[d].begin);
            }
            timeline_.push_back(block);
        }
    }
    return timeline_;
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
                const Work work = work_of(call, {stage, m, backward}, r);
                do_task(work);
                work.part.device().synchronize();
                if (done()) return;
            }
}

void BatchRunner::run_tasks(const BatchCall& call, int replica, int device) {
    begin_device(replica, device);
    work_through(call, replica, device);
    finish(replica, device);
}

// No device is still at the batch before where another one writes now: the host has waited for its
// results, which all forward passes lead to, and a stage's next forward pass lies behind its last
// backward pass, to which those of its readers lead.
void BatchRunner::begin_device(int replica, int device) {
    DeviceEvents& own = devices_[at(replica * model_.devices() + device)];
    model_.part(replica, device).device().record(own.begin.get());
    own.has_results = false;
}

void BatchRunner::finish(int replica, int device) {
    DeviceEvents& own = devices_[at(replica * model_.devices() + device)];
    model_.part(replica, device).device().record(own.end.get());
    if (own.has_results) groups_.wait(replica, device, own.end.get());
}

void BatchRunner::work_through(const BatchCall& call, int replica, int device) {
    const auto own = static_cast<int>(sizes_[at(replica)].size());
    const int count = std::max(own, common_);
    if (own == 0) {
        // Its sums must not be those of the window before.
        const DevicePart& part = model_.part(replica, device);
        if (call.mode == Mode::train && call.scalars.first_in_window)
            part.device().fill_zero(part.arena().base(Category::gradients),
                                    part.state().trainable_bytes);
        if (exchanges(call)) exchange_.complete_all(replica, device);
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
    device::Device& device = model_.part(replica, model_.device_of(task.stage)).device();
    const auto wait_for = [&](int stage, bool backward) {
        if (!progress.wait(stage, backward, task.micro_batch + 1)) return false;
        if (model_.device_of(stage) != model_.device_of(task.stage))
            device.wait_for(events({stage, task.micro_batch, backward}, replica).end.get());
        return true;
    };
    const auto& reads = model_.stages().reads;
    if (!task.backward)
        return std::all_of(reads[at(task.stage)].begin(), reads[at(task.stage)].end(),
                           [&](int source) { return wait_for(source, false); });
    for (int reader = task.stage + 1; reader < model_.stages().stages(); ++reader) {
        const auto& sources = reads[at(reader)];
        if (std::find(sources.begin(), sources.end(), task.stage) != sources.end() &&
            !wait_for(reader, true))
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
    TaskEvents& own = events(task, work.replica);
    work.part.device().record(own.begin.get());
    fetch(work);
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
    work.part.device().record(own.end.get());
    team_.progress(work.replica).advance(task.stage, task.backward);
    return true;
}

// By threads, what the other replicas have completed, too, is added up between the ops. By a group
// it goes on beside them: the ops up to a bucket's last are one piece.
void BatchRunner::run_last_backward(const Work& work, const ops::StepScalars& scalars) {
    const StageTask& task = work.task;
    const int device = model_.device_of(task.stage);
    const std::vector<Completion>& list = model_.completed_by(task.stage, work.size);
    auto next = list.begin();
    const auto complete = [&](std::size_t op) {
        for (; next != list.end() && next->op <= op; ++next)
            exchange_.completed(work.replica, device, next->bucket);
        exchange_.work(work.replica, device);
        return true;
    };
    const std::size_t last = work.plan().program.ops.size();
    if (groups_.copies(device) == nullptr) {
        work.part.run_by_op(task.stage, work.call.mode, work.size, task.micro_batch, true, scalars,
                            complete);
    } else {
        for (std::size_t begin = work.plan().backward_begin; begin < last;) {
            const std::size_t end =
                next == list.end() ? last : std::min(last, std::max(begin, next->op) + 1);
            work.part.run_ops(task.stage, work.call.mode, work.size, task.micro_batch, scalars,
                              begin, end);
            complete(end - 1);
            begin = end;
        }
    }
    complete(last);
}

void BatchRunner::copy_in(const Work& work, ops::ValueId id, const void* host) const {
    if (id == no_value || host == nullptr) return;
    const Plan& plan = work.plan();
    const auto begin = static_cast<std::size_t>(work.first) * bytes_of_sample(plan, id);
    groups_.settle_before_copy(work.replica, model_.device_of(work.task.stage),
                               plan.program[id].bytes());
    work.part.device().copy_in(work.address(id), static_cast<const std::byte*>(host) + begin,
                               plan.program[id].bytes());
}

// Into the memory of the stage that reads it. The slot of an output is free when the reader is done
// with its last micro-batch; that of a gradient is the micro-batch's own.
bool BatchRunner::send(const Work& work, const graph::Port& port) {
    const StageTask& task = work.task;
    const Mode mode = work.call.mode;
    DevicePart& other = model_.part(work.replica, model_.device_of(port.stage));
    const int freed = task.micro_batch - model_.in_flight(task.stage) + 1;
    if (!task.backward && freed > 0) {
        const bool backward = mode == Mode::train;
        if (!team_.progress(work.replica).wait(port.stage, backward, freed)) return false;
        work.part.device().wait_for(
            events({port.stage, freed - 1, backward}, work.replica).end.get());
    }
    const Work reader{work.call,    {port.stage, task.micro_batch, task.backward},
                      work.replica, other,
                      work.size,    work.first,
                      work.before};
    const graph::Port& place = place_of(reader, port.layer, task.stage);
    const std::size_t bytes = reader.plan().program[place.value].bytes();
    const void* from = work.address(port.value);
    if (&other.backend() == &work.part.backend()) {
        work.part.device().copy_to(other.device(), reader.address(place.value), from, bytes);
        return true;
    }
    std::vector<std::byte>& buffer = host_buffer(reader, place);
    buffer.resize(bytes);
    work.part.device().copy_out(buffer.data(), from, bytes);
    return true;
}

// Where a stage takes what a layer of another stage gives: its outputs or their gradients.
const graph::Port& BatchRunner::place_of(const Work& reader, int layer, int from) const {
    const Plan& plan = reader.plan();
    const auto& ports = reader.task.backward ? plan.received_gradients : plan.received;
    return *std::find_if(ports.begin(), ports.end(), [&](const graph::Port& port) {
        return port.layer == layer && port.stage == from;
    });
}

// A device copies into its own memory only, and into that of others of its kind: between two kinds
// the reader fetches what the sender has left on the host, in as many places as it has slots.
void BatchRunner::fetch(const Work& work) {
    const Plan& plan = work.plan();
    for (const graph::Port& port : work.task.backward ? plan.received_gradients : plan.received) {
        const DevicePart& sender = model_.part(work.replica, model_.device_of(port.stage));
        if (&sender.backend() == &work.part.backend()) continue;
        const std::vector<std::byte>& left = host_buffer(work, port);
        work.part.device().copy_in(work.address(port.value), left.data(), left.size());
    }
}

std::vector<std::byte>& BatchRunner::host_buffer(const Work& reader, const graph::Port& port) {
    const StageTask& task = reader.task;
    const int slots = model_.in_flight(task.backward ? task.stage : port.stage);
    const std::lock_guard lock(host_buffers_mutex_);
    return host_buffers_[{reader.replica, task.stage, port.layer, port.stage, task.backward,
                          task.micro_batch % slots}];
}

void BatchRunner::read_results(const Work& work) {
    const Plan& plan = work.plan();
    const int device = model_.device_of(work.task.stage);
    if (plan.loss != no_value) {
        work.part.device().queue_copy_out(results_.of(work.replica, work.task.micro_batch),
                                          work.address(plan.loss), results_.bytes_of_each());
        devices_[at(work.replica * model_.devices() + device)].has_results = true;
    }
    if (work.call.outputs == nullptr || plan.output == no_value) return;
    const std::size_t floats = bytes_of_sample(plan, plan.output) / sizeof(float);
    work.part.device().copy_out(work.call.outputs + static_cast<std::size_t>(work.first) * floats,
                                work.address(plan.output), plan.program[plan.output].bytes());
}

}  // namespace strata::parallel
