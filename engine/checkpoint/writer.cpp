#include "engine/checkpoint/writer.h"

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <new>
#include <utility>

#include "engine/io/atomic_file.h"

namespace strata::checkpoint {
namespace {

constexpr std::size_t most_spare = 2;

// Signals are for the threads that wait for them.
class WithoutSignals {
public:
    WithoutSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    WithoutSignals(const WithoutSignals&) = delete;
    WithoutSignals& operator=(const WithoutSignals&) = delete;
    ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_;
};

// Of this thread alone: Linux keeps a priority for each. Not the lowest, with which a checkpoint
// would hardly get on where others keep the machine busy. If it is refused, all goes on as well.
void take_low_priority() {
    static_cast<void>(::setpriority(PRIO_PROCESS, 0, 10));
}

}  // namespace

Writer::Writer(std::string directory, std::shared_ptr<Retention> retention)
    : directory_(std::move(directory)), retention_(std::move(retention)) {
    const WithoutSignals masked;
    thread_ = std::thread([this] { work(); });
}

Writer::~Writer() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

std::vector<graph::HostTensor> Writer::buffers() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return {};
    std::vector<graph::HostTensor> tensors = std::move(spare_.back());
    spare_.pop_back();
    return tensors;
}

bool Writer::gives_way(const Job& older, const std::vector<Target>& newer) {
    return std::all_of(older.targets.begin(), older.targets.end(), [&](const Target& target) {
        return !target.best && std::any_of(newer.begin(), newer.end(), [&](const Target& other) {
            return other.path == target.path;
        });
    });
}

void Writer::submit(Snapshot snapshot, std::vector<Target> targets) {
    {
        std::unique_lock lock(mutex_);
        if (waiting_ && !gives_way(*waiting_, targets))
            changed_.wait(lock, [this] { return !waiting_; });
        if (waiting_ && spare_.size() < most_spare)
            spare_.push_back(std::move(waiting_->snapshot.tensors));
        waiting_.emplace(Job{std::move(snapshot), std::move(targets)});
    }
    changed_.notify_all();
}

void Writer::commit(std::unique_ptr<io::AtomicFile> file) {
    {
        const std::lock_guard lock(mutex_);
        files_.push_back(std::move(file));
    }
    changed_.notify_all();
}

std::vector<Written> Writer::finished() {
    const std::lock_guard lock(mutex_);
    return std::exchange(finished_, {});
}

bool Writer::idle() const {
    const std::lock_guard lock(mutex_);
    return !waiting_ && !writing_ && files_.empty();
}

void Writer::flush() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !waiting_ && !writing_ && files_.empty(); });
}

void Writer::commit_files(std::unique_lock<std::mutex>& lock) {
    while (!files_.empty()) {
        const std::unique_ptr<io::AtomicFile> file = std::move(files_.front());
        files_.erase(files_.begin());
        writing_ = true;
        lock.unlock();
        Written result;
        result.path = file->target().string();
        result.checkpoint = false;
        try {
            file->commit();
        } catch (const Error& error) {
            result.failure = error;
        }
        lock.lock();
        writing_ = false;
        if (result.failure) finished_.push_back(std::move(result));
        changed_.notify_all();
    }
}

Written Writer::write_one(Snapshot& snapshot, const Target& target) const {
    const auto begin = std::chrono::steady_clock::now();
    Written result;
    result.path = (std::filesystem::path(directory_) / target.path).string();
    result.update = snapshot.state.update;
    result.best = target.best;
    try {
        write(snapshot, result.path);
        if (target.rotate && retention_) result.removed = retention_->written(result.path);
    } catch (const Error& error) {
        result.failure = error;
    } catch (const std::bad_alloc&) {
        result.failure = Error(ErrorCode::out_of_memory, "there is not enough memory to write it",
                               result.path, "Use a smaller batch or close other programs");
    } catch (const std::exception& error) {
        result.failure = Error(ErrorCode::internal, error.what(), result.path);
    }
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

void Writer::work() {
    take_low_priority();
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return waiting_ || !files_.empty() || ending_; });
        commit_files(lock);
        if (!waiting_ && ending_) return;
        if (!waiting_) continue;
        Job job = std::move(*waiting_);
        waiting_.reset();
        writing_ = true;
        lock.unlock();
        changed_.notify_all();
        for (const Target& target : job.targets) {
            Written result = write_one(job.snapshot, target);
            const std::lock_guard again(mutex_);
            finished_.push_back(std::move(result));
        }
        lock.lock();
        if (spare_.size() < most_spare) spare_.push_back(std::move(job.snapshot.tensors));
        writing_ = false;
        changed_.notify_all();
    }
}

}  // namespace strata::checkpoint
