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

}  // namespace

CompiledProgram::CompiledProgram(ops::Backend& backend, device::Device& device,
                                 const ops::Program& program) {
    for (const ops::Op& op : program.ops) {
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
    for (std::size_t i = 0; i < kernels_.size(); ++i)
        kernels_[i]->bind(tensors_of(program, program.ops[i].inputs, &addresses),
                          tensors_of(program, program.ops[i].outputs, &addresses), scratch);
}

}  // namespace strata::graph
