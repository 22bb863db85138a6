// Points of the plane that are computed when they are read. Used by the generators.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/data/source.h"

namespace strata::data {

struct PointSet {
    std::int64_t count = 0;
    std::uint64_t seed = 1;
    double noise = 0.0;                    // on both coordinates; on y alone where it is the target
    bool values = false;                   // whether y is the target of x; else (x, y) has a class
    std::vector<std::string> class_names;  // sample i is of class i modulo their number
    // The point of a class at t, which is uniform in [0, 1).
    std::function<std::pair<double, double>(std::int64_t, double)> place;
};

class PointSource : public Source {
public:
    explicit PointSource(PointSet set);

    std::int64_t size() const override { return set_.count; }
    const Shape& sample_shape() const override { return sample_shape_; }
    DType sample_dtype() const override { return DType::float32; }
    std::int64_t classes() const override {
        return static_cast<std::int64_t>(set_.class_names.size());
    }
    const std::vector<std::string>& class_names() const override { return set_.class_names; }
    std::string description() const override;
    std::size_t memory_bytes() const override { return 0; }
    // Computed from the configuration alone, and in the last bits as each machine does it.
    Json identity() const override { return counts_of(*this); }
    const Shape* target_shape() const override { return set_.values ? &target_shape_ : nullptr; }
    void read(const std::int64_t* indices, std::int64_t n, void* out,
              std::int32_t* labels) const override;
    void read_targets(const std::int64_t* indices, std::int64_t n, float* out) const override;

private:
    std::int64_t class_of(std::int64_t index) const;
    std::pair<float, float> point(std::int64_t index) const;

    PointSet set_;
    Shape sample_shape_, target_shape_{1};
};

}  // namespace strata::data
