#include "engine/parallel/device_part.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/graph/runtime.h"

namespace strata::parallel {
namespace {

using device::Category;
using graph::StageMemory;

constexpr std::array all_categories{Category::weights,     Category::optimizer, Category::gradients,
                                    Category::activations, Category::workspace, Category::input};

}  // namespace

struct DevicePart::Pass {
    int stage = no_stage;
    graph::Plan plan;
    StageMemory memory;
    std::vector<int> slot_counts;  // of each group
    int micro_batches = 1;
    // Programs with different addresses, and which of them each micro-batch runs.
    std::vector<std::unique_ptr<graph::CompiledProgram>> programs;
    std::vector<std::vector<void*>> addresses;
    std::vector<std::size_t> program_of;

    std::size_t scratch_bytes() const { return programs.front()->scratch_bytes(); }
    std::size_t program(int micro_batch) const {
        return program_of[static_cast<std::size_t>(micro_batch)];
    }
};

DevicePart::DevicePart(const std::string& device, const device::DeviceOptions& options,
                       graph::StateLayout state, int stages, SlotCounts slots)
    : device_(graph::runtime().open(device, options)),
      backend_(&graph::runtime().backend(*device_)),
      state_(std::move(state)),
      stages_(stages),
      slots_(std::move(slots)) {}

DevicePart::~DevicePart() = default;

void DevicePart::add(int stage, graph::Plan plan, int micro_batches) {
    auto pass = std::make_unique<Pass>();
    pass->stage = stage;
    pass->slot_counts = stage == no_stage ? std::vector<int>{1} : slots_(stage, plan);
    const bool runs_through = stages_ == 1 && pass->slot_counts.front() == 1;
    pass->memory = graph::plan_stage_memory(plan, runs_through);
    pass->micro_batches = micro_batches;
    pass->programs.push_back(
        std::make_unique<graph::CompiledProgram>(*backend_, *device_, plan.program));
    pass->plan = std::move(plan);
    const Key key{stage, pass->plan.mode, pass->plan.batch};
    passes_[key] = std::move(pass);
}

bool DevicePart::has(int stage, graph::Mode mode, std::int64_t batch) const {
    return passes_.contains({stage, mode, batch});
}

const DevicePart::Pass& DevicePart::update_pass() const {
    return pass(no_stage, graph::Mode::update, graph::no_batch);
}

const DevicePart::Pass& DevicePart::pass(int stage, graph::Mode mode, std::int64_t batch) const {
    return *passes_.at({stage, mode, batch});
}

const graph::Plan& DevicePart::plan(int stage, graph::Mode mode, std::int64_t batch) const {
    return pass(stage, mode, batch).plan;
}

// The shared parts of all passes lie over each other, the scratch of their kernels behind the
// workspace; then the slots, stage by stage.
DevicePart::Layout DevicePart::lay_out() const {
    Layout layout;
    std::size_t scratch = 0;
    for (const auto& [key, pass] : passes_) {
        scratch = std::max(scratch, pass->scratch_bytes());
        auto& of_stage = layout.groups[pass->stage];
        of_stage.resize(std::max(of_stage.size(), pass->memory.slots.size()));
        for (Category c : all_categories) {
            layout.shared[c] = std::max(layout.shared[c], pass->memory.shared_budget[c]);
            for (std::size_t g = 0; g < pass->memory.slots.size(); ++g)
                of_stage[g].slot[c] = std::max(of_stage[g].slot[c], pass->memory.slots[g][c]);
        }
        for (std::size_t g = 0; g < pass->slot_counts.size(); ++g)
            of_stage[g].count = static_cast<std::size_t>(pass->slot_counts[g]);
    }
    layout.scratch = device::aligned(layout.shared[Category::workspace]);
    layout.all = layout.shared;
    layout.all[Category::workspace] = layout.scratch + scratch;
    for (auto& [stage, of_stage] : layout.groups)
        for (SlotGroup& group : of_stage)
            for (Category c : all_categories) {
                if (group.slot[c] == 0) continue;
                group.begin[c] = device::aligned(layout.all[c]);
                layout.all[c] = group.begin[c] + group.count * group.slot[c];
            }
    return layout;
}

device::MemoryBudget DevicePart::budget() const {
    return lay_out().all;
}

void DevicePart::place() {
    std::array<std::vector<std::byte>, device::category_count> kept;
    for (std::size_t i = 0; arena_ && i < kept.size(); ++i) {
        kept[i].resize(layout_.shared.bytes[i]);
        device_->copy_out(kept[i].data(), arena_->base(static_cast<Category>(i)), kept[i].size());
    }
    arena_.reset();
    layout_ = lay_out();
    arena_ = std::make_unique<device::Arena>(*device_, layout_.all);
    for (std::size_t i = 0; i < kept.size(); ++i)
        device_->copy_in(arena_->base(static_cast<Category>(i)), kept[i].data(), kept[i].size());
    device_->synchronize();
    for (auto& [key, pass] : passes_) bind(*pass);
}

std::vector<void*> DevicePart::addresses(const Pass& pass, int micro_batch) const {
    const ops::Program& program = pass.plan.program;
    std::vector<void*> result(program.values.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        const auto root = program.root(static_cast<ops::ValueId>(i));
        const Category category = program[root].category;
        std::size_t offset = pass.memory.offsets[i];
        if (const int number = pass.memory.groups[i]; number != StageMemory::shared) {
            const SlotGroup& group =
                layout_.groups.at(pass.stage)[static_cast<std::size_t>(number)];
            const std::size_t slot = static_cast<std::size_t>(micro_batch) % group.count;
            offset += group.begin[category] + slot * group.slot[category];
        }
        result[i] = arena_->at(category, offset);
    }
    return result;
}

void DevicePart::bind(Pass& pass) {
    pass.addresses.clear();
    pass.program_of.clear();
    void* scratch = arena_->at(Category::workspace, layout_.scratch);
    for (int m = 0; m < pass.micro_batches; ++m) {
        std::vector<void*> places = addresses(pass, m);
        const auto known = std::find(pass.addresses.begin(), pass.addresses.end(), places);
        pass.program_of.push_back(static_cast<std::size_t>(known - pass.addresses.begin()));
        if (known != pass.addresses.end()) continue;
        pass.addresses.push_back(std::move(places));
        if (pass.programs.size() < pass.addresses.size())
            pass.programs.push_back(
                std::make_unique<graph::CompiledProgram>(*backend_, *device_, pass.plan.program));
        pass.programs[pass.addresses.size() - 1]->bind(pass.plan.program, pass.addresses.back(),
                                                       scratch);
    }
}

void* DevicePart::address(int stage, graph::Mode mode, std::int64_t batch, int micro_batch,
                          ops::ValueId value) const {
    const Pass& p = pass(stage, mode, batch);
    return p.addresses[p.program(micro_batch)][static_cast<std::size_t>(value)];
}

void DevicePart::run(int stage, graph::Mode mode, std::int64_t batch, int micro_batch,
                     bool backward, const ops::StepScalars& scalars) const {
    const Pass& p = pass(stage, mode, batch);
    graph::CompiledProgram& program = *p.programs[p.program(micro_batch)];
    if (backward)
        program.run(scalars, p.plan.backward_begin, p.plan.program.ops.size());
    else
        program.run(scalars, 0, p.plan.backward_begin);
}

void DevicePart::run_ops(int stage, graph::Mode mode, std::int64_t batch, int micro_batch,
                         const ops::StepScalars& scalars, std::size_t begin,
                         std::size_t end) const {
    const Pass& p = pass(stage, mode, batch);
    p.programs[p.program(micro_batch)]->run(scalars, begin, end);
}

void DevicePart::run_by_op(int stage, graph::Mode mode, std::int64_t batch, int micro_batch,
                           bool backward, const ops::StepScalars& scalars,
                           const std::function<bool(std::size_t)>& after) const {
    const Pass& p = pass(stage, mode, batch);
    p.programs[p.program(micro_batch)]->run(
        scalars, backward ? p.plan.backward_begin : 0,
        backward ? p.plan.program.ops.size() : p.plan.backward_begin, after);
}

void DevicePart::run(int stage, graph::Mode mode, std::int64_t batch, int micro_batch,
                     bool backward, const ops::StepScalars& scalars, const Watch& watch) const {
    const Pass& p = pass(stage, mode, batch);
    const AddressOf address_of = [&](ops::ValueId id) {
        return address(stage, mode, batch, micro_batch, id);
    };
    run_by_op(stage, mode, batch, micro_batch, backward, scalars, [&](std::size_t op) {
        return watch(p.plan, p.plan.program.ops[op], *device_, address_of);
    });
}

void DevicePart::square_gradients() const {
    const Pass& p = update_pass();
    p.programs.front()->run({}, 0, p.plan.norm_ops);
}

void DevicePart::square_part(std::size_t part) const {
    update_pass().programs.front()->run({}, part, part + 1);
}

double DevicePart::sum_of_squares() const {
    const Pass& p = update_pass();
    if (p.plan.norm_ops == 0) return 0.0;
    const ops::ValueId id = state_.owned ? p.plan.squares : p.plan.gradient_norm;
    std::vector<double> squares(p.plan.program[id].bytes() / sizeof(double));
    device_->copy_out(squares.data(), p.addresses.front()[static_cast<std::size_t>(id)],
                      squares.size() * sizeof(double));
    if (!state_.owned) return squares.front();
    double sum = 0.0;
    for (std::size_t i = 0; i < squares.size(); ++i)
        if (static_cast<std::size_t>((*state_.owned)[i].offset) * sizeof(float) <
            state_.counted_bytes)
            sum += squares[i];
    return sum;
}

void DevicePart::update(const ops::StepScalars& scalars, double squares,
                        const std::function<void(std::size_t)>& after) const {
    const Pass& p = update_pass();
    if (p.plan.gradient_norm != ops::no_value) {
        device_->copy_in(p.addresses.front()[static_cast<std::size_t>(p.plan.gradient_norm)],
                         &squares, sizeof squares);
        device_->synchronize();
    }
    std::size_t begin = p.plan.norm_ops;
    for (std::size_t part = 0; after && part < p.plan.update_ends.size(); ++part) {
        p.programs.front()->run(scalars, begin, p.plan.update_ends[part]);
        begin = p.plan.update_ends[part];
        after(part);
    }
    p.programs.front()->run(scalars, begin, p.plan.refresh_begin);
}

void DevicePart::refresh() const {
    const auto found = passes_.find({no_stage, graph::Mode::refresh, graph::no_batch});
    if (found != passes_.end())
        found->second->programs.front()->run({}, 0, found->second->plan.program.ops.size());
}

}  // namespace strata::parallel
