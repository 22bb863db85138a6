#include "engine/parallel/placed_update.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace strata::parallel {
namespace {

using device::Category;

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

void set_scale(ops::StepScalars& scalars, double n) {
    scalars.gradient_scale = 1.0 / (static_cast<double>(scalars.loss_scale) * n);
}

}  // namespace

PlacedUpdate::PlacedUpdate(PlacedModel& model, Team& team, GradientExchange& exchange,
                           DeviceGroups& groups, Communicator* world,
                           std::function<std::int64_t(int)> samples_of)
    : model_(model),
      team_(team),
      exchange_(exchange),
      groups_(groups),
      world_(world != nullptr && world->size() > 1 ? world : nullptr),
      samples_of_(std::move(samples_of)),
      squares_(at(model.replicas() * model.devices())),
      statistic_sums_(at(model.devices())) {}

graph::UpdateResult PlacedUpdate::run(std::int64_t n, ops::StepScalars scalars) {
    if (exchange_.active() && !exchange_.take()) exchange();
    return world_ == nullptr ? run_alone(n, scalars) : run_with_others(n, scalars);
}

void PlacedUpdate::exchange() {
    exchange_.begin();
    team_.run(
        [this](int r, int d) {
            exchange_.complete_all(r, d);
            exchange_.finish(r, d);
        },
        [this] { exchange_.exchange_with_others(); });
    exchange_.take();
}

// Replicas that all hold the sums count once.
double PlacedUpdate::own_squares(int replica, int device) const {
    if (replica > 0 && !model_.sharded()) return 0.0;
    const DevicePart& part = model_.part(replica, device);
    if (exchange_.squares(device)) return part.sum_of_squares();
    part.square_gradients();
    groups_.settle(replica, device);
    return part.sum_of_squares();
}

graph::UpdateResult PlacedUpdate::result(double squares, double n,
                                         const ops::StepScalars& scalars) const {
    graph::UpdateResult result;
    result.samples = static_cast<std::int64_t>(n);
    if (model_.state().trainable_bytes == 0) return result;
    result.gradient_norm = std::sqrt(squares) * scalars.gradient_scale;
    result.applied = std::isfinite(squares);
    return result;
}

graph::UpdateResult PlacedUpdate::run_alone(std::int64_t n, ops::StepScalars scalars) {
    set_scale(scalars, static_cast<double>(n));
    double squares = 0.0;  // the same on every device
    team_.run([&](int r, int d) {
        double sum = own_squares(r, d);
        team_.all(r, d).all_reduce(std::span(&sum, 1));
        update_share(r, d, scalars, sum);
        if (model_.sharded() && !groups_.copies(d)) team_.replicas(r, d).barrier();
        model_.part(r, d).refresh();
        if (model_.replicas() > 1) set_statistics(r, d, weighted_statistics(r, d), own_samples());
        if (r == 0 && d == 0) squares = sum;
    });
    return result(squares, static_cast<double>(n), scalars);
}

graph::UpdateResult PlacedUpdate::run_with_others(std::int64_t n, ops::StepScalars scalars) {
    team_.run([&](int r, int d) {
        exchange_.copy_from_first(r, d);
        squares_[at(r * model_.devices() + d)] = own_squares(r, d);
    });
    std::array<double, 3> sums{static_cast<double>(n), own_samples(),
                               std::accumulate(squares_.begin(), squares_.end(), 0.0)};
    // Where all hold the sums of all, their squares are the same, and not to be added.
    world_->all_reduce(std::span(sums.data(), model_.sharded() ? 3 : 2));
    if (!(sums[0] > 0.0)) return result(0.0, 0.0, scalars);
    set_scale(scalars, sums[0]);
    team_.run([&](int r, int d) {
        if (groups_.copies(d))
            update_share(r, d, scalars, sums[2]);
        else
            model_.part(r, d).update(scalars, sums[2]);
        std::vector<double> sums_of_process = weighted_statistics(r, d);
        if (r == 0) statistic_sums_[at(d)] = std::move(sums_of_process);
    });
    if (model_.sharded()) gather_from_others();
    add_up_statistics_of_others();
    team_.run([&](int r, int d) {
        if (model_.sharded() && !groups_.copies(d)) gather_weights(r, d);
        set_statistics(r, d, statistic_sums_[at(d)], sums[1]);
        model_.part(r, d).refresh();
    });
    return result(sums[2], sums[0], scalars);
}

// In shared memory, part by part as it is updated; over a group, bucket by bucket.
void PlacedUpdate::update_share(int replica, int device, const ops::StepScalars& scalars,
                                double squares) {
    const DevicePart& own = model_.part(replica, device);
    if (!model_.sharded()) return own.update(scalars, squares);
    if (groups_.copies(device) == nullptr)
        return own.update(scalars, squares,
                          [&](std::size_t part) { hand_out(replica, device, part); });
    const std::size_t count = model_.buckets(device).size();
    std::size_t next = 0;  // the first bucket that was not gathered
    own.update(scalars, squares, [&](std::size_t part) {
        std::size_t end = next;
        while (end < count && model_.owned_of_bucket(replica, device, end).second <= part + 1)
            ++end;
        gather_by_group(replica, device, next, end);
        next = end;
    });
    gather_by_group(replica, device, next, count);
    groups_.join_exchange(replica, device);
}

void PlacedUpdate::gather_by_group(int replica, int device, std::size_t first,
                                   std::size_t last) const {
    float* all = static_cast<float*>(model_.part(replica, device).arena().base(Category::weights));
    groups_.call(device, [&](device::DeviceGroup& copies) {
        for (std::size_t b = first; b < last; ++b)
            copies.all_gather(replica, all, groups_.parts(model_.buckets(device)[b]));
    });
}

std::span<float> PlacedUpdate::weights(int replica, int device, const Share& share) const {
    const device::Arena& arena = model_.part(replica, device).arena();
    return {static_cast<float*>(arena.base(Category::weights)) + share.begin, share.size()};
}

// To the other replicas, which no longer read their weights.
void PlacedUpdate::hand_out(int replica, int device, std::size_t part) const {
    const ops::Segment& segment = (*model_.part(replica, device).state().owned)[part];
    const auto begin = static_cast<std::size_t>(segment.offset);
    const Share share{begin, begin + static_cast<std::size_t>(segment.count)};
    for (int other = 0; other < model_.replicas(); ++other)
        if (other != replica)
            std::ranges::copy(weights(replica, device, share),
                              weights(other, device, share).begin());
}

void PlacedUpdate::gather_weights(int replica, int device) const {
    for (int other = 0; other < model_.replicas(); ++other)
        for (const Bucket& bucket : model_.buckets(device)) {
            if (other == replica) continue;
            const Share share = share_of_bucket(bucket, other, model_.replicas());
            std::ranges::copy(weights(other, device, share),
                              weights(replica, device, share).begin());
        }
}

void PlacedUpdate::gather_from_others() {
    for (int d = 0; d < model_.devices(); ++d)
        for (const Bucket& bucket : model_.buckets(d))
            for (int r = 0; r < model_.replicas() && !groups_.copies(d); ++r)
                world_->all_gather(weights(r, d, share_of_bucket(bucket, r, model_.replicas())));
}

double PlacedUpdate::own_samples() const {
    double sum = 0.0;
    for (int r = 0; r < model_.replicas(); ++r) sum += static_cast<double>(samples_of_(r));
    return sum;
}

// Each replica has seen other samples, as many as it was given: its moving averages count by their
// number, so that it does not matter how a short batch is cut.
std::vector<double> PlacedUpdate::weighted_statistics(int replica, int device) const {
    const DevicePart& part = model_.part(replica, device);
    std::vector<float> own(part.statistics_bytes() / sizeof(float));
    std::vector<double> sums(own.size());
    if (own.empty()) return sums;
    groups_.settle(replica, device);  // a copy has no deadline behind an exchange
    part.device().copy_out(own.data(), part.statistics(), part.statistics_bytes());
    if (const auto n = static_cast<double>(samples_of_(replica)); n > 0.0)
        std::ranges::transform(own, sums.begin(),
                               [n](float average) { return n * static_cast<double>(average); });
    team_.replicas(replica, device).all_reduce(sums);
    return sums;
}

void PlacedUpdate::set_statistics(int replica, int device, std::span<const double> sums,
                                  double samples) const {
    if (samples <= 0.0 || sums.empty()) return;
    std::vector<float> means(sums.size());
    std::ranges::transform(sums, means.begin(),
                           [samples](double sum) { return static_cast<float>(sum / samples); });
    const DevicePart& part = model_.part(replica, device);
    groups_.settle(replica, device);
    part.device().copy_in(part.statistics(), means.data(), part.statistics_bytes());
    part.device().synchronize();
}

void PlacedUpdate::add_up_statistics_of_others() {
    for (std::vector<double>& sums : statistic_sums_)
        if (!sums.empty()) world_->all_reduce(sums);
}

}  // namespace strata::parallel
