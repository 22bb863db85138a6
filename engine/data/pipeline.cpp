#include "engine/data/pipeline.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "engine/core/error.h"

namespace strata::data {

// Batches b of an epoch live in slot b % slots.size(). The producer fills ahead of the consumer by
// at most the number of slots; one slot is always the one that the consumer reads.
struct Pipeline::Impl {
    std::shared_ptr<const Source> source;
    std::vector<std::int64_t> rows;
    PipelineOptions options;
    std::int64_t batches = 0;
    std::size_t sample_bytes = 0;

    std::vector<std::int64_t> order;  // rows of the source, of the running epoch
    std::vector<Batch> slots;
    std::int64_t given = 0;  // the next batch that next() returns

    std::mutex mutex;  // guards what follows
    std::condition_variable filled, freed;
    std::int64_t produced = 0, released = 0;  // batches, counted from the epoch's start
    bool consumer_waits = false, stopping = false;
    std::exception_ptr failure;

    double waited = 0.0;  // seconds
    std::thread worker;

    std::int64_t size_of_batch(std::int64_t batch) const {
        return std::min(options.batch_size,
                        static_cast<std::int64_t>(rows.size()) - batch * options.batch_size);
    }

    void make_order(std::int64_t epoch) {
        source->require_unchanged();
        order = epoch_order(static_cast<std::int64_t>(rows.size()), options, epoch);
        for (std::int64_t& place : order) place = rows[static_cast<std::size_t>(place)];
    }

    Batch& slot(std::int64_t batch) {
        return slots[static_cast<std::size_t>(batch) % slots.size()];
    }

    void fill(std::int64_t batch) {
        Batch& out = slot(batch);
        out.size = size_of_batch(batch);
        out.first_sample = batch * options.batch_size;
        const auto n = static_cast<std::size_t>(out.size);
        out.samples.resize(n * sample_bytes);
        out.labels.resize(n);
        source->read(order.data() + out.first_sample, out.size, out.samples.data(),
                     out.labels.data());
    }

    void produce(std::int64_t epoch, std::int64_t first) noexcept {
        try {
            make_order(epoch);
            for (std::int64_t batch = first; batch < batches; ++batch) {
                std::unique_lock lock(mutex);
                freed.wait(lock, [&] { return stopping || batch - released < room(); });
                if (stopping) return;
                lock.unlock();
                fill(batch);
                lock.lock();
                produced = batch + 1;
                if (consumer_waits) filled.notify_one();
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
            filled.notify_one();
        }
    }

    std::int64_t room() const { return static_cast<std::int64_t>(slots.size()); }

    void stop() {
        if (!worker.joinable()) return;
        {
            const std::lock_guard lock(mutex);
            stopping = true;
        }
        freed.notify_one();
        worker.join();
        stopping = false;
    }

    // Gives back the consumer's slot and waits for batch `given`, or rethrows what ended the
    // producer before it. The producer is woken when half of the slots are free, not for each of
    // them: it then fills several in one go.
    void take() {
        std::unique_lock lock(mutex);
        released = given;
        if (2 * (room() - (produced - released)) >= room()) freed.notify_one();
        if (produced > given) return;
        const auto begin = std::chrono::steady_clock::now();
        consumer_waits = true;
        filled.wait(lock, [&] { return produced > given || failure; });
        consumer_waits = false;
        waited += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (produced <= given) std::rethrow_exception(failure);
    }
};

Pipeline::Pipeline(std::shared_ptr<const Source> source, std::vector<std::int64_t> rows,
                   PipelineOptions options)
    : impl_(std::make_unique<Impl>()) {
    if (options.batch_size < 1)
        throw Error(ErrorCode::invalid_argument, "must be at least 1", "batch_size",
                    "64 is a usual value");
    impl_->sample_bytes = static_cast<std::size_t>(source->sample_shape().elements()) *
                          size_of(source->sample_dtype());
    const auto count = static_cast<std::int64_t>(rows.size());
    impl_->batches = options.drop_remainder ? count / options.batch_size
                                            : (count + options.batch_size - 1) / options.batch_size;
    impl_->given = impl_->batches;  // nothing to give before start_epoch
    impl_->source = std::move(source);
    impl_->rows = std::move(rows);
    impl_->options = options;
    impl_->slots.resize(static_cast<std::size_t>(std::max<std::int64_t>(options.prefetch, 0)) + 1);
    const auto largest = static_cast<std::size_t>(std::min(options.batch_size, count));
    for (Batch& batch : impl_->slots) {
        batch.samples.reserve(largest * impl_->sample_bytes);
        batch.labels.reserve(largest);
    }
}

Pipeline::~Pipeline() {
    impl_->stop();
}

std::int64_t Pipeline::batches_per_epoch() const {
    return impl_->batches;
}

std::int64_t Pipeline::samples_per_epoch() const {
    const auto count = static_cast<std::int64_t>(impl_->rows.size());
    return impl_->options.drop_remainder ? impl_->batches * impl_->options.batch_size : count;
}

std::int64_t Pipeline::last_batch_size() const {
    return impl_->batches == 0 ? 0 : impl_->size_of_batch(impl_->batches - 1);
}

void Pipeline::start_epoch(std::int64_t epoch, std::int64_t first_batch) {
    impl_->stop();
    const std::int64_t first = std::clamp<std::int64_t>(first_batch, 0, impl_->batches);
    impl_->given = impl_->produced = impl_->released = first;
    impl_->failure = nullptr;
    impl_->waited = 0.0;
    if (impl_->options.prefetch > 0)
        impl_->worker = std::thread([this, epoch, first] { impl_->produce(epoch, first); });
    else
        impl_->make_order(epoch);
}

const Batch* Pipeline::next() {
    Impl& impl = *impl_;
    if (impl.given >= impl.batches) return nullptr;
    if (impl.options.prefetch > 0) {
        impl.take();
    } else {
        const auto begin = std::chrono::steady_clock::now();
        impl.fill(impl.given);
        impl.waited +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    return &impl.slot(impl.given++);
}

double Pipeline::wait_seconds() const {
    return impl_->waited;
}

}  // namespace strata::data
