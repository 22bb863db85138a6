// Trains a model of models.h on one-thread CPU devices: process_speed MODEL BATCH REPLICAS, each
// replica on BATCH samples a step; under mpirun in each process. Reads lines of seconds from rank
// 0's standard input and answers each by a line of JSON, so that compare_many.py can let programs
// take turns.
#include <sched.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include "engine/parallel/launcher.h"
#include "engine/parallel/placed_executor.h"
#include "tests/benchmarks/models.h"
#include "tests/benchmarks/synthetic_data.h"

namespace {

using namespace strata;
using parallel::ExchangeTimes;
using parallel::PlacedExecutor;

constexpr std::int64_t steps_between_looks = 4;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// A core for each process, as far as there are some, as a launcher that binds would give it.
void stay_on_core(int number) {
    cpu_set_t usable, own;
    CPU_ZERO(&usable);
    CPU_ZERO(&own);
    if (sched_getaffinity(0, sizeof usable, &usable) != 0) return;
    int left = number % CPU_COUNT(&usable);
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &usable) && left-- == 0) CPU_SET(core, &own);
    sched_setaffinity(0, sizeof own, &own);
}

class Training {
public:
    Training(const std::string& model, std::int64_t batch, int replicas,
             parallel::Communicator* world)
        : world_(world),
          batch_(batch * replicas),
          data_(benchmarks::make_data(
              16384, benchmarks::image_side(model) * benchmarks::image_side(model))),
          batches_(data_, batch_),
          setup_(benchmarks::make_setup()) {
        graph::ExecutorOptions options;
        options.batch = batch_;
        options.input_dtype = DType::uint8;
        options.device_options.threads = 1;
        parallel::PlacementOptions placement;
        placement.replicas = replicas;
        executor_ = std::make_unique<PlacedExecutor>(benchmarks::make_model(model), &setup_,
                                                     options, placement, world);
        executor_->initialize(1);
    }

    // The seconds of rank 0 count.
    void run(double seconds) {
        const double begin = now();
        std::int64_t steps = 0;
        ExchangeTimes exchange;
        for (double left = seconds; from_first(left) > 0.0; left = seconds - (now() - begin))
            for (int i = 0; i < steps_between_looks; ++i, ++steps) step(exchange);
        const double elapsed = now() - begin;
        if (rank() != 0) return;
        const int processes = world_ == nullptr ? 1 : world_->size();
        std::printf("{\"samples_per_s\": %.1f, \"exchange_ms\": %.2f, \"exposed\": %.3f}\n",
                    static_cast<double>(steps * batch_ * processes) / elapsed,
                    1e3 * exchange.total / static_cast<double>(steps), exchange.exposed_share());
        std::fflush(stdout);
    }

    double from_first(double number) {
        if (world_ != nullptr) world_->broadcast(std::as_writable_bytes(std::span(&number, 1)), 0);
        return number;
    }
    int rank() const { return world_ == nullptr ? 0 : world_->rank(); }

private:
    void step(ExchangeTimes& exchange) {
        batches_.next();
        ops::StepScalars scalars;
        scalars.seed = 1;
        scalars.step = static_cast<std::uint32_t>(update_);
        scalars.learning_rate = static_cast<float>(benchmarks::learning_rate);
        scalars.update = ++update_;
        executor_->train_step(batches_.images(), batches_.labels(), batch_, scalars);
        exchange.total += executor_->exchange_times().total;
        exchange.exposed += executor_->exchange_times().exposed;
    }

    parallel::Communicator* world_;
    std::int64_t batch_, update_ = 0;
    benchmarks::SyntheticData data_;
    benchmarks::Batches batches_;
    graph::TrainingSetup setup_;
    std::unique_ptr<PlacedExecutor> executor_;
};

void run(const std::string& model, std::int64_t batch, int replicas) {
    const auto world = parallel::join_processes(std::chrono::seconds(60));
    if (world) stay_on_core(world->rank());
    Training training(model, batch, replicas, world.get());
    if (training.rank() == 0) {
        std::puts("ready");
        std::fflush(stdout);
    }
    while (true) {
        double seconds = -1.0;
        std::string line;
        // The other ranks wait for the next line, however long it takes.
        if (world && training.rank() == 0) world->set_busy(true);
        if (training.rank() == 0 && std::getline(std::cin, line)) seconds = std::stod(line);
        seconds = training.from_first(seconds);
        if (world && training.rank() == 0) world->set_busy(false);
        if (seconds < 0.0) break;
        training.run(seconds);
    }
    if (world) world->close();
}

}  // namespace

int main(int count, char** words) {
    try {
        if (count != 4) throw Error(ErrorCode::invalid_argument, "wants MODEL BATCH REPLICAS", "");
        run(words[1], std::atoll(words[2]), std::atoi(words[3]));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "process_speed: %s\n", error.what());
        return 1;
    }
}
