// What a run and its plan decide alike of a placement: threads of a device, limits that no device
// has, and which key named one that is not there. Used by prepare_run() and by the planner.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/graph/model.h"
#include "engine/parallel/placement.h"

namespace strata::parallel {

// With the threads of each device where `sharing` processes have the same cores; unchanged where
// they are set, or where one process has them for itself and divides them on its own.
PlacementOptions with_threads(PlacementOptions placement, const graph::Model& model, int sharing);

// Where memory limits name devices that are not among `used`: which, in words; else "".
std::string unused_limits(const PlacementOptions& placement, std::span<const std::string> used);

// Where a copy's batch of so many samples is cut into more micro-batches: how many are empty, in
// words; else "".
std::string empty_micro_batches(const PlacementOptions& placement, std::int64_t batch_size);

// What opening a device has thrown, told where the project names that device:
// "model.layers.out.device", "placement.devices" or, where replicas come to it by counting,
// "placement.replicas". Other errors stay as they are.
Error at_its_name(const Error& error, const graph::Model& model, const PlacementOptions& placement);

// "cpu" of "cpu:0".
std::string_view device_kind(std::string_view device);

// Throws Error{invalid_argument} at `where` that names the first device that comes twice.
void require_each_once(const std::vector<std::string>& devices, const std::string& where,
                       const std::string& hint);

// The devices of so many replicas: those of the first, then the following numbers of their kinds.
std::vector<std::string> devices_of_replicas(const std::vector<std::string>& first, int replicas);

}  // namespace strata::parallel
