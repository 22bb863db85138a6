// A look at a project's data without running it: the first samples as pictures or numbers, how
// many there are of each class, values, split and what is odd about them. Knows no widgets; slow,
// for another thread than the window's. Used by the data panel.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/shape.h"
#include "engine/data/source.h"
#include "engine/train/run_config.h"

namespace strata::ui {

// 8 bits a channel, row by row; 1 channel (grey) or 3 (RGB).
struct Picture {
    int width = 0, height = 0, channels = 1;
    std::vector<std::uint8_t> pixels;
};

struct PreviewSample {
    Picture picture;             // empty where samples are no images
    std::vector<float> values;   // the first few, where samples are no images
    std::int32_t label = -1;     // -1: it has targets
    std::vector<float> targets;  // the first few
};

struct DataPreview {
    std::string description;  // the source's own, in English
    Shape sample_shape;
    DType dtype = DType::uint8;
    std::int64_t elements = 0;  // of a sample
    bool images = false;
    std::vector<PreviewSample> samples;
    std::vector<Picture> augmented;  // the first sample in successive epochs; empty without a map

    std::int64_t size = 0, train = 0, validation = 0;
    std::optional<std::int64_t> test;  // samples of the test data, where there are any
    bool labels = true;
    std::vector<std::string> class_names;  // one a class, in any case
    std::vector<std::int64_t> counts;      // of each class, among the `looked` samples
    std::int64_t looked = 0;               // samples whose values and labels were read
    data::ValueRange range;                // of them

    std::vector<std::string> warnings;  // in English
    std::optional<Error> test_fault;
};

// How much is read at most. The defaults keep it to about two seconds.
struct PreviewLimits {
    int samples = 24, numbers = 8, epochs = 6;
    double seconds = 2.0;  // for counting; where it does not do, the counts are of a part
};

// Empty where it was cancelled or there are no data yet. Throws Error where they cannot be read.
std::optional<DataPreview> previewData(const train::RunConfig& config,
                                       const std::atomic<bool>& cancelled,
                                       const PreviewLimits& limits = {});

}  // namespace strata::ui
