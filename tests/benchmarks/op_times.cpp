#include "op_times.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>

#include "engine/graph/device_rates.h"
#include "engine/graph/runtime.h"
#include "models.h"

namespace strata::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<Tensor> tensors(const graph::Plan& plan, const std::vector<ops::ValueId>& ids,
                            const device::Arena* arena) {
    std::vector<Tensor> result;
    for (ops::ValueId id : ids) {
        const ops::Value& value = plan.program[id];
        void* data = arena == nullptr ? nullptr
                                      : arena->at(plan.program[plan.program.root(id)].category,
                                                  plan.offsets[static_cast<std::size_t>(id)]);
        result.push_back({data, value.dtype, value.shape});
    }
    return result;
}

std::string describe(const graph::Plan& plan, const ops::Op& op) {
    std::string text = std::string(ops::name_of(op.attributes)) + "  " + op.layer + "  ";
    for (ops::ValueId id : op.inputs) text += plan.program[id].shape.text() + " ";
    text += "->";
    for (ops::ValueId id : op.outputs) text += " " + plan.program[id].shape.text();
    return text;
}

// Weights, images and labels such that gradients have zeros where those of a real run have them.
void fill_operands(const graph::Plan& plan, const device::Arena& arena) {
    std::minstd_rand random(1);
    auto* weights = static_cast<float*>(arena.base(device::Category::weights));
    std::uniform_real_distribution<float> small(-0.05F, 0.05F);
    for (std::size_t i = 0; i < arena.budget()[device::Category::weights] / sizeof(float); ++i)
        weights[i] = small(random);
    for (std::uint8_t& pixel : tensors(plan, {plan.input}, &arena)[0].span<std::uint8_t>())
        pixel = static_cast<std::uint8_t>(random() % 256);
    for (std::int32_t& label : tensors(plan, {plan.targets}, &arena)[0].span<std::int32_t>())
        label = static_cast<std::int32_t>(random() % 10);
}

}  // namespace

void print_op_times(const std::string& name, std::int64_t batch, int threads, int steps) {
    const graph::Model model = make_model(name);
    const graph::TrainingSetup setup = make_setup();
    const graph::ModelReport report = graph::require_valid(model);
    const graph::StateLayout state = graph::lay_out_state(model, report, &setup);
    const graph::Plan plan =
        graph::make_plan(model, report, state, &setup, graph::Mode::train, batch, DType::uint8);
    device::DeviceOptions options;
    options.threads = threads;
    const auto device = graph::runtime().open("cpu:0", options);
    ops::Backend& backend = graph::runtime().backend(*device);
    std::vector<std::unique_ptr<ops::Kernel>> kernels;
    std::size_t scratch = 0;
    for (const ops::Op& op : plan.program.ops) {
        kernels.push_back(backend.prepare(*device, op.attributes, tensors(plan, op.inputs, nullptr),
                                          tensors(plan, op.outputs, nullptr)));
        scratch = std::max(scratch, kernels.back()->workspace_bytes());
    }
    device::MemoryBudget budget = plan.budget;
    const std::size_t scratch_at = device::aligned(budget[device::Category::workspace]);
    budget[device::Category::workspace] = scratch_at + scratch;
    const device::Arena arena(*device, budget);
    for (std::size_t i = 0; i < kernels.size(); ++i)
        kernels[i]->bind(tensors(plan, plan.program.ops[i].inputs, &arena),
                         tensors(plan, plan.program.ops[i].outputs, &arena),
                         arena.at(device::Category::workspace, scratch_at));
    fill_operands(plan, arena);
    std::vector<std::vector<double>> times(kernels.size());
    ops::StepScalars scalars;
    for (int step = 0; step < steps; ++step) {
        scalars.step = static_cast<std::uint32_t>(step);
        scalars.update = step + 1;
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            const auto start = Clock::now();
            kernels[i]->run(scalars);
            times[i].push_back(std::chrono::duration<double>(Clock::now() - start).count());
        }
    }
    double total = 0.0;
    for (auto& list : times) {
        std::nth_element(list.begin(), list.begin() + steps / 10, list.end());
        total += list[static_cast<std::size_t>(steps / 10)];
    }
    double foreseen = 0.0;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const double time = times[i][static_cast<std::size_t>(steps / 10)];
        const double alone =
            graph::rates_of("cpu:0", options).seconds_of(plan.program, plan.program.ops[i]);
        foreseen += alone;
        std::printf("%8.1f us %5.1f %%  %8.1f us %+4.0f %%  %s\n", time * 1e6, 100.0 * time / total,
                    alone * 1e6, 100.0 * (alone / time - 1.0),
                    describe(plan, plan.program.ops[i]).c_str());
    }
    std::printf("%8.1f us in all, %8.1f us foreseen, %.0f samples/s\n", total * 1e6, foreseen * 1e6,
                static_cast<double>(batch) / total);
}

}  // namespace strata::benchmarks
