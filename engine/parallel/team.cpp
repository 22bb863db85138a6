#include "engine/parallel/team.h"

namespace strata::parallel {

Team::Team(const PlacedModel& model) : devices_(model.devices()), workers_(model.cores()) {
    for (int r = 0; r < model.replicas(); ++r) {
        progress_.push_back(std::make_unique<Progress>(model.stages().stages()));
        pipelines_.push_back(std::make_unique<LocalGroup>(devices_));
    }
    for (int d = 0; d < devices_; ++d)
        replicas_.push_back(std::make_unique<LocalGroup>(model.replicas()));
}

void Team::run(const std::function<void(int, int)>& work) {
    workers_.run([&](int i) { work(i / devices_, i % devices_); }, [this] { fail(); });
}

void Team::fail() {
    for (auto& progress : progress_) progress->fail();
    for (auto* groups : {&pipelines_, &replicas_})
        for (auto& group : *groups) group->rank(0).fail("an error on another device");
}

}  // namespace strata::parallel
