#include "engine/graph/compiled_program.h"

#include "engine/core/error.h"

namespace strata::graph {
namespace {

std::vector<Tensor> tensors_of(const ops::Program& program, const std::vector<ops::ValueId>& ids,
                               const std::vector<void*>* addresses) {
    std::vector<Tensor> tensors;
    for (ops::ValueId id : ids) {
        const ops::Value& value = program[id];
        void* data = addresses == nullptr ? nullptr : (*addresses)[static_cast<std::size_t>(id)];
        tensors.push_back({data, value.dtype, value.shape});
    }
    return tensors;
}

// Another rank that is gone is no fault of the layer in which it was missed.
Error named(const Error& error, const std::string& where) {
    if (error.code() == ErrorCode::interrupted) return error;
    return {error.code(), where + ": " + error.message(), error.where(), error.hint()};
}

}  // namespace

CompiledProgram::CompiledProgram(ops::Backend& backend, device::Device& device,
                                 const ops::Program& program)
    : queued_(dynamic_cast<ops::QueuedDevice*>(&device)) {
    for (const ops::Op& op : program.ops) {
        names_.push_back("layer '" + op.layer + "', " + ops::name_of(op.attributes));
        try {
            kernels_.push_back(backend.prepare(device, op.attributes,
                                               tensors_of(program, op.inputs, nullptr),
                                               tensors_of(program, op.outputs, nullptr)));
        } catch (const Error& error) {
            throw error.at("layer '" + op.layer + "'");
        }
        if (kernels_.back()->workspace_bytes() <= scratch_bytes_) continue;
        scratch_bytes_ = kernels_.back()->workspace_bytes();
        scratch_op_ = kernels_.size() - 1;
    }
}

void CompiledProgram::bind(const ops::Program& program, const std::vector<void*>& addresses,
                           void* scratch) {
    ranges_.clear();  // they hold the addresses of before
    for (std::size_t i = 0; i < kernels_.size(); ++i)
        kernels_[i]->bind(tensors_of(program, program.ops[i].inputs, &addresses),
                          tensors_of(program, program.ops[i].outputs, &addresses), scratch);
}

void CompiledProgram::run_op(std::size_t i, const ops::StepScalars& scalars) try {
    kernels_[i]->run(scalars);
} catch (const Error& error) {
    throw named(error, names_[i]);
}

void CompiledProgram::run_ops(const ops::StepScalars& scalars, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) run_op(i, scalars);
}

void CompiledProgram::run(const ops::StepScalars& scalars, std::size_t begin, std::size_t end) {
    if (queued_ != nullptr && replay(scalars, begin, end)) return;
    run_ops(scalars, begin, end);
}

void CompiledProgram::run(const ops::StepScalars& scalars, std::size_t begin, std::size_t end,
                          const std::function<bool(std::size_t)>& seen) {
    for (std::size_t i = begin; i < end; ++i) {
        run_op(i, scalars);
        if (!seen(i)) return;
    }
}

// Sums over replicas that the host makes cannot be recorded. The first run makes what the libraries
// make once.
bool CompiledProgram::replay(const ops::StepScalars& scalars, std::size_t begin, std::size_t end) {
    if (scalars.replicas != nullptr || end < begin + 2 || !queued_->records()) return false;
    Range& range = ranges_[{begin, end}];
    if (!std::exchange(range.ran, true) || range.refused) return false;
    queued_->put(scalars);
    if (range.recording == nullptr)
        range.recording = queued_->record_work([&] { run_ops(scalars, begin, end); }, refusal_);
    range.refused = range.recording == nullptr;
    if (range.refused) return false;
    try {
        range.recording->replay();
    } catch (const Error& error) {
        throw named(error, "from " + names_[begin] + " to " + names_[end - 1]);
    }
    return true;
}

}  // namespace strata::graph
