// The arena: where each category's part lies, that it is cleared, and what it says when there is no
// room.
#include "engine/device/arena.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "engine/core/error.h"
#include "tests/engine/layers/error_of.h"

namespace strata::device {
namespace {

using testing::error_of;

// Host memory, filled with a pattern; refuses more than `room` bytes.
class TestDevice : public Device {
public:
    explicit TestDevice(std::size_t room) : room_(room) {}
    const DeviceInfo& info() const override { return info_; }
    const DeviceOptions& options() const override { return options_; }
    void* allocate(std::size_t bytes) override {
        if (bytes > room_)
            throw Error(ErrorCode::out_of_memory, "no room", "test:0", "Use a smaller batch");
        allocated = bytes;
        void* memory = std::aligned_alloc(alignment, aligned(bytes == 0 ? 1 : bytes));
        std::memset(memory, 0xA5, bytes);
        ++live;
        return memory;
    }
    void release(void* memory) noexcept override {
        if (memory != nullptr) --live;
        std::free(memory);
    }
    void copy_in(void* to, const void* from, std::size_t n) override { std::memcpy(to, from, n); }
    void copy_out(void* to, const void* from, std::size_t n) override { std::memcpy(to, from, n); }
    void fill_zero(void* memory, std::size_t bytes) override { std::memset(memory, 0, bytes); }
    void synchronize() override {}

    std::size_t allocated = 0;
    int live = 0;

private:
    std::size_t room_;
    DeviceInfo info_{
        .id = "test:0", .description = "", .memory = 0, .available = true, .reason = ""};
    DeviceOptions options_;
};

MemoryBudget uneven() {
    MemoryBudget budget;
    budget[Category::weights] = 100;
    budget[Category::optimizer] = 64;
    budget[Category::activations] = 1;
    budget[Category::input] = 65;
    return budget;
}

TEST(Budget, CountsEveryPartAligned) {
    EXPECT_EQ(MemoryBudget{}.total(), 0U);
    EXPECT_EQ(uneven().total(), 128U + 64 + 64 + 128);
    EXPECT_EQ(aligned(0), 0U);
    EXPECT_EQ(aligned(1), 64U);
    EXPECT_EQ(aligned(64), 64U);
    EXPECT_STREQ(name_of(Category::input), "input");
}

TEST(Arena, IsTheBudgetAndNothingElse) {
    TestDevice device(1 << 20);
    {
        const Arena arena(device, uneven());
        EXPECT_EQ(device.allocated, uneven().total());
        EXPECT_EQ(arena.budget(), uneven());
        const auto* first = static_cast<const std::byte*>(arena.base(Category::weights));
        const auto at = [&](Category category, std::size_t offset) {
            return static_cast<const std::byte*>(arena.at(category, offset)) - first;
        };
        EXPECT_EQ(at(Category::weights, 4), 4);
        EXPECT_EQ(at(Category::optimizer, 0), 128);
        EXPECT_EQ(at(Category::gradients, 0), 192);
        EXPECT_EQ(at(Category::activations, 0), 192);
        EXPECT_EQ(at(Category::workspace, 0), 256);
        EXPECT_EQ(at(Category::input, 64), 256 + 64);
        for (std::size_t i = 0; i < device.allocated; ++i) ASSERT_EQ(first[i], std::byte{0}) << i;
    }
    EXPECT_EQ(device.live, 0);
}

TEST(Arena, SaysWhatDidNotFit) {
    TestDevice device(200);
    const Error error = error_of([&] { Arena(device, uneven()); });
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    EXPECT_NE(error.message().find("weights 100 B"), std::string::npos) << error.message();
    EXPECT_EQ(error.where(), "test:0");
    EXPECT_EQ(error.hint(), "Use a smaller batch");
    EXPECT_EQ(device.live, 0);
}

}  // namespace
}  // namespace strata::device
