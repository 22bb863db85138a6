// The predicted relative step time of each technique against the measured one: step_time
// [classic|cnn|wide [BATCH [SECONDS [THREADS]]]]. Prints a line a technique; exits 1 where a
// prediction is off by more than the tolerance.
#include "engine/graph/step_time.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/benchmarks/models.h"
#include "tests/benchmarks/synthetic_data.h"

namespace {

using namespace strata;

constexpr double tolerance = 0.25;  // of the ratio

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

graph::Model model_named(const std::string& name) {
    if (name != "wide") return benchmarks::make_model(name);
    const auto dense = [](const char* layer, int units, const char* activation) {
        return Json{{"name", layer},
                    {"type", "Dense"},
                    {"config", {{"units", units}, {"activation", activation}}}};
    };
    return graph::Model::from_json(
        {{"layers",
          {{{"name", "input"}, {"type", "InputLayer"}, {"config", {{"shape", {28, 28, 1}}}}},
           {{"name", "scale"}, {"type", "Rescaling"}, {"config", {{"scale", 1.0 / 255.0}}}},
           {{"name", "flatten"}, {"type", "Flatten"}},
           dense("wide_1", 1024, "tanh"),
           dense("wide_2", 1024, "tanh"),
           dense("output", 10, "softmax")}}});
}

struct Technique {
    std::string name;
    std::function<void(graph::Model&, graph::TrainingSetup&)> apply;
    std::int64_t window = 1;
};

std::vector<Technique> techniques() {
    using graph::Model;
    using graph::TrainingSetup;
    return {
        {"recomputation of all",
         [](Model& model, TrainingSetup&) {
             for (graph::LayerNode& node : model.layers) node.recompute = true;
         }},
        {"4 micro-batches", [](Model&, TrainingSetup& setup) { setup.accumulates = true; }, 4},
        {"clipnorm", [](Model&, TrainingSetup& setup) { setup.clip_by_variable = true; }},
        {"average", [](Model&, TrainingSetup& setup) { setup.ema_momentum = 0.99F; }},
        {"mixed_bfloat16",
         [](Model&, TrainingSetup& setup) { setup.precision = "mixed_bfloat16"; }},
        {"mixed_float16", [](Model&, TrainingSetup& setup) { setup.precision = "mixed_float16"; }}};
}

class Run {
public:
    Run(const graph::Model& model, const graph::TrainingSetup& setup,
        const graph::ExecutorOptions& options, std::int64_t window)
        : executor_(model, &setup, options),
          data_(benchmarks::make_data(8192)),
          batches_(data_, options.batch),
          batch_(options.batch),
          window_(window) {
        executor_.initialize(1);
    }

    // Seconds a sample.
    double train(double seconds) {
        std::int64_t samples = 0;
        double spent = 0.0;
        while (spent < seconds) {
            ops::StepScalars scalars;
            scalars.learning_rate = static_cast<float>(benchmarks::learning_rate);
            scalars.clip_limit = 1.0F;
            scalars.update = ++update_;
            for (std::int64_t k = 0; k < window_; ++k) {
                batches_.next();
                scalars.first_in_window = k == 0;
                const double begin = now();
                executor_.accumulate(batches_.images(), batches_.labels(), batch_, scalars);
                spent += now() - begin;
            }
            const double begin = now();
            executor_.update(batch_ * window_, scalars);
            spent += now() - begin;
            samples += batch_ * window_;
        }
        return spent / static_cast<double>(samples);
    }

private:
    graph::Executor executor_;
    benchmarks::SyntheticData data_;
    benchmarks::Batches batches_;
    std::int64_t batch_, window_, update_ = 0;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// In turns with the plain run, so that what else the machine does meets both.
double measured_ratio(Run& plain, Run& run, double seconds) {
    constexpr int rounds = 5;
    plain.train(seconds / rounds / 4);
    run.train(seconds / rounds / 4);
    std::vector<double> ratios;
    for (int round = 0; round < rounds; ++round) {
        const double with = run.train(seconds / rounds);
        ratios.push_back(with / plain.train(seconds / rounds));
    }
    return median(ratios);
}

int compare(const std::string& name, std::int64_t batch, double seconds, int threads) {
    graph::ExecutorOptions options;
    options.batch = batch;
    options.input_dtype = DType::uint8;
    options.device_options.threads = threads;
    const graph::Model model = model_named(name);
    const graph::TrainingSetup setup = benchmarks::make_setup();
    Run plain(model, setup, options, 1);
    int failures = 0;
    double begin = now();
    graph::predict_step_time(model, setup, options, 1);
    std::printf("%s, batch %lld; first prediction with its measurements: %.0f ms\n", name.c_str(),
                static_cast<long long>(batch), 1e3 * (now() - begin));
    for (const Technique& technique : techniques()) {
        graph::Model changed = model;
        graph::TrainingSetup changed_setup = setup;
        technique.apply(changed, changed_setup);
        begin = now();
        const graph::StepTime time =
            graph::predict_step_time(changed, changed_setup, options, technique.window);
        const double took = now() - begin;
        Run run(changed, changed_setup, options, technique.window);
        const double measured = measured_ratio(plain, run, seconds);
        const double off = time.relative_step_time / measured - 1.0;
        failures += std::abs(off) > tolerance ? 1 : 0;
        std::printf(
            "%-22s predicted %5.2f, measured %5.2f (%+3.0f %%), in %2.0f ms; us a sample: "
            "forward %.1f backward %.1f again %.1f sum %.1f update %.1f clip %.1f cast "
            "%.1f\n",
            technique.name.c_str(), time.relative_step_time, measured, 100.0 * off, 1e3 * took,
            1e6 * time.with.forward, 1e6 * time.with.backward, 1e6 * time.with.recomputation,
            1e6 * time.with.accumulation, 1e6 * time.with.update, 1e6 * time.with.clip,
            1e6 * time.with.casts);
    }
    return failures;
}

}  // namespace

int main(int count, char** words) {
    try {
        const std::string name = count > 1 ? words[1] : "classic";
        const std::int64_t batch = count > 2 ? std::atoll(words[2]) : 64;
        const double seconds = count > 3 ? std::atof(words[3]) : 4.0;
        return compare(name, batch, seconds, count > 4 ? std::atoi(words[4]) : 0) > 0 ? 1 : 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "step_time: %s\n", error.what());
        return 2;
    }
}
