// The counters and ordered failures of the emulator in the loaded plug-in.
#pragma once

#include <cuda_emulator_counts.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace strata::test {

// Of the copy of the plug-in that the runtime has loaded.
inline void* plugin_symbol(const char* name) {
    void* const plugin = dlopen(STRATA_EMULATED_PLUGIN, RTLD_NOW | RTLD_NOLOAD);
    void* const symbol = plugin == nullptr ? nullptr : dlsym(plugin, name);
    EXPECT_NE(symbol, nullptr) << name;
    return symbol;
}

inline cuda_emulator::Counts emulated_counts() {
    using Call = cuda_emulator::Counts (*)();
    return reinterpret_cast<Call>(plugin_symbol("strata_emulated_counts"))();
}

inline void order_failure(int number, cudaError_t error, bool at_launch) {
    using Call = void (*)(int, cudaError_t, bool);
    reinterpret_cast<Call>(plugin_symbol("strata_emulated_failure"))(number, error, at_launch);
}

inline cuda_emulator::Counts operator-(const cuda_emulator::Counts& a,
                                       const cuda_emulator::Counts& b) {
    return {a.launches - b.launches, a.graph_launches - b.graph_launches,
            a.kernels - b.kernels,   a.copies - b.copies,
            a.waits - b.waits,       a.allocations - b.allocations};
}

// An environment variable while it lives.
class Setting {
public:
    Setting(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        setenv(name, value, 1);
    }
    ~Setting() {
        if (before_.empty())
            unsetenv(name_);
        else
            setenv(name_, before_.c_str(), 1);
    }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;

private:
    const char* name_;
    std::string before_;
};

}  // namespace strata::test
