// Arrays of an HDF5 file, as h5py and many programs of science write it.
#pragma once

#include "engine/data/source_description.h"

namespace strata::data {

const SourceDescription& hdf5();

}  // namespace strata::data
