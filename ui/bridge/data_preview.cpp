#include "ui/bridge/data_preview.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/core/random.h"
#include "engine/data/map.h"
#include "engine/data/pipeline.h"
#include "engine/train/pipeline_json.h"

namespace strata::ui {
namespace {

constexpr std::int64_t chunk = 256;              // samples that are read at once
constexpr std::size_t largestChunk = 64U << 20;  // bytes of them
constexpr std::uint32_t lookStream = 0x4C4F4F4B;
constexpr double unequal = 10.0;  // times as many samples as the smallest class

bool isPicture(const Shape& shape) {
    return shape.rank() == 3 && (shape[2] == 1 || shape[2] == 3) && shape[0] > 1 && shape[1] > 1;
}

void widen(data::ValueRange& range, float value) {
    if (!std::isfinite(value)) return;
    range.least = std::min(range.least, value);
    range.largest = std::max(range.largest, value);
}

constexpr data::ValueRange noValues{std::numeric_limits<float>::infinity(),
                                    -std::numeric_limits<float>::infinity()};

// Values of any range as bytes: 0 to 255 as they are, 0 to 1 and -1 to 1 stretched, others by their
// own least and largest. What is not finite is 0.
Picture pictureOf(const Shape& shape, const std::vector<float>& values) {
    Picture picture{
        static_cast<int>(shape[1]), static_cast<int>(shape[0]), static_cast<int>(shape[2]), {}};
    data::ValueRange range = noValues;
    for (const float value : values) widen(range, value);
    float low = range.least, high = range.largest;
    if (low >= 0.0F && high <= 1.0F)
        low = 0.0F, high = 1.0F;
    else if (low >= -1.0F && high <= 1.0F)
        low = -1.0F, high = 1.0F;
    else if (low >= 0.0F && high <= 255.0F)
        low = 0.0F, high = 255.0F;
    const float scale = high > low ? 255.0F / (high - low) : 0.0F;
    picture.pixels.reserve(values.size());
    for (const float value : values)
        picture.pixels.push_back(std::isfinite(value)
                                     ? static_cast<std::uint8_t>(std::clamp(
                                           std::round((value - low) * scale), 0.0F, 255.0F))
                                     : std::uint8_t{0});
    return picture;
}

class Reader {
public:
    Reader(const train::RunConfig& config, const std::atomic<bool>& cancelled,
           const PreviewLimits& limits)
        : m_config(config),
          m_cancelled(cancelled),
          m_limits(limits),
          m_source(data::open_source(config.data.source, config.base, "data.source", false)) {}

    std::optional<DataPreview> read() {
        describe();
        if (m_out.size > 0) {
            readSamples();
            augment();
            count();
        }
        openTest();
        if (m_cancelled) return {};
        warn();
        return std::move(m_out);
    }

private:
    void describe() {
        m_out.description = m_source->description();
        m_out.sample_shape = m_source->sample_shape();
        m_out.dtype = m_source->sample_dtype();
        m_out.elements = m_out.sample_shape.elements();
        m_out.images = isPicture(m_out.sample_shape);
        m_out.size = m_source->size();
        m_out.labels = m_source->has_labels();
        const data::Split split = data::split_indices(m_out.size, m_config.data.validation_split);
        m_out.train = std::ssize(split.train);
        m_out.validation = std::ssize(split.validation);
        m_out.class_names = m_source->class_names();
        const auto classes =
            static_cast<std::size_t>(std::max<std::int64_t>(m_source->classes(), 0));
        for (std::size_t i = m_out.class_names.size(); i < classes; ++i)
            m_out.class_names.push_back(std::to_string(i));
        m_bytes = static_cast<std::size_t>(m_out.elements) * size_of(m_out.dtype);
        m_rows = std::clamp<std::int64_t>(
            static_cast<std::int64_t>(largestChunk / std::max<std::size_t>(m_bytes, 1)), 1, chunk);
    }

    // Rows first..first+n-1 into m_buffer and m_labels.
    void readRows(std::int64_t first, std::int64_t n) {
        std::vector<std::int64_t> indices(static_cast<std::size_t>(n));
        std::iota(indices.begin(), indices.end(), first);
        m_buffer.resize(static_cast<std::size_t>(n) * m_bytes);
        m_labels.resize(static_cast<std::size_t>(n));
        m_source->read(indices.data(), n, m_buffer.data(),
                       m_out.labels ? m_labels.data() : nullptr);
        if (m_out.labels) return;
        m_targets.resize(static_cast<std::size_t>(n * m_source->target_shape()->elements()));
        m_source->read_targets(indices.data(), n, m_targets.data());
    }

    std::vector<float> valuesOf(std::int64_t row, std::int64_t count) const {
        const auto n = static_cast<std::size_t>(std::min(count, m_out.elements));
        const std::byte* begin = m_buffer.data() + static_cast<std::size_t>(row) * m_bytes;
        if (m_out.dtype == DType::float32) {
            const auto* values = reinterpret_cast<const float*>(begin);
            return {values, values + n};
        }
        const auto* values = reinterpret_cast<const std::uint8_t*>(begin);
        return {values, values + n};
    }

    void readSamples() {
        const std::int64_t n = std::min<std::int64_t>({m_limits.samples, m_out.size, m_rows});
        readRows(0, n);
        for (std::int64_t row = 0; row < n; ++row) {
            PreviewSample sample;
            if (m_out.images)
                sample.picture = pictureOf(m_out.sample_shape, valuesOf(row, m_out.elements));
            else
                sample.values = valuesOf(row, m_limits.numbers);
            if (m_out.labels) {
                sample.label = m_labels[static_cast<std::size_t>(row)];
            } else {
                const std::int64_t width = m_source->target_shape()->elements();
                const float* targets = m_targets.data() + row * width;
                sample.targets.assign(targets,
                                      targets + std::min<std::int64_t>(width, m_limits.numbers));
            }
            m_out.samples.push_back(std::move(sample));
        }
    }

    void augment() {
        const data::PipelineOptions& pipeline = m_config.data.pipeline;
        if (pipeline.map.empty() || !m_out.images) return;
        const data::SampleMap map(pipeline.map, m_out.sample_shape, m_out.dtype,
                                  m_config.training.seed, true);
        std::vector<float> scratch(map.scratch_elements()),
            out(static_cast<std::size_t>(m_out.elements));
        for (int epoch = 0; epoch < m_limits.epochs && !m_cancelled; ++epoch) {
            map.apply(m_buffer.data(), epoch, 0, scratch.data(), out.data());
            m_out.augmented.push_back(pictureOf(m_out.sample_shape, out));
        }
    }

    template <typename Value>
    void take(const Value* values, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) widen(m_out.range, static_cast<float>(values[i]));
    }

    // Groups of neighbours in a mixed order: where the time does not do for all, the counts are of
    // a part from all over.
    void count() {
        using Clock = std::chrono::steady_clock;
        const auto end = Clock::now() + std::chrono::duration<double>(m_limits.seconds);
        std::vector<std::int64_t> groups(
            static_cast<std::size_t>((m_out.size + m_rows - 1) / m_rows));
        std::iota(groups.begin(), groups.end(), std::int64_t{0});
        for (std::size_t i = groups.size(); i > 1; --i) {
            const random::Block words = random::draw(0, lookStream, 0, i);
            const std::uint64_t bits = std::uint64_t{words[0]} << 32 | words[1];
            std::swap(groups[i - 1], groups[random::below(bits, i)]);
        }
        m_out.range = noValues;
        m_out.counts.assign(m_out.class_names.size(), 0);
        for (const std::int64_t group : groups) {
            if (m_cancelled || (m_out.looked > 0 && Clock::now() > end)) return;
            const std::int64_t n = std::min(m_rows, m_out.size - group * m_rows);
            readRows(group * m_rows, n);
            const auto values = static_cast<std::size_t>(n * m_out.elements);
            if (m_out.dtype == DType::float32)
                take(reinterpret_cast<const float*>(m_buffer.data()), values);
            else
                take(reinterpret_cast<const std::uint8_t*>(m_buffer.data()), values);
            m_out.looked += n;
            if (!m_out.labels) continue;
            for (const std::int32_t label : m_labels)
                if (label >= 0 && label < std::ssize(m_out.counts))
                    ++m_out.counts[static_cast<std::size_t>(label)];
        }
    }

    void openTest() {
        if (!m_config.data.test.is_object() || m_cancelled) return;
        try {
            m_out.test =
                data::open_source(m_config.data.test, m_config.base, "data.test", false)->size();
        } catch (const Error& error) {
            m_out.test_fault = error;
        }
    }

    void warn() {
        std::vector<std::string>& all = m_out.warnings;
        all = m_source->warnings();
        for (std::string& line : train::pipeline_warnings(m_config.data))
            all.push_back(std::move(line));
        if (m_out.size == 0) return;
        warnOfModel(all);
        if (m_out.counts.size() < 2) return;
        const auto [fewest, most] = std::minmax_element(m_out.counts.begin(), m_out.counts.end());
        const auto name = [&](auto it) {
            return m_out.class_names[static_cast<std::size_t>(it - m_out.counts.begin())];
        };
        if (*fewest == 0 && m_out.looked == m_out.size)
            all.push_back("The class '" + name(fewest) + "' has no sample");
        else if (static_cast<double>(*most) > unequal * static_cast<double>(*fewest) && *fewest > 0)
            all.push_back("The classes are unequal: '" + name(most) + "' has " +
                          std::to_string(*most / *fewest) + " times as many samples as '" +
                          name(fewest) + "'");
    }

    void warnOfModel(std::vector<std::string>& all) const {
        const graph::LayerNode* input = nullptr;
        bool scaled = false;
        for (const graph::LayerNode& layer : m_config.model.layers) {
            const std::string& type = layer.type->spec.type;
            if (type == "InputLayer") input = &layer;
            if (type == "Rescaling" || type == "BatchNormalization") scaled = true;
        }
        if (input == nullptr) return;
        const Shape wanted(input->config.shape("shape"));
        if (wanted != m_out.sample_shape)
            all.push_back("The samples are " + m_out.sample_shape.text() +
                          ", the model's input is " + wanted.text());
        else if (!scaled && m_out.range.largest > 16.0F)
            all.push_back(
                "The values reach far above 1 and the model does not scale them: put a "
                "Rescaling layer behind the input");
    }

    const train::RunConfig& m_config;
    const std::atomic<bool>& m_cancelled;
    const PreviewLimits& m_limits;
    std::shared_ptr<data::Source> m_source;
    DataPreview m_out;
    std::size_t m_bytes = 0;  // of a sample
    std::int64_t m_rows = 1;  // that are read at once
    std::vector<std::byte> m_buffer;
    std::vector<std::int32_t> m_labels;
    std::vector<float> m_targets;
};

}  // namespace

std::optional<DataPreview> previewData(const train::RunConfig& config,
                                       const std::atomic<bool>& cancelled,
                                       const PreviewLimits& limits) {
    if (!config.data.source.is_object() || cancelled) return {};
    return Reader(config, cancelled, limits).read();
}

}  // namespace strata::ui
