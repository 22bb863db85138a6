// Edits of where a model's work is done. Plain functions; the document makes undo commands of them.
#pragma once

#include <string>
#include <vector>

#include "engine/train/run_config.h"

namespace strata::ui {

// The devices that the model's layers name, by kind and number: "cpu:0", "cpu:1", "cpu:10".
std::vector<std::string> devicesOf(const graph::Model& model);
// The first of the input layer's kind that no layer stands on: "cpu:2".
std::string nextDevice(const graph::Model& model);
// Whether a further copy of the model works there. A layer that is placed there keeps the device,
// and the copies go on to the next ones.
bool isOfCopy(const train::RunConfig& config, const std::string& device);
// `count` devices of that kind, from number 0 on.
std::vector<std::string> firstDevices(const graph::Model& model, int count);
// A list of devices that the project gave all replicas goes where it no longer fits.
void placeLayers(train::RunConfig& config, const std::vector<std::string>& names,
                 const std::string& device);

}  // namespace strata::ui
