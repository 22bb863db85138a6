// The time of one op on a device, taken on made-up values. Used by device_rates.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/device/device.h"
#include "engine/ops/op.h"

namespace strata::graph {

// program: a single op. nonzero: share of the gradient that it reads, the rest is 0, as behind a
// max pooling. id: of the device, on which it allocates its operands for as long as that takes.
double measure_op(const ops::Program& program, double nonzero, const std::string& id,
                  const device::DeviceOptions& options);

// Values of the size of activations, a share of them not 0; those of whole numbers are 0.
std::vector<std::byte> made_up_values(const ops::Value& value, double nonzero = 1.0);

// An op of a program alone, with values of its own; what it does in place stays so.
ops::Program alone(const ops::Program& program, const ops::Op& op);

}  // namespace strata::graph
