// How much faster several one-thread devices of one process are than one: scaling [cnn|wide|deep
// [BATCH [SECONDS [ROUNDS]]]]. Replicas and, of the deep model, a balanced pipeline, in turns with
// one device, so that what else the machine does meets all of them.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "engine/parallel/placed_executor.h"
#include "tests/benchmarks/models.h"
#include "tests/benchmarks/synthetic_data.h"

namespace {

using namespace strata;

constexpr int micro_batches = 8;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

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
    const graph::ModelExecutor& executor() const { return *executor_; }

    // Samples a second.
    double train(double seconds) {
        double spent = 0.0, updating = 0.0;
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
            add_exchange(exchange);
        }
        const double steps = static_cast<double>(samples / batch_);
        parts_ = {1e3 * (spent - updating) / steps, 1e3 * updating / steps,
                  1e3 * exchange.total / steps, exchange.exposed_share()};
        return static_cast<double>(samples) / spent;
    }

    void print_parts() const {
        std::printf("    ms a step: passes %.2f, update %.2f; the exchange %.2f, exposed %.0f %%\n",
                    parts_.passes, parts_.update, parts_.exchange, 100.0 * parts_.exposed);
    }

private:
    struct Parts {
        double passes = 0.0, update = 0.0, exchange = 0.0;  // ms
        double exposed = 0.0;                               // of the exchange
    };

    void add_exchange(parallel::ExchangeTimes& sum) const {
        const auto* placed = dynamic_cast<const parallel::PlacedExecutor*>(executor_.get());
        if (placed == nullptr) return;
        const parallel::ExchangeTimes times = placed->exchange_times();
        sum.total += times.total;
        sum.exposed += times.exposed;
    }

    std::string name_;
    benchmarks::Batches batches_;
    std::int64_t batch_, update_ = 0;
    std::unique_ptr<graph::ModelExecutor> executor_;
    Parts parts_;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// The share of the time in which the devices had no task, of the last batch, and of the formula.
void print_idle(const parallel::PlacedExecutor& executor, int devices) {
    double busy = 0.0, end = 0.0;
    for (const parallel::MeasuredBlock& block : executor.timeline()) {
        busy += block.end - block.begin;
        end = std::max(end, block.end);
    }
    std::printf(
        "  idle %.3f, formula %.3f\n", 1.0 - busy / (end * devices),
        parallel::idle_share_formula(parallel::ScheduleKind::one_f_one_b, devices, micro_batches));
}

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
    parallel::PlacementOptions two;
    two.replicas = 2;
    placed("two replicas, a whole batch each", model, 2 * batch, two);
    placed("two replicas, half a batch each", model, batch, two);
    const parallel::PlacedExecutor* pipeline = nullptr;
    if (model_name == "deep") {
        graph::Model halves = model;
        for (std::size_t i = 0; i < halves.layers.size(); ++i)
            halves.layers[i].device =
                static_cast<int>(i) < model.index_of("conv_5") ? "cpu:0" : "cpu:1";
        parallel::PlacementOptions stages;
        stages.micro_batches = micro_batches;
        placed("two stages, 1F1B, 8 micro-batches", halves, batch, stages);
        pipeline = dynamic_cast<const parallel::PlacedExecutor*>(&runs.back()->executor());
    }
    std::vector<std::vector<double>> ratios(runs.size());
    for (auto& run : runs) run->train(seconds / 4);
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
        if (pipeline != nullptr) print_idle(*pipeline, 2);
    }
    for (std::size_t i = 1; i < runs.size(); ++i)
        std::printf("median, %s: %.2f times\n", runs[i]->name().c_str(), median(ratios[i]));
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
