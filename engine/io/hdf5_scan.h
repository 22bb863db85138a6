// Looks over a foreign HDF5 file before anything in it is used. Called by the Keras reader and by
// Hdf5Reader.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/io/hdf5_handle.h"

namespace strata::io {

struct Hdf5Limits {
    std::uint64_t objects = 100'000;
    int depth = 32;  // groups within groups
    int rank = 8;
    std::uint64_t extent = std::uint64_t{1} << 31;
    std::uint64_t chunk_bytes = 64 << 20;
    std::uint64_t data_bytes = std::uint64_t{8} << 30;  // of all datasets, unpacked
    std::uint64_t expansion = 200;  // of all packed datasets, above the first 16 MiB
    // Datasets of texts and of named whole numbers (Python's bool) may be there, too.
    bool texts = false;
};

// Throws Error{format} that names the object unless the file holds hard links only, and groups and
// datasets of plain numbers that lie in the file itself, unpacked by deflate, shuffle and
// fletcher32 at most, within the limits. Reads no data. Returns the paths of the datasets of
// numbers, without a leading slash.
std::vector<std::string> require_harmless(const Hdf5File& file, const Hdf5Limits& limits = {});

}  // namespace strata::io
