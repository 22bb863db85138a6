#include "engine/graph/host_state.h"

#include <algorithm>
#include <cmath>

#include "engine/core/random.h"

namespace strata::graph {
namespace {

using device::Category;

std::string full_name(const HostTensor& tensor) {
    return tensor.layer + "/" + tensor.role + (tensor.slot.empty() ? "" : " (" + tensor.slot + ")");
}

void name_tensor(const VariablePlace& place, const std::string& slot, HostTensor& tensor) {
    tensor.layer = place.layer;
    tensor.role = place.role;
    tensor.slot = slot;
    tensor.shape = place.spec.shape;
    tensor.values.resize(static_cast<std::size_t>(place.spec.shape.elements()));
}

void read_variable(const device::Arena& arena, const VariablePlace& place, Category category,
                   HostTensor& tensor) {
    name_tensor(place, "", tensor);
    arena.device().copy_out(tensor.values.data(), arena.at(category, place.offset),
                            tensor.values.size() * sizeof(float));
}

// The parts of a variable that the state owns.
std::vector<OwnedPart> parts_of(const StateLayout& state, const VariablePlace& place) {
    const std::size_t begin = place.offset / sizeof(float);
    return owned_parts(state, begin, begin + static_cast<std::size_t>(place.spec.shape.elements()));
}

// What the device keeps of a variable's slot; the rest of the tensor stays.
void read_slot(const device::Arena& arena, const StateLayout& state, const VariablePlace& place,
               std::size_t slot, HostTensor& tensor) {
    for (const OwnedPart& part : parts_of(state, place))
        arena.device().copy_out(
            tensor.values.data() + (part.begin - place.offset / sizeof(float)),
            arena.at(Category::optimizer,
                     slot * device::aligned(state.slot_bytes()) + part.in_slot * sizeof(float)),
            part.size() * sizeof(float));
}

void write_slot(const device::Arena& arena, const StateLayout& state, const VariablePlace& place,
                std::size_t slot, const HostTensor& tensor) {
    for (const OwnedPart& part : parts_of(state, place))
        arena.device().copy_in(
            arena.at(Category::optimizer,
                     slot * device::aligned(state.slot_bytes()) + part.in_slot * sizeof(float)),
            tensor.values.data() + (part.begin - place.offset / sizeof(float)),
            part.size() * sizeof(float));
}

std::optional<std::size_t> number_of_slot(const StateLayout& state, const std::string& name) {
    const auto slot = std::find(state.slots.begin(), state.slots.end(), name);
    if (slot == state.slots.end()) return std::nullopt;
    return static_cast<std::size_t>(slot - state.slots.begin());
}

// In float64 by several sums at once, which the processor can work on side by side.
double sum_of_squares(std::span<const float> values) {
    constexpr std::size_t lanes = 8;
    double sums[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= values.size(); i += lanes)
        for (std::size_t k = 0; k < lanes; ++k)
            sums[k] += static_cast<double>(values[i + k]) * static_cast<double>(values[i + k]);
    for (; i < values.size(); ++i)
        sums[0] += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    double sum = 0.0;
    for (double part : sums) sum += part;
    return sum;
}

struct Target {
    const VariablePlace* place;
    std::optional<std::size_t> slot;  // unset: the variable itself
};

std::optional<Target> find_target(const StateLayout& state, const HostTensor& tensor) {
    for (const VariablePlace& place : state.variables) {
        if (place.layer != tensor.layer || place.role != tensor.role) continue;
        if (tensor.slot.empty()) return Target{&place, std::nullopt};
        const auto slot = number_of_slot(state, tensor.slot);
        if (!slot || !place.spec.trainable) return std::nullopt;
        return Target{&place, slot};
    }
    return std::nullopt;
}

}  // namespace

std::vector<float> initial_values(const layers::VariableSpec& spec, std::uint64_t seed,
                                  std::uint32_t number) {
    std::vector<float> values(static_cast<std::size_t>(spec.shape.elements()), 0.0F);
    if (spec.initializer == layers::Initializer::ones)
        std::fill(values.begin(), values.end(), 1.0F);
    if (spec.initializer != layers::Initializer::glorot_uniform) return values;
    const auto limit =
        static_cast<float>(std::sqrt(6.0 / static_cast<double>(spec.fan_in + spec.fan_out)));
    for (std::size_t e = 0; e < values.size(); ++e)
        values[e] =
            limit * (2.0F * random::uniform(random::draw(seed, number, 0, e / 4)[e % 4]) - 1.0F);
    return values;
}

std::vector<HostTensor> copy_state(const device::Arena& arena, const StateLayout& state,
                                   bool with_optimizer, std::vector<HostTensor> buffers) {
    std::size_t used = 0;
    const auto next = [&]() -> HostTensor& {
        if (used == buffers.size()) buffers.emplace_back();
        return buffers[used++];
    };
    for (const VariablePlace& place : state.variables)
        if (!place.copied) read_variable(arena, place, Category::weights, next());
    for (const VariablePlace& place : state.variables)
        for (std::size_t s = 0;
             with_optimizer && place.spec.trainable && !place.copied && s < state.slots.size();
             ++s) {
            HostTensor& tensor = next();
            name_tensor(place, state.slots[s], tensor);
            if (state.owned) std::fill(tensor.values.begin(), tensor.values.end(), 0.0F);
            read_slot(arena, state, place, s, tensor);
        }
    buffers.resize(used);
    return buffers;
}

void add_owned_slots(const device::Arena& arena, const StateLayout& state,
                     std::span<HostTensor> tensors) {
    for (HostTensor& tensor : tensors) {
        if (tensor.slot.empty()) continue;
        if (const auto target = find_target(state, tensor))
            read_slot(arena, state, *target->place, *target->slot, tensor);
    }
}

std::vector<HostTensor> copy_gradients(const device::Arena& arena, const StateLayout& state) {
    std::vector<HostTensor> tensors;
    for (const VariablePlace& place : state.variables)
        if (place.spec.trainable && !place.copied)
            read_variable(arena, place, Category::gradients, tensors.emplace_back());
    return tensors;
}

void add_owned_gradients(const device::Arena& arena, const StateLayout& state,
                         std::span<HostTensor> tensors) {
    for (HostTensor& tensor : tensors) {
        const auto target = find_target(state, tensor);
        if (!target) continue;
        for (const OwnedPart& part : parts_of(state, *target->place))
            arena.device().copy_out(
                tensor.values.data() + (part.begin - target->place->offset / sizeof(float)),
                arena.at(Category::gradients, part.begin * sizeof(float)),
                part.size() * sizeof(float));
    }
}

std::vector<GradientNorm> norms_of_gradients(const device::Arena& arena, const StateLayout& state,
                                             double scale) {
    constexpr std::size_t block = 16384;
    std::vector<float> buffer(block);
    std::vector<GradientNorm> norms;
    for (const VariablePlace& place : state.variables) {
        if (!place.spec.trainable || place.copied) continue;
        if (norms.empty() || norms.back().layer != place.layer) norms.push_back({place.layer});
        for (const OwnedPart& part : parts_of(state, place))
            for (std::size_t at = part.begin; at < part.end; at += block) {
                const std::size_t n = std::min(block, part.end - at);
                arena.device().copy_out(buffer.data(),
                                        arena.at(Category::gradients, at * sizeof(float)),
                                        n * sizeof(float));
                norms.back().norm += sum_of_squares({buffer.data(), n});
            }
    }
    for (GradientNorm& entry : norms) entry.norm = std::sqrt(entry.norm) * scale;
    return norms;
}

void put_state(const device::Arena& arena, const StateLayout& state,
               std::span<const HostTensor> tensors, bool with_optimizer, bool all_required) {
    std::size_t weights = 0;
    for (const HostTensor& tensor : tensors) {
        if (!tensor.slot.empty() && !with_optimizer) continue;
        const auto target = find_target(state, tensor);
        if (!target && tensor.slot == average_slot) continue;  // one that keeps none can do without
        if (!target)
            throw Error(ErrorCode::format, "the model has no variable " + full_name(tensor),
                        "weights", "Use a checkpoint of this model");
        if (target->place->spec.shape != tensor.shape ||
            static_cast<std::int64_t>(tensor.values.size()) != tensor.shape.elements())
            throw Error(ErrorCode::format,
                        full_name(tensor) + " has shape " + tensor.shape.text() +
                            ", the model wants " + target->place->spec.shape.text(),
                        "weights", "Use a checkpoint of this model");
        weights += tensor.slot.empty() ? 1 : 0;
        if (target->slot)
            write_slot(arena, state, *target->place, *target->slot, tensor);
        else
            arena.device().copy_in(arena.at(Category::weights, target->place->offset),
                                   tensor.values.data(), tensor.values.size() * sizeof(float));
    }
    arena.device().synchronize();
    if (all_required && weights != state.variables.size())
        throw Error(ErrorCode::format,
                    "it holds " + std::to_string(weights) + " of the model's " +
                        std::to_string(state.variables.size()) + " variables",
                    "weights", "Use a checkpoint of this model");
}

}  // namespace strata::graph
