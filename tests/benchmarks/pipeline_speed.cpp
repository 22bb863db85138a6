// How well a folder of images with augmentation keeps a device busy, against the same samples in
// memory. The device is a pause of fixed length for each batch. A folder that is not there is made:
// 2,000 JPEG pictures of 256 x 256 pixels.
// Usage: pipeline_speed FOLDER [milliseconds a batch] [threads, 0 = automatic] [pixels a side]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <thread>

#include "engine/data/pipeline.h"
#include "engine/layers/augmentation.h"
#include "synthetic_images.h"

namespace {

using namespace strata;
using Clock = std::chrono::steady_clock;

// The samples of another source, read once.
class Copied : public data::Source {
public:
    explicit Copied(const data::Source& source)
        : source_(source),
          bytes_(static_cast<std::size_t>(source.size() * source.sample_shape().elements())),
          labels_(static_cast<std::size_t>(source.size())) {
        std::vector<std::int64_t> rows(labels_.size());
        std::iota(rows.begin(), rows.end(), 0);
        source.read(rows.data(), source.size(), bytes_.data(), labels_.data());
    }
    std::int64_t size() const override { return source_.size(); }
    const Shape& sample_shape() const override { return source_.sample_shape(); }
    DType sample_dtype() const override { return source_.sample_dtype(); }
    std::int64_t classes() const override { return source_.classes(); }
    const std::vector<std::string>& class_names() const override { return source_.class_names(); }
    std::string description() const override { return "a copy in memory"; }
    std::size_t memory_bytes() const override { return bytes_.size(); }
    void read(const std::int64_t* indices, std::int64_t n, void* out,
              std::int32_t* labels) const override {
        const auto size = static_cast<std::size_t>(sample_shape().elements());
        for (std::int64_t i = 0; i < n; ++i) {
            const auto row = static_cast<std::size_t>(indices[i]);
            std::memcpy(static_cast<std::byte*>(out) + static_cast<std::size_t>(i) * size,
                        bytes_.data() + row * size, size);
            labels[i] = labels_[row];
        }
    }

private:
    const data::Source& source_;
    std::vector<std::byte> bytes_;
    std::vector<std::int32_t> labels_;
};

// Samples a second over the epochs after the first.
double rate(std::shared_ptr<const data::Source> source, const data::PipelineOptions& options,
            std::chrono::duration<double, std::milli> step, const char* name) {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(source->size()));
    std::iota(rows.begin(), rows.end(), 0);
    data::Pipeline pipeline(std::move(source), rows, options);
    double samples = 0, seconds = 0;
    for (std::int64_t epoch = 0; epoch < 4; ++epoch) {
        pipeline.start_epoch(epoch);
        const auto begin = Clock::now();
        while (const data::Batch* batch = pipeline.next()) {
            if (epoch > 0) samples += static_cast<double>(batch->size);
            std::this_thread::sleep_for(step);
        }
        if (epoch > 0) seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    }
    const auto stages = pipeline.statistics();
    std::printf("%s: %.0f samples/s; %s; %s\n", name, samples / seconds,
                data::wait_text(pipeline.wait_share()).c_str(),
                data::limit_text(stages, pipeline.wait_share()).c_str());
    for (const data::StageStatistics& stage : stages)
        std::printf("    %-8s %9.0f samples/s  busy %3.0f %% of %d  queue %3.0f %% of %lld\n",
                    stage.name.c_str(), stage.samples_per_s, stage.busy * 100, stage.threads,
                    stage.fill * 100, static_cast<long long>(stage.capacity));
    return samples / seconds;
}

data::MapLayer layer(const char* type, const Json& config) {
    return {type, layers::checked_augmentation(layers::find_augmentation(type), config)};
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 2) {
        std::fprintf(stderr, "usage: pipeline_speed FOLDER [ms a batch] [threads] [pixels]\n");
        return 2;
    }
    const auto number = [&](int i, int preset) {
        return count > i ? std::atoi(arguments[i]) : preset;
    };
    const std::chrono::duration<double, std::milli> step(number(2, 20));
    const int side = number(4, 64);
    if (!std::filesystem::exists(arguments[1])) benchmarks::make_images(arguments[1], 2000, 256);
    const std::shared_ptr<const data::Source> images = data::open_source(
        {{"type", "images"}, {"folder", arguments[1]}, {"size", {side, side}}}, ".", "images");
    data::PipelineOptions options;
    options.batch_size = 32;
    options.autotune = true;
    const double memory = rate(std::make_shared<Copied>(*images), options, step, "in memory");
    options.map_threads = number(3, 0);
    options.map = {layer("RandomFlip", {{"mode", "horizontal"}}),
                   layer("RandomTranslation", {{"height_factor", 0.1}, {"width_factor", 0.1}}),
                   layer("RandomRotation", {{"factor", 0.05}})};
    const double folder = rate(images, options, step, "folder, augmented");
    std::printf("share of the rate in memory: %.1f %%\n", 100 * folder / memory);
    return 0;
}
