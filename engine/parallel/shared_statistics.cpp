#include "engine/parallel/shared_statistics.h"

#include <cmath>
#include <exception>

namespace strata::parallel {
namespace {

constexpr std::size_t moving_mean = 3, moving_variance = 4;  // inputs of BatchNormTraining

}  // namespace

SharedStatistics::SharedStatistics(const PlacedModel& model, Team& team, Communicator* world)
    : model_(model), team_(team), world_(model.synchronizes() ? world : nullptr) {
    for (int d = 0; world_ != nullptr && d < model.devices(); ++d)
        lines_.push_back(&world_->line(1 + d));
}

int SharedStatistics::most_micro_batches(int own) const {
    if (world_ == nullptr) return own;
    double most = own;
    world_->all_reduce_max(std::span(&most, 1));
    return static_cast<int>(most);
}

void SharedStatistics::add_up(int replica, int device, std::span<double> numbers) const {
    Communicator& replicas = team_.replicas(replica, device);
    replicas.all_reduce(numbers);
    if (lines_.empty()) return;
    if (replica == 0) lines_[static_cast<std::size_t>(device)]->all_reduce(numbers);
    replicas.broadcast(std::as_writable_bytes(numbers), 0);
}

void SharedStatistics::join(int replica, const StageTask& task) const {
    const int device = model_.device_of(task.stage);
    const graph::Plan& plan =
        model_.part(replica, device).plan(task.stage, graph::Mode::train, model_.usual_size());
    const std::size_t begin = task.backward ? plan.backward_begin : 0;
    const std::size_t end = task.backward ? plan.program.ops.size() : plan.backward_begin;
    for (std::size_t i = begin; i < end; ++i) {
        const ops::Op& op = plan.program.ops[i];
        if (const auto* forward = std::get_if<ops::BatchNormTraining>(&op.attributes);
            forward != nullptr && forward->synchronized)
            join_training(replica, task, op);
        const auto* backward = std::get_if<ops::BatchNormBackward>(&op.attributes);
        if (backward == nullptr || !backward->synchronized) continue;
        const auto channels = plan.program[op.outputs[1]].shape.elements();
        std::vector<double> zeros(static_cast<std::size_t>(2 * channels + 1));
        add_up(replica, device, zeros);
    }
}

void SharedStatistics::fail() const noexcept {
    if (world_ == nullptr) return;
    const std::exception_ptr current = std::current_exception();
    try {
        if (current) std::rethrow_exception(current);
        world_->fail("an error on a device");
    } catch (const std::exception& error) {
        world_->fail(error.what());
    } catch (...) {
        world_->fail("an error on a device");
    }
}

void SharedStatistics::join_training(int replica, const StageTask& task, const ops::Op& op) const {
    const int device = model_.device_of(task.stage);
    const graph::Plan& plan =
        model_.part(replica, device).plan(task.stage, graph::Mode::train, model_.usual_size());
    const auto channels = static_cast<std::size_t>(plan.program[op.outputs[1]].shape.elements());
    for (const std::size_t input : {moving_mean, moving_variance}) {
        std::vector<double> sums(channels + 1);
        add_up(replica, device, sums);
        for (std::size_t i = 0; i < channels; ++i) sums[i] /= sums.back();
        follow(replica, task, op, input, std::span(sums).first(channels));
    }
}

void SharedStatistics::follow(int replica, const StageTask& task, const ops::Op& op,
                              std::size_t input, std::span<const double> statistics) const {
    const float momentum = std::get<ops::BatchNormTraining>(op.attributes).momentum;
    if (momentum == 1.0F) return;
    const DevicePart& part = model_.part(replica, model_.device_of(task.stage));
    void* const place =
        part.address(task.stage, graph::Mode::train, model_.usual_size(), 0, op.inputs[input]);
    std::vector<float> average(statistics.size());
    const std::size_t bytes = average.size() * sizeof(float);
    part.device().copy_out(average.data(), place, bytes);
    for (std::size_t i = 0; i < average.size(); ++i)
        if (const auto statistic = static_cast<float>(statistics[i]); std::isfinite(statistic))
            average[i] += (statistic - average[i]) * (1.0F - momentum);
    part.device().copy_in(place, average.data(), bytes);
    part.device().synchronize();
}

}  // namespace strata::parallel
