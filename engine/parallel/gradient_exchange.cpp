#include "engine/parallel/gradient_exchange.h"

#include <algorithm>
#include <map>
#include <string>

#include "engine/core/error.h"
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

GradientExchange::GradientExchange(PlacedModel& model, DeviceGroups& groups, Communicator* world)
    : model_(model),
      groups_(groups),
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
    for (std::size_t i = 0; i < turns_.size(); ++i) {
        turns_[i] = Turn{};
        const auto device = static_cast<int>(i) % model_.devices();
        if (groups_.copies(device) != nullptr)
            turns_[i].completed.assign(model_.buckets(device).size(), false);
    }
    world_seconds_ = 0.0;
    world_end_ = {};
}

void GradientExchange::completed(int replica, int device, std::size_t bucket) {
    if (groups_.copies(device) != nullptr)
        turn(replica, device).completed[bucket] = true;
    else
        ready_[at(device)]->advance(bucket);
}

void GradientExchange::complete_all(int replica, int device) {
    const std::vector<Bucket>& buckets = model_.buckets(device);
    for (std::size_t b = 0; b < buckets.size(); ++b)
        if (!buckets[b].shared) completed(replica, device, b);
}

// All copies of a device queue their buckets in the same order, whichever is completed first.
void GradientExchange::work(int replica, int device) {
    const std::size_t count = model_.buckets(device).size();
    if (groups_.copies(device) != nullptr) {
        Turn& own = turn(replica, device);
        for (; own.next < count && own.completed[own.next]; ++own.next)
            queue(replica, device, own.next);
        return;
    }
    for (std::size_t& next = turn(replica, device).next;
         next < count && ready_[at(device)]->reached(next, replicas_); ++next)
        add_up(replica, device, next);
}

bool GradientExchange::finish(int replica, int device) {
    Turn& own = turn(replica, device);
    own.backward_end = Clock::now();
    work(replica, device);
    if (!add_up_shared(replica, device)) return false;
    if (groups_.copies(device) != nullptr) {
        work(replica, device);
        groups_.join_exchange(replica, device);
        own.end = Clock::now();
        return own.next == model_.buckets(device).size();
    }
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
    for (auto& [name, variable] : found) {
        join_holders(variable, name.first);
        shared_.push_back(std::move(variable));
    }
}

void GradientExchange::join_holders(SharedVariable& variable, const std::string& layer) {
    std::vector<int> holders;
    for (const auto& [device, begin] : variable.begins) holders.push_back(device);
    for (int holder : holders)
        if (model_.part(0, holder).backend().has_groups() !=
            model_.part(0, holders.front()).backend().has_groups())
            throw Error(ErrorCode::unsupported,
                        "its weights are kept on '" +
                            model_.part(0, holders.front()).device().info().id + "' and on '" +
                            model_.part(0, holder).device().info().id + "'",
                        "layer '" + layer + "'",
                        "Place the layers that share weights on devices of one kind");
    for (int r = 0; r < replicas_; ++r) variable.groups.push_back(groups_.of_replica(r, holders));
}

bool GradientExchange::add_up_shared(int replica, int device) {
    add_up_shared_by_groups(replica, device);
    if (!add_up_shared_by_threads(replica, device)) return false;
    const std::vector<Bucket>& buckets = model_.buckets(device);
    for (std::size_t b = 0; b < buckets.size(); ++b)
        if (buckets[b].shared) completed(replica, device, b);
    return true;
}

// Where this replica keeps a variable more than once, all that keep it come here in the same order.
void GradientExchange::add_up_shared_by_groups(int replica, int device) {
    for (const SharedVariable& variable : shared_) {
        device::DeviceGroup* group = variable.groups[at(replica)];
        for (std::size_t i = 0; group != nullptr && i < variable.begins.size(); ++i) {
            const auto& [holder, begin] = variable.begins[i];
            if (holder != device) continue;
            group->all_reduce(static_cast<int>(i), gradients(replica, device) + begin,
                              variable.size);
            group->join(static_cast<int>(i));
        }
    }
}

bool GradientExchange::add_up_shared_by_threads(int replica, int device) {
    const bool any = std::any_of(shared_.begin(), shared_.end(), [&](const SharedVariable& v) {
        return v.groups[at(replica)] == nullptr;
    });
    if (!any) return true;
    arrived_.advance(at(replica));
    if (!arrived_.wait(at(replica), model_.devices())) return false;
    const auto begin = Clock::now();
    for (const SharedVariable& variable : shared_) {
        const auto& begins = variable.begins;
        const auto own = std::find_if(begins.begin(), begins.end(), [device](const auto& entry) {
            return entry.first == device;
        });
        if (own == begins.end() || variable.groups[at(replica)] != nullptr) continue;
        const Share share = share_of(variable.size, static_cast<int>(own - begins.begin()),
                                     static_cast<int>(begins.size()));
        std::vector<float*> all;
        for (const auto& [holder, first] : begins)
            all.push_back(gradients(replica, holder) + first + share.begin);
        sum_vectors({all.begin(), all.end()}, all, share.size(),
                    model_.part(replica, device).device().options().threads);
    }
    turn(replica, device).seconds += seconds_of(Clock::now() - begin);
    added_.advance(at(replica));
    return added_.wait(at(replica), model_.devices());
}

void GradientExchange::queue(int replica, int device, std::size_t bucket) {
    const Bucket& all = model_.buckets(device)[bucket];
    float* own = gradients(replica, device);
    groups_.call(device, [&](device::DeviceGroup& copies) {
        if (model_.sharded())
            copies.reduce_scatter(replica, own, groups_.parts(all));
        else
            copies.all_reduce(replica, own + all.begin, all.size());
    });
}

void GradientExchange::add_up(int replica, int device, std::size_t bucket) {
    const auto begin = Clock::now();
    if (squares(device))
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
    // The groups' calls wait on the devices: a process that does not come is named here.
    if (groups_.reaches_others()) world_->barrier();
    for (const bool shared : {false, true})
        for (int d = model_.devices() - 1; d >= 0; --d)
            for (std::size_t b = 0; b < model_.buckets(d).size(); ++b) {
                if (model_.buckets(d)[b].shared != shared || groups_.copies(d)) continue;
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
    if (model_.sharded() || replica == 0 || world_ == nullptr || groups_.copies(device)) return;
    const std::size_t count = model_.part(0, device).state().trainable_bytes / sizeof(float);
    std::copy_n(gradients(0, device), count, gradients(replica, device));
}

void GradientExchange::fail() {
    for (auto* all : {&ready_, &summed_})
        for (auto& counters : *all) counters->fail();
    arrived_.fail();
    added_.fail();
    groups_.fail();
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
