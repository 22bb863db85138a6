#include "engine/device/arena.h"

#include <string>

#include "engine/core/error.h"

namespace strata::device {

const char* name_of(Category category) {
    static constexpr std::array<const char*, category_count> names{
        "weights", "optimizer", "gradients", "activations", "workspace", "input"};
    return names[static_cast<std::size_t>(category)];
}

std::size_t MemoryBudget::total() const {
    std::size_t sum = 0;
    for (std::size_t part : bytes) sum += aligned(part);
    return sum;
}

Arena::Arena(Device& device, const MemoryBudget& budget) : device_(device), budget_(budget) {
    std::size_t offset = 0;
    for (std::size_t i = 0; i < category_count; ++i) {
        start_[i] = offset;
        offset += aligned(budget.bytes[i]);
    }
    try {
        memory_ = device.allocate(offset);
    } catch (const Error& error) {
        std::string parts;
        for (std::size_t i = 0; i < category_count; ++i)
            parts += (i ? ", " : "") + std::string(name_of(static_cast<Category>(i))) + " " +
                     std::to_string(budget.bytes[i]) + " B";
        throw Error(error.code(), error.message() + " (" + parts + ")", error.where(),
                    error.hint());
    }
    device.fill_zero(memory_, offset);
}

Arena::~Arena() {
    device_.release(memory_);
}

void* Arena::base(Category category) const {
    return at(category, 0);
}

void* Arena::at(Category category, std::size_t offset) const {
    return static_cast<std::byte*>(memory_) + start_[static_cast<std::size_t>(category)] + offset;
}

}  // namespace strata::device
