// The central directory of a zip archive and the local headers that must agree with it. Used by
// zip.cpp only.
#pragma once

#include <vector>

#include "engine/io/zip.h"

namespace strata::io {

// All members, checked as ZipFile's constructor says.
std::vector<ZipMember> read_zip_directory(const InputFile& file, const ZipLimits& limits);

}  // namespace strata::io
