// The planner's step time and idle share against the measured ones: plan_accuracy [MODEL [BATCH
// [SECONDS]]], MODEL classic, cnn, wide or deep. One device, replicas and pipelines of two, one
// thread each. Prints a line a placement; exits 1 where a time is off by more than the tolerance.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "engine/parallel/auto_placement.h"
#include "engine/parallel/placed_executor.h"
#include "engine/parallel/planner.h"
#include "tests/benchmarks/models.h"
#include "tests/benchmarks/synthetic_data.h"

namespace {

using namespace strata;

constexpr double tolerance = 0.2;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

struct Measured {
    double step = 0.0, idle = 0.0;
};

double idle_of(const std::vector<parallel::MeasuredBlock>& blocks, int devices) {
    double begin = 1e9, end = 0.0, busy = 0.0;
    for (const parallel::MeasuredBlock& block : blocks) {
        begin = std::min(begin, block.begin);
        end = std::max(end, block.end);
        busy += block.end - block.begin;
    }
    return 1.0 - busy / ((end - begin) * devices);
}

// Medians, as a user sees them; what else the machine does meanwhile, the planner measures, too.
Measured measure(const parallel::PlanRequest& request, const benchmarks::SyntheticData& data,
                 double seconds) {
    std::unique_ptr<graph::ModelExecutor> executor;
    const parallel::PlacedExecutor* placed = nullptr;
    if (parallel::runs_on_one_device(request.model, request.placement)) {
        executor =
            std::make_unique<graph::Executor>(request.model, &request.setup, request.options);
    } else {
        auto made = std::make_unique<parallel::PlacedExecutor>(request.model, &request.setup,
                                                               request.options, request.placement);
        placed = made.get();
        executor = std::move(made);
    }
    executor->initialize(1);
    benchmarks::Batches batches(data, request.options.batch);
    std::vector<double> steps, idles;
    int devices = 0;
    for (const auto& memory : executor->memory_by_device())
        devices += memory.device.empty() ? 0 : 1;
    for (double spent = 0.0; spent < seconds;) {
        batches.next();
        ops::StepScalars scalars;
        scalars.learning_rate = static_cast<float>(benchmarks::learning_rate);
        scalars.update = static_cast<std::int64_t>(steps.size()) + 1;
        const double begin = now();
        executor->train_step(batches.images(), batches.labels(), request.options.batch, scalars);
        steps.push_back(now() - begin);
        spent += steps.back();
        if (placed != nullptr) idles.push_back(idle_of(placed->timeline(), devices));
    }
    std::sort(steps.begin(), steps.end());
    std::sort(idles.begin(), idles.end());
    return {steps[steps.size() / 2], idles.empty() ? 0.0 : idles[idles.size() / 2]};
}

struct Placement {
    std::string name;
    int replicas = 1, stages = 1, micro_batches = 1;
};

parallel::PlanRequest request_for(const std::string& model, std::int64_t batch,
                                  const Placement& placement) {
    parallel::PlanRequest request;
    request.model = benchmarks::make_model(model);
    request.setup = benchmarks::make_setup();
    request.options.input_dtype = DType::uint8;
    request.options.batch = batch * placement.replicas;
    request.options.device_options.threads = 1;
    request.placement.threads = 1;
    request.placement.replicas = placement.replicas;
    request.placement.micro_batches = placement.micro_batches;
    if (placement.stages > 1) {
        parallel::AutoOptions options;
        options.devices = {"cpu:0", "cpu:1"};
        options.replicas = 1;
        options.stages = placement.stages;
        options.micro_batches = placement.micro_batches;
        request = parallel::place_automatically(request, options).request;
    }
    return request;
}

int compare(const std::string& model, std::int64_t batch, double seconds) {
    const int side = benchmarks::image_side(model);
    const benchmarks::SyntheticData data = benchmarks::make_data(4096, side * side);
    int failures = 0;
    for (const Placement& placement :
         {Placement{"one device"}, Placement{"2 replicas", 2}, Placement{"2 stages, 4", 1, 2, 4},
          Placement{"2 stages, 8", 1, 2, 8}}) {
        const parallel::PlanRequest request = request_for(model, batch, placement);
        const double begin = now();
        const parallel::PlacementPlan plan =
            parallel::plan_placement(request, {.time = true, .warnings = false});
        const double took = now() - begin;
        const Measured measured = measure(request, data, seconds);
        const double off = plan.step.total() / measured.step - 1.0;
        failures += std::abs(off) > tolerance ? 1 : 0;
        std::printf(
            "%-8s %-12s step predicted %7.3f ms, measured %7.3f (%+3.0f %%); idle predicted %.3f, "
            "measured %.3f, formula %.3f; batches %.3f sum %.3f update %.3f ms; planned in %.0f "
            "ms\n",
            model.c_str(), placement.name.c_str(), 1e3 * plan.step.total(), 1e3 * measured.step,
            100.0 * off, plan.idle_share, measured.idle, plan.idle_share_formula,
            1e3 * plan.step.batches, 1e3 * plan.step.all_reduce, 1e3 * plan.step.update,
            1e3 * took);
    }
    return failures;
}

}  // namespace

int main(int count, char** words) {
    try {
        const std::string model = count > 1 ? words[1] : "cnn";
        const std::int64_t batch = count > 2 ? std::atoll(words[2]) : 64;
        return compare(model, batch, count > 3 ? std::atof(words[3]) : 3.0) > 0 ? 1 : 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "plan_accuracy: %s\n", error.what());
        return 2;
    }
}
