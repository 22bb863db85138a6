// One block of memory on a device with a part for each category. Made once, before the first step;
// nothing in a step allocates. The planner's prediction is this arena's layout.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/device/device.h"

namespace strata::device {

enum class Category : std::uint8_t { weights, optimizer, gradients, activations, workspace, input };
inline constexpr std::size_t category_count = 6;
const char* name_of(Category category);  // "weights", "optimizer", ...

inline constexpr std::size_t alignment = 64;  // bytes, of every tensor in an arena
constexpr std::size_t aligned(std::size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

// Bytes by category.
struct MemoryBudget {
    std::array<std::size_t, category_count> bytes{};

    std::size_t& operator[](Category c) { return bytes[static_cast<std::size_t>(c)]; }
    std::size_t operator[](Category c) const { return bytes[static_cast<std::size_t>(c)]; }
    std::size_t total() const;  // every part aligned
    friend bool operator==(const MemoryBudget&, const MemoryBudget&) = default;
};

class Arena {
public:
    // Allocates budget.total() bytes, zeroed. Throws Error{out_of_memory} with the parts in words.
    Arena(Device& device, const MemoryBudget& budget);
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    const MemoryBudget& budget() const { return budget_; }
    Device& device() const { return device_; }
    void* base(Category category) const;  // start of the category's part
    void* at(Category category, std::size_t offset) const;

private:
    Device& device_;
    MemoryBudget budget_;
    std::array<std::size_t, category_count> start_{};
    void* memory_ = nullptr;
};

}  // namespace strata::device
