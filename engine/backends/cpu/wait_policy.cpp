#include "engine/backends/cpu/wait_policy.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace strata::cpu {

void use_short_waits(char** argv) {
    constexpr const char* rounds = "500";  // about a microsecond
    if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr)
        return;
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error || setenv("GOMP_SPINCOUNT", rounds, 0) != 0) return;
    execv(program.c_str(), argv);
    unsetenv("GOMP_SPINCOUNT");
}

}  // namespace strata::cpu
