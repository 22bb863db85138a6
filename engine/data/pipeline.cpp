#include "engine/data/pipeline.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <system_error>
#include <thread>

#include "engine/core/error.h"
#include "engine/data/autotune.h"
#include "engine/data/batch_filler.h"
#include "engine/data/batch_queue.h"

namespace strata::data {
namespace {

using Clock = StageMeter::Clock;

constexpr int most_threads = 16;            // that autotuning starts
constexpr std::int64_t most_buffers = 64;   // that it holds
constexpr double window_seconds = 0.1;      // between two of its decisions, at least
constexpr std::int64_t window_batches = 4;  // likewise

double seconds_between(Clock::time_point begin, Clock::time_point end) {
    return std::chrono::duration<double>(end - begin).count();
}

std::int64_t batches_of(std::int64_t count, std::int64_t batch_size, bool drop_remainder) {
    return (drop_remainder ? count : count + batch_size - 1) / batch_size;
}

}  // namespace

struct Pipeline::Impl {
    PipelineOptions options;
    DType dtype = DType::float32;
    std::int64_t all_batches = 0, own_samples = 0, batches = 0;  // batches: of this shard
    std::unique_ptr<BatchFiller> filler;
    std::unique_ptr<BatchQueue> queue;
    std::optional<Autotune> tuner;
    bool inline_mode = false;  // batches are made in next()

    std::int64_t epoch = 0;
    std::vector<std::thread> threads;
    std::vector<BatchFiller::Desk> desks;  // one a thread

    std::atomic<int> active{1};
    std::atomic<double> waited{0.0};
    std::atomic<Clock::time_point> begin{Clock::time_point{}}, end{Clock::time_point{}};
    // The window that the tuner looks at next.
    Clock::time_point window_begin;
    double window_waited = 0.0, window_busy = 0.0;
    std::int64_t window_batch = 0;

    // ---- making it

    void count_batches() {
        const Shard& shard = options.shard;
        all_batches =
            batches_of(filler->count(), options.batch_size * shard.count, options.drop_remainder);
        own_samples =
            options.drop_remainder ? all_batches * options.batch_size : shard.size(filler->count());
        batches = batches_of(own_samples, options.batch_size, false);
    }

    void set_up_threads() {
        const std::size_t one = filler->sample_bytes() +
                                std::max(sizeof(std::int32_t), filler->targets() * sizeof(float));
        const std::int64_t batch_bytes =
            std::max<std::int64_t>(1, std::min(options.batch_size, own_samples)) *
            static_cast<std::int64_t>(one);
        const std::int64_t bound =
            std::clamp<std::int64_t>(static_cast<std::int64_t>(options.memory_bound) /
                                         std::max<std::int64_t>(batch_bytes, 1),
                                     2, std::max<std::int64_t>(batches, 2) + 1);
        TuneLimits limits;
        Tuning start;
        limits.fixed_threads =
            options.map_threads > 0 || filler->is_cheap() || options.prefetch <= 0;
        start.threads = std::max(1, options.map_threads);
        limits.threads =
            limits.fixed_threads ? start.threads : std::min(most_threads, usable_cores());
        const std::int64_t wanted = std::max<std::int64_t>(options.prefetch, 0) + 1;
        limits.buffers = options.autotune ? std::min(most_buffers, bound) : std::min(wanted, bound);
        start.buffers =
            options.autotune ? std::min<std::int64_t>(3, limits.buffers) : limits.buffers;
        inline_mode = options.prefetch <= 0 && start.threads <= 1;
        queue =
            std::make_unique<BatchQueue>(own_samples, batches, options.batch_size, options.shard,
                                         filler->sample_bytes(), filler->targets(), limits.buffers);
        queue->grow(start.buffers);
        if (limits.threads > 1)
            queue->set_part_size(
                std::max<std::int64_t>(1, options.batch_size / (2 * std::int64_t{limits.threads})));
        tuner.emplace(limits, start);
        threads.reserve(static_cast<std::size_t>(limits.threads));
        desks.resize(static_cast<std::size_t>(limits.threads));
        if (inline_mode) filler->prepare(desks[0], queue->part_size());
        active = start.threads;
    }

    // ---- filling

    // Fills one part; false where there is none.
    bool work_once(int worker) noexcept {
        const BatchQueue::Part part = queue->claim(worker);
        if (!part) return false;
        try {
            filler->fill(part, desks[static_cast<std::size_t>(worker)]);
            queue->finish(part);
        } catch (...) {
            queue->fail(part.batch);
        }
        return true;
    }

    void work(int worker, std::int64_t first_batch) noexcept {
        if (worker == 0) {
            try {
                filler->start_epoch(epoch);
                queue->open(true);
            } catch (...) {
                queue->fail(first_batch);
            }
        }
        while (work_once(worker)) {
        }
    }

    // ---- threads

    // False where the system gives no more of them.
    bool start_thread(std::int64_t first_batch) {
        const int worker = static_cast<int>(threads.size());
        filler->prepare(desks[static_cast<std::size_t>(worker)], queue->part_size());
        try {
            threads.emplace_back([this, worker, first_batch] { work(worker, first_batch); });
            return true;
        } catch (const std::system_error&) {
            return false;
        }
    }

    void stop() {
        queue->stop();
        for (std::thread& thread : threads) thread.join();
        threads.clear();
    }

    void begin_window() {
        window_begin = Clock::now();
        window_waited = waited;
        window_busy = filler->busy_seconds();
        window_batch = queue->given();
    }

    void tune() {
        const std::int64_t taken = queue->given() - window_batch;
        const double seconds = seconds_between(window_begin, Clock::now());
        if (taken < window_batches || seconds < window_seconds) return;
        TuneWindow window;
        window.seconds = seconds;
        window.waited = waited - window_waited;
        window.samples = static_cast<double>(taken * options.batch_size);
        window.busy = (filler->busy_seconds() - window_busy) / (seconds * active);
        const Tuning tuning = tuner->next(window);
        if (tuning.buffers > queue->slots()) queue->grow(tuning.buffers);
        set_threads(tuning.threads);
        begin_window();
    }

    void set_threads(int wanted) {
        while (static_cast<int>(threads.size()) < wanted)
            if (!start_thread(0)) break;
        const int now = std::min(wanted, std::max(1, static_cast<int>(threads.size())));
        if (now == active) return;
        active = now;
        queue->set_active(now);
    }

    // ---- the consumer

    void start(std::int64_t new_epoch, std::int64_t first_batch) {
        stop();
        epoch = new_epoch;
        const std::int64_t first = std::clamp<std::int64_t>(first_batch, 0, batches);
        filler->reset_meters();
        waited = 0.0;
        begin = Clock::now();
        end = Clock::time_point{};
        queue->start(first);
        tuner->start_epoch();
        begin_window();
        if (inline_mode) {
            filler->start_epoch(epoch);
            queue->open(true);
            return;
        }
        const int wanted = tuner->tuning().threads;
        if (!start_thread(first))
            throw Error(ErrorCode::io, "cannot start a thread that reads data", "data.pipeline",
                        "End other programs, or leave the stage prefetch out");
        active = 1;
        queue->set_active(1);
        set_threads(wanted);
    }

    const Batch* next() {
        double now_waited = waited;
        if (inline_mode) {
            queue->release();
            const auto fill_begin = Clock::now();
            work_once(0);
            now_waited += seconds_between(fill_begin, Clock::now());
        }
        const Batch* batch = queue->take(now_waited);
        waited = now_waited;
        if (batch == nullptr) {
            if (end.load() == Clock::time_point{}) end = Clock::now();
            return nullptr;
        }
        if (!inline_mode) tune();
        return batch;
    }

    double seconds() const {
        const Clock::time_point from = begin, to = end;
        if (from == Clock::time_point{}) return 0.0;
        return seconds_between(from, to == Clock::time_point{} ? Clock::now() : to);
    }
};

Pipeline::Pipeline(std::shared_ptr<const Source> source, std::vector<std::int64_t> rows,
                   PipelineOptions options)
    : impl_(std::make_unique<Impl>()) {
    if (options.batch_size < 1)
        throw Error(ErrorCode::invalid_argument, "must be at least 1", "batch_size",
                    "64 is a usual value");
    impl_->dtype = options.map.empty() ? source->sample_dtype() : DType::float32;
    impl_->filler = std::make_unique<BatchFiller>(std::move(source), std::move(rows), options);
    impl_->options = std::move(options);
    impl_->count_batches();
    impl_->set_up_threads();
}

Pipeline::~Pipeline() {
    if (impl_->queue) impl_->stop();
}

std::int64_t Pipeline::batches_per_epoch() const {
    return impl_->all_batches;
}

std::int64_t Pipeline::rows() const {
    return impl_->filler->count();
}

std::int64_t Pipeline::samples_per_epoch() const {
    return impl_->options.drop_remainder
               ? impl_->all_batches * impl_->options.batch_size * impl_->options.shard.count
               : impl_->filler->count();
}

std::int64_t Pipeline::own_samples_per_epoch() const {
    return impl_->own_samples;
}

std::int64_t Pipeline::last_batch_size() const {
    return impl_->batches == 0 ? 0 : impl_->queue->size_of(impl_->batches - 1);
}

DType Pipeline::sample_dtype() const {
    return impl_->dtype;
}

void Pipeline::start_epoch(std::int64_t epoch, std::int64_t first_batch) {
    impl_->start(epoch, first_batch);
}

const Batch* Pipeline::next() {
    return impl_->next();
}

bool Pipeline::ready() const {
    return !impl_->inline_mode && impl_->queue->ready();
}

double Pipeline::wait_seconds() const {
    return impl_->waited;
}

double Pipeline::wait_share() const {
    const double seconds = impl_->seconds();
    return seconds > 0 ? std::min(1.0, impl_->waited / seconds) : 0.0;
}

std::vector<StageStatistics> Pipeline::statistics() const {
    const Impl& impl = *impl_;
    const BatchQueue::State queue = impl.queue->state();
    const auto share = [](std::int64_t part, std::int64_t whole) {
        return whole > 0 ? std::min(1.0, static_cast<double>(part) / static_cast<double>(whole))
                         : 0.0;
    };
    std::vector<StageStatistics> all = impl.filler->statistics(
        impl.active, impl.seconds(),
        (queue.given + queue.ready) * impl.options.batch_size * impl.options.shard.count);
    StageStatistics batch;
    batch.name = "batch";
    batch.capacity = queue.begun * impl.options.batch_size;
    batch.fill = share(queue.filled, queue.wanted);
    all.push_back(std::move(batch));
    if (impl.options.prefetch <= 0) return all;
    StageStatistics prefetch;
    prefetch.name = "prefetch";
    prefetch.capacity = queue.slots - 1;
    prefetch.fill = share(queue.ready, prefetch.capacity);
    all.push_back(std::move(prefetch));
    return all;
}

}  // namespace strata::data
