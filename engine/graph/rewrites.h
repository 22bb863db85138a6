// Plan rewrites: each changes a program into an equal one that moves less memory, and says in words
// what it did. `results`: values that are read after the program; they stay.
#pragma once

#include <string>
#include <vector>

#include "engine/ops/op.h"

namespace strata::graph {

// A cast from uint8 is done by the rescaling that reads it.
void fuse_casts(ops::Program& program, const std::vector<ops::ValueId>& results,
                std::vector<std::string>& notes);
// An element-wise activation is applied by the matrix product or convolution before it.
void fuse_activations(ops::Program& program, const std::vector<ops::ValueId>& results,
                      std::vector<std::string>& notes);
// The backward pass of a relu is done by the max pooling behind it.
void fuse_relu_into_pooling(ops::Program& program, const std::vector<ops::ValueId>& results,
                            std::vector<std::string>& notes);
// Ops whose results nobody reads are dropped.
void drop_dead_ops(ops::Program& program, const std::vector<ops::ValueId>& results);

}  // namespace strata::graph
