// Runs one op, or a few in a row, on a device with values from the host: for the tests of losses,
// metrics, optimizers and backends.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/graph/compiled_program.h"
#include "engine/graph/memory_plan.h"
#include "engine/graph/runtime.h"

namespace strata::testing {

class OpRunner {
public:
    explicit OpRunner(const std::string& device = "cpu:0")
        : device_(graph::runtime().open(device, {})) {}

    ops::ValueId add(const Shape& shape, DType dtype = DType::float32) {
        ops::Value value;
        value.name = "value_" + std::to_string(program_.values.size());
        value.shape = shape;
        value.dtype = dtype;
        value.persistent = true;
        return program_.add(std::move(value));
    }

    // Adds an op that runs after those before; compile() closes the list.
    void emit(ops::Attributes attributes, std::vector<ops::ValueId> inputs,
              std::vector<ops::ValueId> outputs) {
        program_.ops.push_back(
            {std::move(attributes), std::move(inputs), std::move(outputs), "test"});
    }

    void compile(ops::Attributes attributes, std::vector<ops::ValueId> inputs,
                 std::vector<ops::ValueId> outputs) {
        emit(std::move(attributes), std::move(inputs), std::move(outputs));
        compile();
    }

    void compile() {
        ops::Backend& backend = graph::runtime().backend(*device_);
        code_ = std::make_unique<graph::CompiledProgram>(backend, *device_, program_);
        const graph::MemoryPlan plan = graph::plan_memory(program_, {});
        device::MemoryBudget budget = plan.budget;
        budget[device::Category::workspace] = code_->scratch_bytes();
        arena_ = std::make_unique<device::Arena>(*device_, budget);
        for (std::size_t offset : plan.offsets)
            addresses_.push_back(arena_->at(device::Category::activations, offset));
        code_->bind(program_, addresses_, arena_->base(device::Category::workspace));
    }

    template <typename T>
    void set(ops::ValueId id, const std::vector<T>& values) {
        device_->copy_in(addresses_.at(static_cast<std::size_t>(id)), values.data(),
                         values.size() * sizeof(T));
        device_->synchronize();
    }

    template <typename T>
    std::vector<T> get(ops::ValueId id) const {
        std::vector<T> values(static_cast<std::size_t>(program_[id].shape.elements()));
        device_->copy_out(values.data(), addresses_.at(static_cast<std::size_t>(id)),
                          values.size() * sizeof(T));
        return values;
    }

    void run(const ops::StepScalars& scalars = {}) { code_->run(scalars); }

private:
    std::unique_ptr<device::Device> device_;
    ops::Program program_;
    std::unique_ptr<graph::CompiledProgram> code_;
    std::unique_ptr<device::Arena> arena_;
    std::vector<void*> addresses_;
};

}  // namespace strata::testing
