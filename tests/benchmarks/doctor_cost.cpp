// What the training doctor costs: doctor_cost [classic|cnn [BATCH [SECONDS [THREADS]]]] trains with
// it and prints the time of its own in per cent of the steps' time, and whether a step after a look
// is slower than others (caches that the look emptied).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/train/examiner.h"
#include "tests/benchmarks/models.h"
#include "tests/benchmarks/synthetic_data.h"

namespace {

using namespace strata;

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double median(std::vector<double> values) {
    if (values.empty()) return 0.0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

void measure(const std::string& name, std::int64_t batch, double length, int threads) {
    const graph::TrainingSetup setup = benchmarks::make_setup();
    graph::ExecutorOptions options;
    options.batch = batch;
    options.input_dtype = DType::uint8;
    options.device_options.threads = threads;
    graph::Executor executor(benchmarks::make_model(name), &setup, options);
    executor.initialize(1);
    const benchmarks::SyntheticData data = benchmarks::make_data(60000);
    benchmarks::Batches batches(data, batch);
    int findings = 0;
    train::Doctor doctor({}, [&](const train::FindingEvent& finding) {
        ++findings;
        std::printf("%s: %s\n", train::name_of(finding.kind), finding.evidence.c_str());
    });
    train::World alone;
    train::Examiner examiner(executor, batch, alone, doctor);

    const auto n = static_cast<double>(batch);
    double steps = 0.0, own = 0.0;
    std::vector<double> after_look, others;
    bool looked = false;
    std::int64_t update = 0;
    for (const double end = seconds() + length; seconds() < end;) {
        batches.next();
        examiner.begin_step();
        const double begin = seconds();
        ops::StepScalars scalars;
        scalars.step = static_cast<std::uint32_t>(update++);
        scalars.update = update;
        scalars.learning_rate = static_cast<float>(benchmarks::learning_rate);
        const graph::BatchResult result =
            executor.train_step(batches.images(), batches.labels(), batch, scalars);
        const double trained = seconds();
        const std::int64_t looks = examiner.looks();
        examiner.after_step({update, 1, batch, result.loss_sum / n, result.gradient_norm},
                            batches.images(), batch, 1.0 / n);
        own += seconds() - trained;
        steps += trained - begin;
        (looked ? after_look : others).push_back(trained - begin);
        looked = examiner.looks() > looks;
    }
    std::printf(
        "%s, batch %lld: %lld updates, %lld looks; own time %.2f %% of the steps'; a step takes "
        "%.0f us, after a look %.0f us; %d findings\n",
        name.c_str(), static_cast<long long>(batch), static_cast<long long>(update),
        static_cast<long long>(examiner.looks()), 100.0 * own / steps, 1e6 * median(others),
        1e6 * median(after_look), findings);
}

}  // namespace

int main(int argc, char** argv) {
    const auto number = [&](int at, int fallback) {
        return argc > at ? std::atoi(argv[at]) : fallback;
    };
    try {
        measure(argc > 1 ? argv[1] : "classic", number(2, 64), number(3, 10), number(4, 1));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
