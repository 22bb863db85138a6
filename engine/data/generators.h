// Teaching data that are computed, not read: point i of a set depends on (seed, i) alone.
#pragma once

#include "engine/data/source_description.h"

namespace strata::data {

const SourceDescription& spirals();     // arms that wind into one another
const SourceDescription& moons();       // two half circles that grip into one another
const SourceDescription& circles();     // a circle within a circle
const SourceDescription& noisy_sine();  // regression: y from x

}  // namespace strata::data
