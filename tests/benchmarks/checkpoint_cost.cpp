// What a checkpoint every 20 steps costs a model of 50 million parameters: stretches of training
// with and without it take turns, so that a noisy machine disturbs both. checkpoint_cost DIRECTORY
// [BATCH [SAVES [ROUNDS]]] prints the seconds of each, their relation, and what hardly depends on
// the machine's other work: the pause of the copy and the processor time of the writing thread, as
// shares of the steps' time.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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

// Of the threads with a low priority: the writer's.
double writer_seconds() {
    double sum = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        const int id = std::atoi(task.path().filename().c_str());
        double nanoseconds = 0;
        if (::getpriority(PRIO_PROCESS, static_cast<id_t>(id)) > 0 &&
            std::ifstream(task.path() / "schedstat") >> nanoseconds)
            sum += 1e-9 * nanoseconds;
    }
    return sum;
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

    struct Stretch {
        double seconds = 0, processors = 0;  // of the steps, with the saves among them
        double copying = 0, writing = 0;     // the training's pause; the writer's processor time
    };

    // So many times 20 steps, with a save before each 20 or without. What is still being written at
    // the end counts for its processor time alone: in a run the next steps would go on meanwhile.
    Stretch stretch(int times, bool saves) {
        Stretch result;
        const double written_before = writer_seconds();
        const double begin = seconds(), processors = processor_seconds();
        for (int i = 0; i < times; ++i) {
            if (saves) result.copying += save();
            for (int step = 0; step < steps_a_save; ++step) train();
        }
        result.seconds = seconds() - begin;
        result.processors = processor_seconds() - processors;
        writer_.flush();
        result.writing = writer_seconds() - written_before;
        for (const auto& written : writer_.finished())
            std::printf("  %s: %.2f s %s\n", written.path.c_str(), written.seconds,
                        written.failure ? written.failure->what() : "");
        return result;
    }

private:
    void train() {
        ++update_;
        executor_.train_step(inputs_.data(), labels_.data(), batch_,
                             strata::graph::testing::scalars_of(1e-4F, update_));
    }

    // The seconds for which training stood still.
    double save() {
        const double begin = seconds();
        Snapshot snapshot;
        snapshot.model = executor_.model();
        snapshot.tensors = snapshot_of(executor_, writer_.buffers());
        snapshot.state.update = update_;
        snapshot.compile = {{"optimizer", {{"type", "Adam"}, {"config", Json::object()}}},
                            {"loss", "sparse_categorical_crossentropy"},
                            {"metrics", {"accuracy"}}};
        writer_.submit(std::move(snapshot), {{"last.h5"}});
        return seconds() - begin;
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
            const auto without = benchmark.stretch(saves, false);
            const auto with = benchmark.stretch(saves, true);
            costs.push_back(100.0 * (with.seconds / without.seconds - 1.0));
            std::printf(
                "batch %d, %d steps: %.2f s without (%.2f s of processors), %.2f s with %d saves "
                "(%.2f s): %+.2f %%; copies %.2f %%, the writer's processor time %.2f %%\n",
                batch, saves * steps_a_save, without.seconds, without.processors, with.seconds,
                saves, with.processors, costs.back(), 100 * with.copying / without.seconds,
                100 * with.writing / without.seconds);
        }
        std::sort(costs.begin(), costs.end());
        std::printf("median cost %+.2f %%\n", costs[costs.size() / 2]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
