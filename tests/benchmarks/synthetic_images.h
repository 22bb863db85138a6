// A folder of JPEG pictures, made without a download, for the benchmark of the data pipeline.
#pragma once

#include <filesystem>

namespace strata::benchmarks {

// `count` pictures of side x side pixels, quality 90, in four classes: soft colours, edges and
// grain, so that they take about as many bits a pixel as photographs.
void make_images(const std::filesystem::path& folder, int count, int side);

}  // namespace strata::benchmarks
