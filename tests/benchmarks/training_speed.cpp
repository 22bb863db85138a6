// Trains a model of models.h from data in memory and says how fast. Modes: "train" reads lines from
// the standard input: each trains for so many seconds and is answered by a line of JSON, so that
// compare.py can run two programs in turns; "ops" times each op; "limit" gives oneDNN's own rate.
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>

#include "engine/graph/executor.h"
#include "models.h"
#include "onednn_limit.h"
#include "op_times.h"
#include "synthetic_data.h"

namespace strata::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
    std::string mode = "train", model = "classic", precision = "float32", device = "cpu:0";
    std::int64_t batch = 64, samples = 60000;
    int threads = 0;
};

Options read_options(int count, char** words) {
    Options options;
    const std::map<std::string, std::string*> texts{{"--mode", &options.mode},
                                                    {"--model", &options.model},
                                                    {"--precision", &options.precision},
                                                    {"--device", &options.device}};
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string word = words[i], value = words[i + 1];
        if (const auto text = texts.find(word); text != texts.end())
            *text->second = value;
        else if (word == "--batch")
            options.batch = std::stoll(value);
        else if (word == "--samples")
            options.samples = std::stoll(value);
        else if (word == "--threads")
            options.threads = std::stoi(value);
        else
            throw Error(ErrorCode::invalid_argument, "unknown option", word);
    }
    return options;
}

std::int64_t peak_kilobytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6));
    return 0;
}

class Training {
public:
    explicit Training(const Options& options)
        : options_(options),
          data_(make_data(options.samples, image_side(options.model) * image_side(options.model))),
          batches_(data_, options.batch),
          setup_(setup_of(options)),
          executor_(make_model(options.model), &setup_, executor_options(options)) {
        executor_.initialize(1);
    }

    // Prints samples/s, the mean loss and the peak memory of the process.
    void run(double seconds) {
        const auto start = Clock::now();
        const std::clock_t cpu_start = std::clock();
        double elapsed = 0.0, loss = 0.0;
        std::int64_t steps = 0;
        while (elapsed < seconds) {
            for (int i = 0; i < 8; ++i, ++steps) loss += step();
            elapsed = std::chrono::duration<double>(Clock::now() - start).count();
        }
        const double cpu = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
        const auto samples = static_cast<double>(steps * options_.batch);
        std::printf(
            "{\"samples_per_s\": %.1f, \"samples_per_cpu_s\": %.1f, \"loss\": %.6f, \"peak_kb\": "
            "%lld}\n",
            samples / elapsed, samples / cpu, loss / samples,
            static_cast<long long>(peak_kilobytes()));
        std::fflush(stdout);
    }

private:
    static graph::TrainingSetup setup_of(const Options& options) {
        graph::TrainingSetup setup = make_setup();
        setup.precision = options.precision;
        return setup;
    }

    static graph::ExecutorOptions executor_options(const Options& options) {
        graph::ExecutorOptions result;
        result.device = options.device;
        result.batch = options.batch;
        result.input_dtype = DType::uint8;
        result.device_options.threads = options.threads;
        return result;
    }

    double step() {
        batches_.next();
        ops::StepScalars scalars;
        scalars.seed = 1;
        scalars.step = static_cast<std::uint32_t>(update_);
        scalars.learning_rate = static_cast<float>(learning_rate);
        scalars.update = ++update_;
        return executor_.train_step(batches_.images(), batches_.labels(), options_.batch, scalars)
            .loss_sum;
    }

    Options options_;
    SyntheticData data_;
    Batches batches_;
    graph::TrainingSetup setup_;
    graph::Executor executor_;
    std::int64_t update_ = 0;
};

void run(const Options& options) {
    if (options.mode == "ops") {
        print_op_times(options.model, options.batch, options.threads, 401);
    } else if (options.mode == "limit") {
        const double seconds = onednn_step_seconds(options.model, options.batch, options.threads);
        std::printf("{\"samples_per_s\": %.1f}\n", static_cast<double>(options.batch) / seconds);
    } else {
        Training training(options);
        std::puts("ready");
        std::fflush(stdout);
        for (std::string line; std::getline(std::cin, line);) training.run(std::stod(line));
    }
}

}  // namespace
}  // namespace strata::benchmarks

int main(int count, char** words) {
    try {
        strata::benchmarks::run(strata::benchmarks::read_options(count, words));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "training_speed: %s\n", error.what());
        return 1;
    }
}
