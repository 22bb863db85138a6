// Arrays that NumPy has saved: two .npy files, or one .npz archive.
#pragma once

#include "engine/data/source_description.h"

namespace strata::data {

const SourceDescription& npy();
const SourceDescription& npz();

}  // namespace strata::data
