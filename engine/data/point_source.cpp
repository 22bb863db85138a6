#include "engine/data/point_source.h"

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/core/text.h"

namespace strata::data {
namespace {

constexpr std::uint32_t points_stream = 0x504F4953;  // apart from the layers' numbers

// Two normal numbers from two words (Box and Muller 1958).
std::pair<double, double> normals(std::uint32_t a, std::uint32_t b) {
    const double radius = std::sqrt(-2.0 * std::log((a + 1.0) * 0x1p-32));
    const double angle = 2.0 * std::numbers::pi * (b * 0x1p-32);
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace

PointSource::PointSource(PointSet set)
    : set_(std::move(set)), sample_shape_({set_.values ? 1 : 2}) {}

std::string PointSource::description() const {
    if (set_.values) return counted(set_.count, "value y of x", "values y of x");
    return counted(set_.count, "point (x, y)", "points (x, y)") + ", " +
           counted(classes(), "class", "classes");
}

std::int64_t PointSource::class_of(std::int64_t index) const {
    return set_.class_names.empty() ? 0 : index % classes();
}

std::pair<float, float> PointSource::point(std::int64_t index) const {
    if (index < 0 || index >= set_.count)
        throw Error(ErrorCode::internal, "sample " + std::to_string(index) + " of " +
                                             std::to_string(set_.count) + " was asked for");
    const auto words = random::draw(set_.seed, points_stream, 0, static_cast<std::uint64_t>(index));
    const auto [x, y] = set_.place(class_of(index), random::uniform(words[0]));
    const auto [first, second] = normals(words[1], words[2]);
    const double noise_x = set_.values ? 0.0 : set_.noise * first;
    return {static_cast<float>(x + noise_x), static_cast<float>(y + set_.noise * second)};
}

void PointSource::read(const std::int64_t* indices, std::int64_t n, void* out,
                       std::int32_t* labels) const {
    auto* to = static_cast<float*>(out);
    for (std::int64_t i = 0; i < n; ++i) {
        const auto [x, y] = point(indices[i]);
        *to++ = x;
        if (set_.values) continue;
        *to++ = y;
        labels[i] = static_cast<std::int32_t>(class_of(indices[i]));
    }
}

void PointSource::read_targets(const std::int64_t* indices, std::int64_t n, float* out) const {
    if (!set_.values) return Source::read_targets(indices, n, out);
    for (std::int64_t i = 0; i < n; ++i) out[i] = point(indices[i]).second;
}

}  // namespace strata::data
