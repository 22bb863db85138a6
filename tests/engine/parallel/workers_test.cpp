// The names of the threads that stay, as the system tells them.
#include "engine/parallel/workers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace strata::parallel {
namespace {

// The names that the system has for this program's threads.
std::vector<std::string> thread_names() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream file(entry.path() / "comm");
        if (std::string name; std::getline(file, name)) names.push_back(name);
    }
    return names;
}

std::ptrdiff_t count(const std::vector<std::string>& names, const std::string& name) {
    return std::count(names.begin(), names.end(), name);
}

// A monitor that looked in between took the whole program's time for a device's. Each try has names
// of its own: the system may still list threads that have ended.
TEST(Workers, HaveTheirNamesBeforeTheyAreAskedForAnything) {
    constexpr int tries = 200;
    for (int i = 0; i < tries; ++i) {
        const std::string first = "first:" + std::to_string(i);
        const std::string second = "second:" + std::to_string(i);
        const Workers workers({{}, {}}, {first, second});
        const std::vector<std::string> names = thread_names();
        ASSERT_EQ(count(names, first), 1) << "try " << i;
        ASSERT_EQ(count(names, second), 1) << "try " << i;
    }
}

TEST(Workers, WithoutNamesOfTheirOwnHaveTheProgramsName) {
    const std::vector<std::string> before = thread_names();
    const Workers workers({{}, {}}, {"named"});
    const std::vector<std::string> names = thread_names();
    EXPECT_EQ(count(names, "named"), 1);
    EXPECT_EQ(count(names, before.front()), count(before, before.front()) + 1);
}

}  // namespace
}  // namespace strata::parallel
