#include "engine/parallel/team.h"

namespace strata::parallel {

namespace {

// Where replica 0 waits for other processes, by a deadline of theirs, the others wait for it.
constexpr std::chrono::hours as_long_as_it_takes{24};

// A CPU device's load is counted by its threads' names.
std::vector<std::string> device_names(const PlacedModel& model) {
    std::vector<std::string> names;
    for (int r = 0; r < model.replicas(); ++r)
        for (int d = 0; d < model.devices(); ++d)
            names.push_back(model.part(r, d).device().info().id);
    return names;
}

}  // namespace

Team::Team(const PlacedModel& model)
    : devices_(model.devices()),
      all_(model.replicas() * model.devices()),
      workers_(model.cores(), device_names(model)) {
    for (int r = 0; r < model.replicas(); ++r)
        progress_.push_back(std::make_unique<Progress>(model.stages().stages()));
    for (int d = 0; d < devices_; ++d)
        replicas_.push_back(
            model.has_other_processes()
                ? std::make_unique<LocalGroup>(model.replicas(), as_long_as_it_takes)
                : std::make_unique<LocalGroup>(model.replicas()));
}

void Team::run(const std::function<void(int, int)>& work, const std::function<void()>& meanwhile) {
    workers_.run([&](int i) { work(i / devices_, i % devices_); }, [this] { fail(); }, meanwhile);
}

// What follows from it on other devices must not be told in its place.
void Team::fail() {
    if (on_failure_) on_failure_();
    for (auto& progress : progress_) progress->fail();
    for (auto& group : replicas_) group->rank(0).fail("an error on another device");
    all_.rank(0).fail("an error on another device");
}

}  // namespace strata::parallel
