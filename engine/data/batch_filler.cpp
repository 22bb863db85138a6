#include "engine/data/batch_filler.h"

#include <algorithm>

namespace strata::data {

BatchFiller::BatchFiller(std::shared_ptr<const Source> source, std::vector<std::int64_t> rows,
                         const PipelineOptions& options)
    : source_(std::move(source)), rows_(std::move(rows)), options_(options) {
    const Shape& shape = source_->sample_shape();
    const auto elements = static_cast<std::size_t>(shape.elements());
    raw_bytes_ = elements * size_of(source_->sample_dtype());
    sample_bytes_ = raw_bytes_;
    if (!options.map.empty()) {
        map_.emplace(options.map, shape, source_->sample_dtype(), options.seed, options.augment);
        sample_bytes_ = elements * sizeof(float);
    }
    const Shape* target = source_->target_shape();
    targets_ = target == nullptr ? 0 : static_cast<std::size_t>(target->elements());
    note_bytes_ = target == nullptr ? sizeof(std::int32_t) : targets_ * sizeof(float);
    const bool needed = options.cache && (is_frozen() || !source_->in_memory() ||
                                          options.cache_place == CachePlace::disk);
    if (needed && count() > 0)
        cache_ = std::make_unique<SampleCache>(
            options.cache_place, count(), is_frozen() ? sample_bytes_ : raw_bytes_, note_bytes_);
}

void BatchFiller::start_epoch(std::int64_t epoch) {
    source_->require_unchanged();
    const StageTimer timer(shuffle_meter_, count());
    epoch_ = epoch;
    order_ = epoch_order(count(), options_, epoch);
}

void BatchFiller::reset_meters() {
    for (StageMeter* meter : {&source_meter_, &cache_meter_, &shuffle_meter_, &map_meter_})
        meter->reset();
}

BatchFiller::Place BatchFiller::offset(const Place& out, std::int64_t n, std::size_t bytes) const {
    return {out.samples + static_cast<std::size_t>(n) * bytes,
            out.notes + static_cast<std::size_t>(n) * note_bytes_};
}

// Each run of places that the cache has, or has not: visit(first, n, it has them).
template <typename Visit>
void BatchFiller::for_runs(std::int64_t first, std::int64_t n, const Visit& visit) const {
    for (std::int64_t begin = first; begin < first + n;) {
        const bool cached = cache_->has(at(begin));
        std::int64_t end = begin + 1;
        while (end < first + n && cache_->has(at(end)) == cached) ++end;
        visit(begin, end - begin, cached);
        begin = end;
    }
}

void BatchFiller::read_source(std::int64_t first, std::int64_t n, Desk& desk, const Place& out) {
    std::int64_t* read = desk.rows.data();
    for (std::int64_t i = 0; i < n; ++i) read[i] = rows_[static_cast<std::size_t>(at(first + i))];
    const StageTimer timer(source_meter_, n);
    if (targets_ == 0) {
        source_->read(read, n, out.samples, reinterpret_cast<std::int32_t*>(out.notes));
    } else {
        source_->read(read, n, out.samples, nullptr);
        source_->read_targets(read, n, reinterpret_cast<float*>(out.notes));
    }
}

void BatchFiller::read_cached(std::int64_t first, std::int64_t n, std::size_t bytes,
                              const Place& out) {
    const StageTimer timer(cache_meter_, n);
    for (std::int64_t i = 0; i < n; ++i) {
        const Place place = offset(out, i, bytes);
        cache_->get(at(first + i), place.samples, place.notes);
    }
}

void BatchFiller::keep(std::int64_t first, std::int64_t n, std::size_t bytes,
                       const Place& samples) {
    const StageTimer timer(cache_meter_, n);
    for (std::int64_t i = 0; i < n; ++i) {
        const Place place = offset(samples, i, bytes);
        cache_->put(at(first + i), place.samples, place.notes);
    }
}

// Samples as the source has them.
void BatchFiller::read_raw(std::int64_t first, std::int64_t n, Desk& desk, const Place& out) {
    if (!cache_ || is_frozen()) return read_source(first, n, desk, out);
    for_runs(first, n, [&](std::int64_t begin, std::int64_t count, bool cached) {
        const Place place = offset(out, begin - first, raw_bytes_);
        if (cached) return read_cached(begin, count, raw_bytes_, place);
        read_source(begin, count, desk, place);
        keep(begin, count, raw_bytes_, place);
    });
}

void BatchFiller::read_mapped(std::int64_t first, std::int64_t n, Desk& desk, const Place& out) {
    std::byte* raw = desk.raw.data();
    float* scratch = desk.map_scratch.data();
    read_raw(first, n, desk, {raw, out.notes});
    const StageTimer timer(map_meter_, n);
    for (std::int64_t i = 0; i < n; ++i) {
        // What is frozen must not depend on the epoch in which it happened to be read.
        const std::int64_t epoch = is_frozen() ? 0 : epoch_;
        const std::int64_t index = is_frozen() ? at(first + i) : options_.shard.position(first + i);
        const auto sample = static_cast<std::size_t>(i);
        map_->apply(raw + sample * raw_bytes_, epoch, index, scratch,
                    reinterpret_cast<float*>(out.samples + sample * sample_bytes_));
    }
}

void BatchFiller::prepare(Desk& desk, std::int64_t part_size) const {
    desk.rows.resize(static_cast<std::size_t>(part_size));
    if (!map_) return;
    desk.raw.resize(static_cast<std::size_t>(part_size) * raw_bytes_);
    desk.map_scratch.resize(map_->scratch_elements());
}

void BatchFiller::fill(const BatchQueue::Part& part, Desk& desk) {
    Batch& batch = *part.target;
    auto* notes = targets_ == 0 ? reinterpret_cast<std::byte*>(batch.labels.data())
                                : reinterpret_cast<std::byte*>(batch.targets.data());
    const Place out = offset({batch.samples.data(), notes}, part.offset, sample_bytes_);
    if (!map_) return read_raw(part.first, part.count, desk, out);
    if (!cache_ || !is_frozen()) return read_mapped(part.first, part.count, desk, out);
    for_runs(part.first, part.count, [&](std::int64_t begin, std::int64_t n, bool cached) {
        const Place place = offset(out, begin - part.first, sample_bytes_);
        if (cached) return read_cached(begin, n, sample_bytes_, place);
        read_mapped(begin, n, desk, place);
        keep(begin, n, sample_bytes_, place);
    });
}

double BatchFiller::busy_seconds() const {
    return source_meter_.busy_seconds() + cache_meter_.busy_seconds() + map_meter_.busy_seconds();
}

StageStatistics BatchFiller::cache_statistics(int threads, double seconds) const {
    StageStatistics stage = statistics_of("cache", cache_meter_, threads, seconds);
    stage.capacity = cache_->capacity();
    stage.fill = static_cast<double>(cache_->count()) / static_cast<double>(cache_->capacity());
    return stage;
}

std::vector<StageStatistics> BatchFiller::statistics(int threads, double seconds,
                                                     std::int64_t given) const {
    std::vector<StageStatistics> all{statistics_of("source", source_meter_, threads, seconds)};
    if (cache_ && !is_frozen()) all.push_back(cache_statistics(threads, seconds));
    if (options_.shuffle && count() > 0) {
        StageStatistics stage = statistics_of("shuffle", shuffle_meter_, 1, seconds);
        stage.capacity =
            options_.shuffle_buffer > 0 ? std::min(options_.shuffle_buffer, count()) : count();
        const std::int64_t left = std::clamp<std::int64_t>(count() - given, 0, stage.capacity);
        stage.fill = static_cast<double>(left) / static_cast<double>(stage.capacity);
        all.push_back(std::move(stage));
    }
    if (map_) all.push_back(statistics_of("map", map_meter_, threads, seconds));
    if (cache_ && is_frozen()) all.push_back(cache_statistics(threads, seconds));
    return all;
}

}  // namespace strata::data
