#include "engine/parallel/pipeline_schedule.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace strata::parallel {
namespace {

using Names = std::array<std::pair<ScheduleKind, const char*>, 4>;
constexpr Names names{{{ScheduleKind::naive, "naive"},
                       {ScheduleKind::gpipe, "gpipe"},
                       {ScheduleKind::one_f_one_b, "1f1b"},
                       {ScheduleKind::interleaved, "interleaved"}}};

constexpr double backward_units = 2.0;  // of a forward pass: two products for one

std::vector<std::vector<int>> readers_of(const StageGraph& stages) {
    std::vector<std::vector<int>> readers(stages.device.size());
    for (int stage = 0; stage < stages.stages(); ++stage)
        for (int source : stages.reads[static_cast<std::size_t>(stage)])
            readers[static_cast<std::size_t>(source)].push_back(stage);
    return readers;
}

// Stages on the longest way from each to the loss, itself counted.
std::vector<int> depths_of(const StageGraph& stages) {
    const auto readers = readers_of(stages);
    std::vector<int> depth(readers.size(), 1);
    for (std::size_t stage = readers.size(); stage-- > 0;)
        for (int reader : readers[stage])
            depth[stage] = std::max(depth[stage], depth[static_cast<std::size_t>(reader)] + 1);
    return depth;
}

// What has ended when, while a schedule is made or followed.
class Progress {
public:
    Progress(const StageGraph& stages, std::size_t micro_batches)
        : stages_(stages),
          readers_(readers_of(stages)),
          ends_(2 * stages.device.size() * micro_batches, never),
          micro_batches_(micro_batches) {}

    void end(const StageTask& task, double time) { ends_[place(task)] = time; }
    bool done(const StageTask& task) const { return ends_[place(task)] != never; }

    // The time from which the task has all that it needs; negative where that is not known yet.
    double ready(const StageTask& task, double transfer) const {
        double time = 0.0;
        const auto wait_for = [&](int stage, bool backward) {
            const double end = ends_[place({stage, task.micro_batch, backward})];
            const bool moves = device(stage) != device(task.stage);
            time =
                end == never || time < 0.0 ? never : std::max(time, end + (moves ? transfer : 0.0));
        };
        const auto stage = static_cast<std::size_t>(task.stage);
        if (!task.backward) {
            for (int source : stages_.reads[stage]) wait_for(source, false);
            return time;
        }
        wait_for(task.stage, false);
        for (int reader : readers_[stage]) wait_for(reader, true);
        return time;
    }

private:
    static constexpr double never = -1.0;

    int device(int stage) const { return stages_.device[static_cast<std::size_t>(stage)]; }
    std::size_t place(const StageTask& task) const {
        return (static_cast<std::size_t>(task.stage) * micro_batches_ +
                static_cast<std::size_t>(task.micro_batch)) *
                   2 +
               (task.backward ? 1 : 0);
    }

    const StageGraph& stages_;
    std::vector<std::vector<int>> readers_;
    std::vector<double> ends_;
    std::size_t micro_batches_;
};

// Makes GPipe's, 1F1B's and the naive order for any graph: each device takes, whenever it is free,
// the task that its rule puts first among those that can begin, a backward pass taking two units.
class ListScheduler {
public:
    ListScheduler(ScheduleKind kind, const StageGraph& stages, int micro_batches)
        : kind_(kind),
          stages_(stages),
          micro_batches_(micro_batches),
          depth_(depths_of(stages)),
          progress_(stages, static_cast<std::size_t>(micro_batches)),
          next_forward_(stages.device.size(), 0),
          next_backward_(stages.device.size(), 0),
          free_(static_cast<std::size_t>(stages.devices()), 0.0),
          schedule_(free_.size()) {}

    Schedule run() {
        int left = 2 * stages_.stages() * micro_batches_;
        for (; left > 0; --left) take_earliest();
        return std::move(schedule_);
    }

private:
    struct Candidate {
        StageTask task;
        double begin = -1.0;
    };

    void take_earliest() {
        Candidate best;
        for (int stage = 0; stage < stages_.stages(); ++stage)
            for (bool backward : {true, false}) {
                const Candidate candidate = next(stage, backward);
                if (candidate.begin >= 0.0 && (best.begin < 0.0 || before(candidate, best)))
                    best = candidate;
            }
        if (best.begin < 0.0)
            throw Error(ErrorCode::internal, "the stages wait for each other", "placement");
        const auto device = device_of(best.task.stage);
        free_[device] = best.begin + (best.task.backward ? backward_units : 1.0);
        progress_.end(best.task, free_[device]);
        ++counter(best.task.stage, best.task.backward);
        schedule_[device].push_back(best.task);
    }

    Candidate next(int stage, bool backward) {
        const int micro_batch = counter(stage, backward);
        if (micro_batch == micro_batches_ || !allowed(stage, micro_batch, backward)) return {};
        Candidate candidate{{stage, micro_batch, backward}};
        candidate.begin = progress_.ready(candidate.task, 0.0);
        if (candidate.begin >= 0.0)
            candidate.begin = std::max(candidate.begin, free_[device_of(stage)]);
        return candidate;
    }

    bool allowed(int stage, int micro_batch, bool backward) const {
        const auto s = static_cast<std::size_t>(stage);
        switch (kind_) {
            case ScheduleKind::naive:
                return backward || micro_batch == 0 || all_done_with(micro_batch - 1);
            case ScheduleKind::gpipe:
                return !backward || next_forward_[s] == micro_batches_;
            default:
                return backward || next_forward_[s] - next_backward_[s] < depth_[s];
        }
    }

    bool all_done_with(int micro_batch) const {
        return std::all_of(next_backward_.begin(), next_backward_.end(),
                           [&](int next) { return next > micro_batch; });
    }

    // The backward pass first, since it gives memory back; then what is nearer to the loss.
    static bool before(const Candidate& a, const Candidate& b) {
        if (a.begin != b.begin) return a.begin < b.begin;
        if (a.task.backward != b.task.backward) return a.task.backward;
        return a.task.stage > b.task.stage;
    }

    std::size_t device_of(int stage) const {
        return static_cast<std::size_t>(stages_.device[static_cast<std::size_t>(stage)]);
    }
    int& counter(int stage, bool backward) {
        return (backward ? next_backward_ : next_forward_)[static_cast<std::size_t>(stage)];
    }

    ScheduleKind kind_;
    const StageGraph& stages_;
    int micro_batches_;
    std::vector<int> depth_;
    Progress progress_;
    std::vector<int> next_forward_, next_backward_;  // the micro-batch that each stage takes next
    std::vector<double> free_;                       // when each device is
    Schedule schedule_;
};

// Section 2.2 of arXiv 2104.04473: each device goes through its chunks for groups of p
// micro-batches. In that order all stages before one have ended when it begins, so that it may read
// any of them.
std::vector<StageTask> interleaved_tasks(int device, int devices, int chunks, int micro_batches) {
    const int all = chunks * micro_batches;
    const auto task = [&](int k, bool backward) {
        const int in_group = k % (devices * chunks);
        const int chunk = backward ? chunks - 1 - in_group / devices : in_group / devices;
        return StageTask{chunk * devices + device, k / (devices * chunks) * devices + k % devices,
                         backward};
    };
    const int warm_up = std::min(all, 2 * (devices - device - 1) + (chunks - 1) * devices);
    std::vector<StageTask> tasks;
    tasks.reserve(2 * static_cast<std::size_t>(all));
    for (int k = 0; k < warm_up; ++k) tasks.push_back(task(k, false));
    for (int k = warm_up; k < all; ++k) {
        tasks.push_back(task(k, false));
        tasks.push_back(task(k - warm_up, true));
    }
    for (int k = all - warm_up; k < all; ++k) tasks.push_back(task(k, true));
    return tasks;
}

Schedule make_interleaved(const StageGraph& stages, int micro_batches) {
    const int devices = stages.devices(), chunks = stages.chunks();
    if (chunks == 0)
        throw Error(ErrorCode::invalid_argument,
                    "'interleaved' needs the same number of stages on each device, dealt out in "
                    "turn",
                    "placement.schedule",
                    "Place the layers as cpu:0, cpu:1, cpu:0, cpu:1, or choose 1f1b");
    if (micro_batches % devices != 0)
        throw Error(ErrorCode::invalid_argument,
                    counted(micro_batches, "micro-batch is", "micro-batches are") +
                        " not a multiple of the " + counted(devices, "device") +
                        ", as 'interleaved' needs",
                    "placement.micro_batches",
                    "Set it to " + std::to_string((micro_batches / devices + 1) * devices) +
                        ", or choose 1f1b");
    Schedule schedule;
    for (int device = 0; device < devices; ++device)
        schedule.push_back(interleaved_tasks(device, devices, chunks, micro_batches));
    return schedule;
}

}  // namespace

const char* name_of(ScheduleKind kind) {
    return std::find_if(names.begin(), names.end(), [&](auto& n) { return n.first == kind; })
        ->second;
}

ScheduleKind schedule_kind(const std::string& name, const std::string& where) {
    for (const auto& [kind, text] : names)
        if (name == text) return kind;
    throw Error(ErrorCode::invalid_argument, "there is no schedule '" + name + "'", where,
                "Choose naive, gpipe, 1f1b or interleaved");
}

int StageGraph::devices() const {
    return device.empty() ? 0 : *std::max_element(device.begin(), device.end()) + 1;
}

StageGraph StageGraph::chain(int devices, int chunks) {
    StageGraph graph;
    for (int stage = 0; stage < devices * chunks; ++stage) {
        graph.device.push_back(stage % devices);
        graph.reads.push_back(stage == 0 ? std::vector<int>{} : std::vector<int>{stage - 1});
    }
    return graph;
}

int StageGraph::chunks() const {
    const int count = devices();
    if (count == 0 || stages() % count != 0) return 0;
    for (int stage = 0; stage < stages(); ++stage)
        if (device[static_cast<std::size_t>(stage)] != stage % count) return 0;
    return stages() / count;
}

Schedule make_schedule(ScheduleKind kind, const StageGraph& stages, int micro_batches) {
    if (micro_batches < 1)
        throw Error(ErrorCode::invalid_argument, "is less than 1", "placement.micro_batches",
                    "Set the number of micro-batches that a batch is cut into, 1 or more");
    if (kind == ScheduleKind::interleaved) return make_interleaved(stages, micro_batches);
    return ListScheduler(kind, stages, micro_batches).run();
}

std::vector<int> micro_batches_in_flight(const Schedule& schedule, int stages) {
    std::vector<int> now(static_cast<std::size_t>(stages), 0), most = now;
    for (const auto& tasks : schedule)
        for (const StageTask& task : tasks) {
            const auto stage = static_cast<std::size_t>(task.stage);
            now[stage] += task.backward ? -1 : 1;
            most[stage] = std::max(most[stage], now[stage]);
        }
    return most;
}

double Timeline::busy(std::size_t device) const {
    double sum = 0.0;
    for (const TimelineBlock& block : devices[device]) sum += block.end - block.begin;
    return sum;
}

double Timeline::idle_share() const {
    if (length <= 0.0) return 0.0;
    double sum = 0.0;
    for (std::size_t i = 0; i < devices.size(); ++i) sum += busy(i);
    return 1.0 - sum / (length * static_cast<double>(devices.size()));
}

Timeline simulate(const Schedule& schedule, const StageGraph& stages, const StageTimes& times) {
    int micro_batches = 0;
    for (const auto& tasks : schedule)
        for (const StageTask& task : tasks)
            micro_batches = std::max(micro_batches, task.micro_batch + 1);
    Progress progress(stages, static_cast<std::size_t>(micro_batches));
    Timeline timeline;
    timeline.devices.resize(schedule.size());
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t device = 0; device < schedule.size(); ++device) {
            auto& done = timeline.devices[device];
            while (done.size() < schedule[device].size()) {
                const StageTask task = schedule[device][done.size()];
                const double ready = progress.ready(task, times.transfer);
                if (ready < 0.0) break;
                const double begin = std::max(ready, done.empty() ? 0.0 : done.back().end);
                const auto stage = static_cast<std::size_t>(task.stage);
                const double end =
                    begin + (task.backward ? times.backward[stage] : times.forward[stage]);
                progress.end(task, end);
                done.push_back({task, begin, end});
                timeline.length = std::max(timeline.length, end);
                moved = true;
            }
        }
    }
    for (std::size_t device = 0; device < schedule.size(); ++device)
        if (timeline.devices[device].size() < schedule[device].size())
            throw Error(ErrorCode::internal, "the devices wait for each other", "placement");
    return timeline;
}

double idle_share_formula(ScheduleKind kind, int devices, int micro_batches, int chunks) {
    if (kind == ScheduleKind::naive) return 1.0 - 1.0 / devices;
    const int v = kind == ScheduleKind::interleaved ? chunks : 1;
    return static_cast<double>(devices - 1) / (v * micro_batches + devices - 1);
}

}  // namespace strata::parallel
