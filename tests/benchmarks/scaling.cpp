// How much faster several one-thread devices of one process are than one: scaling [cnn|wide|deep
// [BATCH [SECONDS [ROUNDS]]]]. Replicas and, of the deep model, a balanced pipeline, in turns with
// one device, so that what else the machine does meets all of them.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/parallel/placed_executor.h"
#include "engine/parallel/workers.h"
#include "tests/benchmarks/models.h"
#include "tests/benchmarks/synthetic_data.h"

namespace {

using namespace strata;

constexpr int micro_batches = 8;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// What a pipeline's timelines tell: the share of the time in which the devices had no task, and
// what the stages take of a micro-batch. Medians, as one batch on a busy machine tells nothing.
class PipelineTimes {
public:
    void add(const std::vector<parallel::MeasuredBlock>& timeline) {
        double busy = 0.0, end = 0.0;
        for (const parallel::MeasuredBlock& block : timeline) {
            busy += block.end - block.begin;
            end = std::max(end, block.end);
            tasks_[{block.task.backward, block.task.stage}].push_back(block.end - block.begin);
        }
        devices_ = 0;
        for (const parallel::MeasuredBlock& block : timeline)
            devices_ = std::max(devices_, block.device + 1);
        if (devices_ > 1) idle_.push_back(1.0 - busy / (end * devices_));
    }

    void print() const {
        if (idle_.empty()) return;
        using parallel::StageGraph;
        constexpr auto kind = parallel::ScheduleKind::one_f_one_b;
        const StageGraph stages = StageGraph::chain(devices_);
        parallel::StageTimes times;
        for (int stage = 0; stage < devices_; ++stage) {
            times.forward.push_back(median(tasks_.at({false, stage})));
            times.backward.push_back(median(tasks_.at({true, stage})));
        }
        const auto simulated =
            parallel::simulate(make_schedule(kind, stages, micro_batches), stages, times);
        std::printf(
            "  idle %.3f; formula %.3f, without waking %.3f; ms a micro-batch:", median(idle_),
            parallel::idle_share_formula(kind, devices_, micro_batches), simulated.idle_share());
        for (const auto& [task, of_task] : tasks_)
            std::printf(" %s %d %.2f", task.first ? "backward" : "forward", task.second,
                        1e3 * median(of_task));
        std::printf("\n");
    }

private:
    int devices_ = 0;
    std::vector<double> idle_;
    std::map<std::pair<bool, int>, std::vector<double>> tasks_;
};

class Run {
public:
    Run(std::string name, const benchmarks::SyntheticData& data, std::int64_t batch,
        std::unique_ptr<graph::ModelExecutor> executor)
        : name_(std::move(name)),
          batches_(data, batch),
          batch_(batch),
          executor_(std::move(executor)) {
        executor_->initialize(1);
    }

    const std::string& name() const { return name_; }

    // Samples a second.
    double train(double seconds) {
        double spent = 0.0, updating = 0.0;
        pipeline_ = {};
        parallel::ExchangeTimes exchange;
        std::int64_t samples = 0;
        for (; spent < seconds; samples += batch_) {
            batches_.next();
            ops::StepScalars scalars;
            scalars.seed = 1;
            scalars.step = static_cast<std::uint32_t>(update_);
            scalars.learning_rate = static_cast<float>(benchmarks::learning_rate);
            scalars.update = ++update_;
            scalars.last_in_window = true;
            const double begin = now();
            executor_->accumulate(batches_.images(), batches_.labels(), batch_, scalars);
            const double between = now();
            executor_->update(batch_, scalars);
            spent += now() - begin;
            updating += now() - between;
            add_parts(exchange);
        }
        const double steps = static_cast<double>(samples / batch_);
        parts_ = {1e3 * (spent - updating) / steps, 1e3 * updating / steps,
                  1e3 * exchange.total / steps, exchange.exposed_share()};
        return static_cast<double>(samples) / spent;
    }

    void print_parts() const {
        std::printf("    ms a step: passes %.2f, update %.2f; the exchange %.2f, exposed %.0f %%\n",
                    parts_.passes, parts_.update, parts_.exchange, 100.0 * parts_.exposed);
        pipeline_.print();
    }

private:
    struct Parts {
        double passes = 0.0, update = 0.0, exchange = 0.0;  // ms
        double exposed = 0.0;                               // of the exchange
    };

    void add_parts(parallel::ExchangeTimes& sum) {
        const auto* placed = dynamic_cast<const parallel::PlacedExecutor*>(executor_.get());
        if (placed == nullptr) return;
        const parallel::ExchangeTimes times = placed->exchange_times();
        sum.total += times.total;
        sum.exposed += times.exposed;
        pipeline_.add(placed->timeline());
    }

    std::string name_;
    benchmarks::Batches batches_;
    std::int64_t batch_, update_ = 0;
    std::unique_ptr<graph::ModelExecutor> executor_;
    Parts parts_;
    PipelineTimes pipeline_;
};

// What the machine allows: models that know nothing of each other, on cores of their own, at a
// time.
class Apart {
public:
    void add(std::unique_ptr<Run> run) { runs_.push_back(std::move(run)); }

    // Samples a second, of all together.
    double train(double seconds) {
        const std::vector<int> usable = parallel::usable_cores();
        std::vector<std::vector<int>> cores;
        for (std::size_t i = 0; i < runs_.size(); ++i) cores.push_back({usable[i % usable.size()]});
        parallel::Workers workers(cores);
        std::vector<double> rates(runs_.size());
        workers.run(
            [&](int i) {
                const auto at = static_cast<std::size_t>(i);
                rates[at] = runs_[at]->train(seconds);
            },
            [] {});
        double sum = 0.0;
        for (double rate : rates) sum += rate;
        return sum;
    }

private:
    std::vector<std::unique_ptr<Run>> runs_;
};

int compare(const std::string& model_name, std::int64_t batch, double seconds, int rounds) {
    const graph::Model model = benchmarks::make_model(model_name);
    const graph::TrainingSetup setup = benchmarks::make_setup();
    const benchmarks::SyntheticData data = benchmarks::make_data(
        16384, benchmarks::image_side(model_name) * benchmarks::image_side(model_name));
    graph::ExecutorOptions options;
    options.input_dtype = DType::uint8;
    options.device_options.threads = 1;
    std::vector<std::unique_ptr<Run>> runs;
    const auto placed = [&](const char* name, const graph::Model& with, std::int64_t size,
                            const parallel::PlacementOptions& placement) {
        options.batch = size;
        runs.push_back(std::make_unique<Run>(
            name, data, size,
            std::make_unique<parallel::PlacedExecutor>(with, &setup, options, placement)));
    };
    options.batch = batch;
    runs.push_back(std::make_unique<Run>(
        "one device", data, batch, std::make_unique<graph::Executor>(model, &setup, options)));
    Apart apart;
    for (int i = 0; i < 2; ++i)
        apart.add(std::make_unique<Run>("", data, batch,
                                        std::make_unique<graph::Executor>(model, &setup, options)));
    parallel::PlacementOptions two;
    two.replicas = 2;
    placed("two replicas, a whole batch each", model, 2 * batch, two);
    placed("two replicas, half a batch each", model, batch, two);
    if (model_name == "deep") {
        graph::Model halves = model;
        for (std::size_t i = 0; i < halves.layers.size(); ++i)
            halves.layers[i].device =
                static_cast<int>(i) < model.index_of("conv_5") ? "cpu:0" : "cpu:1";
        parallel::PlacementOptions stages;
        stages.micro_batches = micro_batches;
        placed("two stages, 1F1B, 8 micro-batches", halves, batch, stages);
    }
    std::vector<std::vector<double>> ratios(runs.size());
    std::vector<double> apart_ratios;
    for (auto& run : runs) run->train(seconds / 4);
    apart.train(seconds / 4);
    for (int round = 0; round < rounds; ++round) {
        const double one = runs[0]->train(seconds);
        std::printf("%s, batch %lld, %s: %.1f samples/s\n", model_name.c_str(),
                    static_cast<long long>(batch), runs[0]->name().c_str(), one);
        runs[0]->print_parts();
        for (std::size_t i = 1; i < runs.size(); ++i) {
            const double rate = runs[i]->train(seconds);
            ratios[i].push_back(rate / one);
            std::printf("  %s: %.1f, %.2f times\n", runs[i]->name().c_str(), rate, rate / one);
            runs[i]->print_parts();
        }
        apart_ratios.push_back(apart.train(seconds) / one);
        std::printf("  two models apart: %.2f times\n", apart_ratios.back());
    }
    for (std::size_t i = 1; i < runs.size(); ++i)
        std::printf("median, %s: %.2f times\n", runs[i]->name().c_str(), median(ratios[i]));
    std::printf("median, two models apart, which is what the machine allows: %.2f times\n",
                median(apart_ratios));
    return 0;
}

}  // namespace

int main(int count, char** words) {
    try {
        return compare(count > 1 ? words[1] : "cnn", count > 2 ? std::atoll(words[2]) : 256,
                       count > 3 ? std::atof(words[3]) : 2.0, count > 4 ? std::atoi(words[4]) : 3);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "scaling: %s\n", error.what());
        return 2;
    }
}
