// An error as one JSON object: in a run's events, and from rank to rank.
#pragma once

#include "engine/core/error.h"
#include "engine/core/json.h"

namespace strata::train {

// {"code": "out_of_memory", "message": ..., "where": ..., "hint": ...}
Json error_json(const Error& error);
// otherwise: its code where an older version wrote none, or a later one another. Throws
// Error{format} where it is none of error_json().
Error error_from(const Json& json, ErrorCode otherwise);

}  // namespace strata::train
