// What a checkpoint every 20 steps costs a model of 50 million parameters: stretches of training
// with and without it take turns, so that a noisy machine disturbs both. checkpoint_cost DIRECTORY
// [BATCH [SAVES [ROUNDS]]] prints the seconds of each and their relation. A stretch with saves ends
// when all are written.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/checkpoint/writer.h"
#include "tests/engine/graph/models.h"

namespace {

using strata::Json;
using strata::checkpoint::Snapshot;
using strata::checkpoint::Writer;
using strata::graph::Executor;
using strata::graph::HostTensor;
using strata::graph::testing::layer;

constexpr int width = 4096, steps_a_save = 20;

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Of all threads.
double processor_seconds() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto of = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return of(usage.ru_utime) + of(usage.ru_stime);
}

strata::graph::Model dense_stack() {
    const Json config = {{"units", width}, {"activation", "relu"}};
    return strata::graph::testing::model_of(
        {layer("input", "InputLayer", {{"shape", {width}}}), layer("a", "Dense", config),
         layer("b", "Dense", config), layer("c", "Dense", config),
         layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}})});
}

// Into the buffers of an earlier snapshot, where the executor can do that.
template <typename AnyExecutor>
std::vector<HostTensor> snapshot_of(const AnyExecutor& executor, std::vector<HostTensor> buffers) {
    if constexpr (requires { executor.snapshot(true, std::move(buffers)); })
        return executor.snapshot(true, std::move(buffers));
    else
        return executor.snapshot(true);
}

class Benchmark {
public:
    Benchmark(std::string directory, std::int64_t batch)
        : batch_(batch),
          executor_(dense_stack(), &setup_, strata::graph::testing::options_of(batch)),
          writer_(std::move(directory)),
          inputs_(static_cast<std::size_t>(batch * width)),
          labels_(static_cast<std::size_t>(batch)) {
        executor_.initialize(1);
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            inputs_[i] = static_cast<float>(i * 2654435761U % 1024) / 1024;
        for (std::size_t i = 0; i < labels_.size(); ++i)
            labels_[i] = static_cast<std::int32_t>(i % 10);
    }

    // The seconds of so many times 20 steps, with a save after each 20 or without.
    double stretch(int times, bool saves) {
        const double begin = seconds();
        for (int i = 0; i < times; ++i) {
            for (int step = 0; step < steps_a_save; ++step) train();
            if (saves) save();
        }
        if (saves) {
            const double waiting = seconds();
            writer_.flush();
            std::printf("  waited %.2f s for the last to be written\n", seconds() - waiting);
            for (const auto& written : writer_.finished())
                std::printf("  %s: %.2f s %s\n", written.path.c_str(), written.seconds,
                            written.failure ? written.failure->what() : "");
        }
        return seconds() - begin;
    }

private:
    void train() {
        ++update_;
        executor_.train_step(inputs_.data(), labels_.data(), batch_,
                             strata::graph::testing::scalars_of(1e-4F, update_));
    }

    void save() {
        const double begin = seconds();
        Snapshot snapshot;
        snapshot.model = executor_.model();
        snapshot.tensors = snapshot_of(executor_, writer_.buffers());
        snapshot.state.update = update_;
        snapshot.compile = {{"optimizer", {{"type", "Adam"}, {"config", Json::object()}}},
                            {"loss", "sparse_categorical_crossentropy"},
                            {"metrics", {"accuracy"}}};
        const double copied = seconds();
        writer_.submit(std::move(snapshot), {{"last.h5"}});
        std::printf("  copied in %.3f s, handed over in %.3f s\n", copied - begin,
                    seconds() - copied);
    }

    const std::int64_t batch_;
    const strata::graph::TrainingSetup setup_ = strata::graph::testing::setup_of("Adam");
    Executor executor_;
    Writer writer_;
    std::vector<float> inputs_;
    std::vector<std::int32_t> labels_;
    std::int64_t update_ = 0;
};

int number(int argc, char** argv, int at, int fallback) {
    return argc > at ? std::atoi(argv[at]) : fallback;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: checkpoint_cost DIRECTORY [BATCH [SAVES [ROUNDS]]]\n");
        return 2;
    }
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const int batch = number(argc, argv, 2, 256), saves = number(argc, argv, 3, 2),
              rounds = number(argc, argv, 4, 3);
    try {
        Benchmark benchmark(argv[1], batch);
        benchmark.stretch(1, true);
        std::vector<double> costs;
        for (int round = 0; round < rounds; ++round) {
            const double cpu_begin = processor_seconds();
            const double without = benchmark.stretch(saves, false);
            const double cpu_middle = processor_seconds();
            const double with = benchmark.stretch(saves, true);
            const double cpu_without = cpu_middle - cpu_begin,
                         cpu_with = processor_seconds() - cpu_middle;
            costs.push_back(100.0 * (with / without - 1.0));
            std::printf(
                "batch %d, %d steps: %.2f s without (%.2f s of processors), %.2f s with "
                "%d saves (%.2f s): %+.2f %%\n",
                batch, saves * steps_a_save, without, cpu_without, with, saves, cpu_with,
                costs.back());
        }
        std::sort(costs.begin(), costs.end());
        std::printf("median cost %+.2f %%\n", costs[costs.size() / 2]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
