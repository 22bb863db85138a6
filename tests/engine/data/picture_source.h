// A source of small made-up images for the pipeline's tests: the bytes of image i follow from i.
#pragma once

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "engine/core/error.h"
#include "engine/data/source.h"

namespace strata::data::testing {

class PictureSource : public Source {
public:
    explicit PictureSource(std::int64_t size, Shape shape = {6, 5, 2})
        : size_(size), shape_(shape) {}

    std::int64_t size() const override { return size_; }
    const Shape& sample_shape() const override { return shape_; }
    DType sample_dtype() const override { return DType::uint8; }
    std::int64_t classes() const override { return regression ? 0 : size_; }
    const std::vector<std::string>& class_names() const override { return names_; }
    std::string description() const override { return "made-up images"; }
    std::size_t memory_bytes() const override { return 0; }
    bool in_memory() const override { return memory; }
    const Shape* target_shape() const override { return regression ? &target_shape_ : nullptr; }

    static std::uint8_t value(std::int64_t row, std::int64_t element) {
        return static_cast<std::uint8_t>(row * 31 + element * 7);
    }

    void read(const std::int64_t* indices, std::int64_t n, void* out,
              std::int32_t* labels) const override {
        const std::int64_t elements = shape_.elements();
        for (std::int64_t i = 0; i < n; ++i) {
            if (indices[i] == bad_row) throw Error(ErrorCode::io, "cannot be read", "cats/17.jpg");
            if (delay.count() > 0) std::this_thread::sleep_for(delay);
            auto* bytes = static_cast<std::uint8_t*>(out) + i * elements;
            for (std::int64_t e = 0; e < elements; ++e) bytes[e] = value(indices[i], e);
            if (labels != nullptr) labels[i] = static_cast<std::int32_t>(indices[i]);
        }
        rows_read += n;
    }
    void read_targets(const std::int64_t* indices, std::int64_t n, float* out) const override {
        for (std::int64_t i = 0; i < n; ++i) {
            out[2 * i] = static_cast<float>(indices[i]);
            out[2 * i + 1] = -out[2 * i];
        }
    }

    bool memory = false, regression = false;
    std::int64_t bad_row = -1;
    std::chrono::microseconds delay{0};  // of each sample
    mutable std::atomic<std::int64_t> rows_read{0};

private:
    std::int64_t size_;
    Shape shape_, target_shape_{2};
    std::vector<std::string> names_;
};

}  // namespace strata::data::testing
