#include "engine/graph/training_now.h"

#include <atomic>

namespace strata::graph {
namespace {

std::atomic<long> begun_trainings{0}, ended_trainings{0};

}  // namespace

TrainingNow::TrainingNow() {
    begun_trainings.fetch_add(1);
}

TrainingNow::~TrainingNow() {
    ended_trainings.fetch_add(1);
}

bool TrainingNow::any() {
    return ended_trainings.load() != begun_trainings.load();
}

long TrainingNow::begun() {
    return begun_trainings.load();
}

}  // namespace strata::graph
