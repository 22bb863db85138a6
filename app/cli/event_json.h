// One JSON object an event: what `strata train --json` prints.
#pragma once

#include "engine/core/json.h"
#include "engine/train/events.h"

namespace strata::cli {

// {"event": "step", "step": 1, "loss": ...}; numbers that are not finite become null. metrics: the
// names of StepEvent::metrics.
Json event_json(const train::Event& event, const std::vector<std::string>& metrics);

}  // namespace strata::cli
