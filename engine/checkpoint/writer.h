// Writes checkpoints on a thread of its own while training goes on. The only caller: the trainer.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/retention.h"
#include "engine/core/error.h"

namespace strata::io {
class AtomicFile;
}

namespace strata::checkpoint {

// One file of a snapshot.
struct Target {
    std::string path;  // or a name in the writer's directory
    bool best = false;
    bool rotate = false;  // a file of the pattern: older ones go by `retention`
};

// What became of one file.
struct Written {
    std::string path;
    bool checkpoint = true;   // no: of commit()
    std::int64_t update = 0;  // optimizer updates behind it
    bool best = false;
    std::optional<Error> failure;      // the file of that name is as it was then
    std::vector<std::string> removed;  // older checkpoints that had to go
    double seconds = 0.0;
};

// Holds at most two snapshots: one being written, one waiting. The thread has a low priority and
// takes no signals. One thread may call it.
class Writer {
public:
    // directory: where targets with a relative path belong.
    explicit Writer(std::string directory = {}, std::shared_ptr<Retention> retention = nullptr);
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer();  // writes what was submitted

    // Buffers of a snapshot that was written, to be filled again; empty where there is none.
    std::vector<graph::HostTensor> buffers();

    // Returns at once where no snapshot waits. Else the one that waits gives way where each of its
    // files would be written over by this one and is not the best; or this call waits for its turn.
    void submit(Snapshot snapshot, std::vector<Target> targets);

    // Commits the file on the thread, before what is submitted later. Only its failure is told.
    void commit(std::unique_ptr<io::AtomicFile> file);

    // What was written since the last call, in order.
    std::vector<Written> finished();
    bool idle() const;
    void flush();  // waits until all is written

private:
    struct Job {
        Snapshot snapshot;
        std::vector<Target> targets;
    };

    void work();
    void commit_files(std::unique_lock<std::mutex>& lock);
    Written write_one(Snapshot& snapshot, const Target& target) const;
    static bool gives_way(const Job& older, const std::vector<Target>& newer);

    const std::string directory_;
    const std::shared_ptr<Retention> retention_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Job> waiting_;
    std::vector<std::unique_ptr<io::AtomicFile>> files_;  // to be committed
    bool writing_ = false, ending_ = false;
    std::vector<Written> finished_;
    std::vector<std::vector<graph::HostTensor>> spare_;
    std::thread thread_;
};

}  // namespace strata::checkpoint
