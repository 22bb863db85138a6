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
    void run(const std::function<void(int replica, int device)>& work);

    Progress& progress(int replica) { return *progress_[static_cast<std::size_t>(replica)]; }
    // The devices of a replica.
    Communicator& pipeline(int replica, int device) {
        return pipelines_[static_cast<std::size_t>(replica)]->rank(device);
    }
    // The replicas of a device.
    Communicator& replicas(int replica, int device) {
        return replicas_[static_cast<std::size_t>(device)]->rank(replica);
    }

private:
    void fail();

    int devices_;
    std::vector<std::unique_ptr<Progress>> progress_;
    std::vector<std::unique_ptr<LocalGroup>> pipelines_, replicas_;
    Workers workers_;  // last: ends first
};

}  // namespace strata::parallel
