#include "engine/parallel/gradient_exchange.h"

#include <algorithm>
#include <map>
#include <string>

#include "engine/parallel/vector_sum.h"

namespace strata::parallel {
namespace {

double seconds_of(std::chrono::steady_clock::duration time) {
    return std::chrono::duration<double>(time).count();
}

std::span<float> part(float* array, const Share& share) {
    return {array + share.begin, share.size()};
}

}  // namespace

GradientExchange::GradientExchange(PlacedModel& model, Communicator* world)
    : model_(model),
      world_(world != nullptr && world->size() > 1 ? world : nullptr),
      replicas_(model.replicas()),
      arrived_(at(model.replicas())),
      added_(at(model.replicas())),
      turns_(at(model.replicas() * model.devices())) {
    find_shared_variables();
    for (int d = 0; d < model.devices(); ++d) {
        ready_.push_back(std::make_unique<Counters>(model.buckets(d).size()));
        summed_.push_back(std::make_unique<Counters>(model.buckets(d).size()));
    }
}

float* GradientExchange::gradients(int replica, int device) const {
    const device::Arena& arena = model_.part(replica, device).arena();
    return static_cast<float*>(arena.base(device::Category::gradients));
}

void GradientExchange::begin() {
    begun_ = true;
    for (auto* all : {&ready_, &summed_})
        for (auto& counters : *all) counters->begin();
    arrived_.begin();
    added_.begin();
    std::fill(turns_.begin(), turns_.end(), Turn{});
    world_seconds_ = 0.0;
    world_end_ = {};
}

void GradientExchange::complete_all(int device) {
    const std::vector<Bucket>& buckets = model_.buckets(device);
    for (std::size_t b = 0; b < buckets.size(); ++b)
        if (!buckets[b].shared) completed(device, b);
}

void GradientExchange::work(int replica, int device) {
    const std::size_t count = model_.buckets(device).size();
    for (std::size_t& next = turn(replica, device).next;
         next < count && ready_[at(device)]->reached(next, replicas_); ++next)
        add_up(replica, device, next);
}

bool GradientExchange::finish(int replica, int device) {
    Turn& own = turn(replica, device);
    own.backward_end = Clock::now();
    work(replica, device);
    if (!add_up_shared(replica, device)) return false;
    for (; own.next < model_.buckets(device).size(); ++own.next) {
        if (!ready_[at(device)]->wait(own.next, replicas_)) return false;
        add_up(replica, device, own.next);
    }
    own.end = Clock::now();
    return true;
}

void GradientExchange::find_shared_variables() {
    std::map<std::pair<std::string, std::string>, SharedVariable> found;
    for (int d = 0; d < model_.devices(); ++d)
        for (const graph::VariablePlace& place : model_.part(0, d).state().variables) {
            if (!place.spec.trainable || !place.elsewhere) continue;
            SharedVariable& variable = found[{place.layer, place.role}];
            variable.begins.emplace_back(d, place.offset / sizeof(float));
            variable.size = static_cast<std::size_t>(place.spec.shape.elements());
        }
    for (auto& [name, variable] : found) shared_.push_back(std::move(variable));
}

bool GradientExchange::add_up_shared(int replica, int device) {
    if (!shared_.empty()) {
        arrived_.advance(at(replica));
        if (!arrived_.wait(at(replica), model_.devices())) return false;
    }
    const auto begin = Clock::now();
    for (const SharedVariable& variable : shared_) {
        const auto& begins = variable.begins;
        const auto own = std::find_if(begins.begin(), begins.end(), [device](const auto& entry) {
            return entry.first == device;
        });
        if (own == begins.end()) continue;
        const Share share = share_of(variable.size, static_cast<int>(own - begins.begin()),
                                     static_cast<int>(begins.size()));
        std::vector<float*> all;
        for (const auto& [holder, first] : begins)
            all.push_back(gradients(replica, holder) + first + share.begin);
        sum_vectors({all.begin(), all.end()}, all, share.size(),
                    model_.part(replica, device).device().options().threads);
    }
    turn(replica, device).seconds += seconds_of(Clock::now() - begin);
    if (!shared_.empty()) {
        added_.advance(at(replica));
        if (!added_.wait(at(replica), model_.devices())) return false;
    }
    const std::vector<Bucket>& buckets = model_.buckets(device);
    for (std::size_t b = 0; b < buckets.size(); ++b)
        if (buckets[b].shared) completed(device, b);
    return true;
}

void GradientExchange::add_up(int replica, int device, std::size_t bucket) {
    const auto begin = Clock::now();
    if (squares())
        add_up_and_square(replica, device, bucket);
    else if (replicas_ > 1)
        add_up(replica, device,
               share_of_bucket(model_.buckets(device)[bucket], replica, replicas_));
    turn(replica, device).seconds += seconds_of(Clock::now() - begin);
    summed_[at(device)]->advance(bucket);
}

// The squares of what is in a cache just now.
void GradientExchange::add_up_and_square(int replica, int device, std::size_t bucket) {
    const DevicePart& own = model_.part(replica, device);
    const auto [first, end] = model_.owned_of_bucket(replica, device, bucket);
    for (std::size_t i = first; i < end; ++i) {
        const ops::Segment& segment = (*own.state().owned)[i];
        const auto from = static_cast<std::size_t>(segment.offset);
        add_up(replica, device, Share{from, from + static_cast<std::size_t>(segment.count)});
        own.square_part(i);
    }
}

void GradientExchange::add_up(int replica, int device, const Share& share) {
    std::vector<const float*> sources;
    sources.reserve(at(replicas_));
    for (int r = 0; r < replicas_; ++r) sources.push_back(gradients(r, device) + share.begin);
    std::vector<float*> targets;
    if (model_.sharded())
        targets.push_back(gradients(replica, device) + share.begin);
    else
        for (int r = 0; r < (world_ != nullptr ? 1 : replicas_); ++r)
            targets.push_back(gradients(r, device) + share.begin);
    sum_vectors(sources, targets, share.size(),
                model_.part(replica, device).device().options().threads);
}

// The later devices of a pipeline are the first to complete theirs, and what they share comes last.
void GradientExchange::exchange_with_others() {
    if (world_ == nullptr) return;
    for (const bool shared : {false, true})
        for (int d = model_.devices() - 1; d >= 0; --d)
            for (std::size_t b = 0; b < model_.buckets(d).size(); ++b) {
                if (model_.buckets(d)[b].shared != shared) continue;
                if (!summed_[at(d)]->wait(b, replicas_)) return;
                const auto begin = Clock::now();
                add_up_others(d, b);
                world_seconds_ += seconds_of(Clock::now() - begin);
            }
    world_end_ = Clock::now();
}

void GradientExchange::add_up_others(int device, std::size_t bucket) {
    const Bucket& all = model_.buckets(device)[bucket];
    if (!model_.sharded()) {
        world_->all_reduce(part(gradients(0, device), {all.begin, all.end}));
        return;
    }
    for (int r = 0; r < replicas_; ++r)
        world_->reduce_scatter(part(gradients(r, device), share_of_bucket(all, r, replicas_)));
}

void GradientExchange::copy_from_first(int replica, int device) {
    if (model_.sharded() || replica == 0 || world_ == nullptr) return;
    const std::size_t count = model_.part(0, device).state().trainable_bytes / sizeof(float);
    std::copy_n(gradients(0, device), count, gradients(replica, device));
}

void GradientExchange::fail() {
    for (auto* all : {&ready_, &summed_})
        for (auto& counters : *all) counters->fail();
    arrived_.fail();
    added_.fail();
}

ExchangeTimes GradientExchange::times() const {
    ExchangeTimes times;
    Clock::time_point backward_end{}, end = world_end_;
    for (const Turn& turn : turns_) {
        times.total += turn.seconds / static_cast<double>(turns_.size());
        backward_end = std::max(backward_end, turn.backward_end);
        end = std::max(end, turn.end);
    }
    times.total += world_seconds_;
    times.exposed = seconds_of(end - backward_end);
    return times;
}

}  // namespace strata::parallel
