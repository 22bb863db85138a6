// Variables and optimizer slots between a device's flat arrays and host tensors. Used by the
// executor only.
#pragma once

#include <span>
#include <vector>

#include "engine/device/arena.h"
#include "engine/graph/executor.h"

namespace strata::graph {

// Glorot uniform (Glorot and Bengio 2010), zeros or ones. number: the variable's place in the
// layout, its random stream: element e is limit * (2 u - 1), u = uniform(draw(seed, number, 0, e /
// 4)[e % 4]).
std::vector<float> initial_values(const layers::VariableSpec& spec, std::uint64_t seed,
                                  std::uint32_t number);

// But for copies of what another device owns; so are the gradients.
std::vector<HostTensor> copy_state(const device::Arena& arena, const StateLayout& state,
                                   bool with_optimizer, std::vector<HostTensor> buffers = {});
// Where several devices share the optimizer's work: puts this one's parts into the slots' tensors,
// or into those of gradients.
void add_owned_slots(const device::Arena& arena, const StateLayout& state,
                     std::span<HostTensor> tensors);
void add_owned_gradients(const device::Arena& arena, const StateLayout& state,
                         std::span<HostTensor> tensors);
std::vector<HostTensor> copy_gradients(const device::Arena& arena, const StateLayout& state);
// Of what the state owns, layer by layer in the layout's order, times `scale`.
std::vector<GradientNorm> norms_of_gradients(const device::Arena& arena, const StateLayout& state,
                                             double scale);
void put_state(const device::Arena& arena, const StateLayout& state,
               std::span<const HostTensor> tensors, bool with_optimizer, bool all_required);

}  // namespace strata::graph
