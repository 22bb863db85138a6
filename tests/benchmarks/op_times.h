// Times each op of a training step alone, with the step's own operands.
#pragma once

#include <cstdint>
#include <string>

namespace strata::benchmarks {

// Prints a line an op: microseconds (the lower tenth of `steps` steps: what else the machine does
// only adds), share of the step, what the planner measures of it alone and how far that is off,
// what it is.
void print_op_times(const std::string& model, std::int64_t batch, int threads, int steps);

}  // namespace strata::benchmarks
