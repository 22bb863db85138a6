// One JSON object an event: what `strata train --json` prints, and what the studio reads to follow
// a run of another process.
#pragma once

#include <optional>

#include "engine/core/json.h"
#include "engine/train/events.h"

namespace strata::train {

// {"event": "step", "step": 1, "loss": ...}; numbers that are not finite become null. metrics: the
// names of StepEvent::metrics.
Json event_json(const Event& event, const std::vector<std::string>& metrics);

// What is known of a device, by name: {"used_bytes": ..., "free_bytes": ..., "utilisation": 0.37,
// "load_of": "device", "temperature": 41.0, ...}.
Json reading_json(const device::Reading& reading);

// The other way, object by object in the order in which they were written: the plan tells how to
// read what follows. What an older version did not write keeps its default.
class EventReader {
public:
    // Nothing for a kind of event that this version does not know. Throws Error{format,
    // invalid_argument} where the object is none that event_json() made.
    std::optional<Event> read(const Json& json);
    std::optional<Event> read_line(const std::string& line);

private:
    std::vector<std::string> metrics_;
};

}  // namespace strata::train
