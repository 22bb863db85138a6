// The threads of a placed model's devices and what they wait for each other by.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/parallel/local_group.h"
#include "engine/parallel/placed_model.h"
#include "engine/parallel/progress.h"
#include "engine/parallel/workers.h"

namespace strata::parallel {

class Team {
public:
    explicit Team(const PlacedModel& model);

    // work(replica, device) on the thread of each device; returns when all have ended. Throws what
    // the first of them threw; the others then end, too, and the team can work no more.
    // meanwhile: on the caller's thread.
    void run(const std::function<void(int replica, int device)>& work,
             const std::function<void()>& meanwhile = nullptr);
    // What else has to end where one fails: first, while the exception is being handled.
    void on_failure(std::function<void()> f) { on_failure_ = std::move(f); }

    Progress& progress(int replica) { return *progress_[static_cast<std::size_t>(replica)]; }
    // The replicas of a device.
    Communicator& replicas(int replica, int device) {
        return replicas_[static_cast<std::size_t>(device)]->rank(replica);
    }
    // All devices of all replicas.
    Communicator& all(int replica, int device) { return all_.rank(replica * devices_ + device); }

private:
    void fail();

    int devices_;
    std::function<void()> on_failure_;
    std::vector<std::unique_ptr<Progress>> progress_;
    std::vector<std::unique_ptr<LocalGroup>> replicas_;
    LocalGroup all_;
    Workers workers_;  // last: ends first
};

}  // namespace strata::parallel
