// Makes the runtime of this test program load the emulated CUDA plug-in.
#pragma once

#include <cstdlib>

namespace strata::test {

// Before the first use of graph::runtime().
inline void use_emulated_plugin() {
    setenv("STRATA_CUDA_PLUGIN", STRATA_EMULATED_PLUGIN, 1);
}

}  // namespace strata::test
