// Where samples come from. A source is opened once, then read by (index) from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/json.h"
#include "engine/core/tensor.h"

namespace strata::data {

class Source {
public:
    virtual ~Source() = default;
    virtual std::int64_t size() const = 0;         // samples
    virtual const Shape& sample_shape() const = 0; // IDX images (28, 28) are given as (28, 28, 1)
    virtual DType sample_dtype() const = 0;        // uint8 or float32
    virtual std::int64_t classes() const = 0;      // 1 + the largest label; 0 where targets are no labels
    virtual const std::vector<std::string>& class_names() const = 0;  // may be empty
    virtual std::string description() const = 0;   // "60 000 images 28 x 28, 10 classes"
    virtual std::size_t memory_bytes() const = 0;  // that it holds
    // Copies samples by index into out (n rows). Labels are int32. Thread-safe. Throws Error naming the file.
    virtual void read(const std::int64_t* indices, std::int64_t n, void* out, std::int32_t* labels) const = 0;
};

// From {"type": "idx", "images": path, "labels": path}. Relative paths are taken from `base`; "fashion-mnist:train-images" style names
// ("dataset": "fashion-mnist", "split": "train") are Debian's dataset-fashion-mnist; where it is not installed the error names the package.
std::shared_ptr<Source> open_source(const Json& config, const std::string& base, const std::string& where);

}  // namespace strata::data
