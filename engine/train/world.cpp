#include "engine/train/world.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <new>
#include <tuple>
#include <vector>

#include "engine/parallel/process_group.h"
#include "engine/train/error_json.h"

namespace strata::train {
namespace {

std::optional<Error> fault_of(const std::function<void()>& work) {
    try {
        work();
        return std::nullopt;
    } catch (...) {
        return current_fault();
    }
}

void take_over(std::vector<graph::HostTensor>& tensors, std::span<const graph::HostTensor> read) {
    std::map<std::tuple<std::string, std::string, std::string>, const graph::HostTensor*> known;
    for (const graph::HostTensor& tensor : read)
        known[{tensor.layer, tensor.role, tensor.slot}] = &tensor;
    for (graph::HostTensor& tensor : tensors)
        if (const auto it = known.find({tensor.layer, tensor.role, tensor.slot}); it != known.end())
            tensor.values = it->second->values;
}

std::string rank_text(int rank) {
    return "rank " + std::to_string(rank);
}

std::string host_name() {
    char name[256] = "";
    ::gethostname(name, sizeof name - 1);
    return name;
}

}  // namespace

Error current_fault() {
    try {
        throw;
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return Error(ErrorCode::out_of_memory, "there is not enough memory", "",
                     "Use a smaller batch or close other programs");
    } catch (const std::exception& error) {
        return Error(ErrorCode::internal, error.what());
    }
}

template <typename Call>
void World::call(const Call& call) {
    try {
        call();
    } catch (...) {
        broken_ = true;
        throw;
    }
}

void World::together(const std::function<void()>& work, std::span<double> sums) {
    if (ranks_ == nullptr) return work();
    const std::optional<Error> own = fault_of(work);
    if (own && own->code() == ErrorCode::interrupted) {
        fail(*own);
        throw Error(*own);
    }
    std::vector<double> numbers(sums.begin(), sums.end());
    numbers.push_back(own ? 1.0 : 0.0);
    call([&] { ranks_->all_reduce(std::span(numbers)); });
    if (numbers.back() > 0.0) tell(own);
    std::copy(numbers.begin(), numbers.end() - 1, sums.begin());
}

// The fault of the first rank that has one becomes all others' fault.
void World::tell(const std::optional<Error>& own) {
    const int from = first(own.has_value());
    std::string text;
    if (own && rank() == from)
        text = error_json(*own).dump(-1, ' ', false, Json::error_handler_t::replace);
    broadcast(text, from);
    agreed_ = true;
    const Error told = error_from(parse_json(text, rank_text(from)), ErrorCode::internal);
    told_elsewhere_ = rank() != from && (!own || own->message() == told.message());
    if (own) throw Error(*own);
    throw Error(told.code(), rank_text(from) + ": " + told.message(), told.where(), told.hint());
}

int World::first(bool here) {
    double most = here ? size() - rank() : 0;
    largest(std::span(&most, 1));
    return most == 0.0 ? -1 : size() - static_cast<int>(most);
}

void World::largest(std::span<double> values) {
    if (ranks_ != nullptr) call([&] { ranks_->all_reduce_max(values); });
}

void World::broadcast(std::string& text) {
    if (ranks_ != nullptr) broadcast(text, 0);
}

std::vector<std::string> World::texts(std::string own) {
    std::vector<std::string> all(static_cast<std::size_t>(size()));
    all[static_cast<std::size_t>(rank())] = std::move(own);
    if (ranks_ != nullptr)
        for (int from = 0; from < size(); ++from)
            broadcast(all[static_cast<std::size_t>(from)], from);
    return all;
}

void World::broadcast(std::string& text, int from) {
    call([&] {
        auto size = static_cast<std::uint64_t>(text.size());
        ranks_->broadcast(std::as_writable_bytes(std::span(&size, 1)), from);
        text.resize(size);
        if (size > 0) ranks_->broadcast(std::as_writable_bytes(std::span(text)), from);
    });
}

void World::share_state(graph::ModelExecutor& executor, std::span<const graph::HostTensor> read) {
    if (ranks_ == nullptr) return;
    std::vector<graph::HostTensor> tensors;
    together([&] {
        tensors = executor.snapshot(true);
        take_over(tensors, read);
    });
    call([&] {
        for (graph::HostTensor& tensor : tensors)
            if (!tensor.values.empty())
                ranks_->broadcast(std::as_writable_bytes(std::span(tensor.values)), 0);
    });
    together([&] {
        if (!leads() || !read.empty()) executor.restore(tensors);
    });
}

std::vector<double> World::numbers_on_host(const std::string& text) {
    constexpr std::size_t exact = (std::size_t{1} << 52) - 1;  // in a double
    std::vector<double> numbers(static_cast<std::size_t>(size()), 0.0);
    numbers[static_cast<std::size_t>(rank())] =
        static_cast<double>(std::hash<std::string>()(host_name() + '\0' + text) & exact);
    if (ranks_ != nullptr) call([&] { ranks_->all_reduce(std::span(numbers)); });
    return numbers;
}

int World::sharing_cores() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    ::sched_getaffinity(0, sizeof cores, &cores);
    const std::vector<double> places =
        numbers_on_host(std::string(reinterpret_cast<const char*>(&cores), sizeof cores));
    return static_cast<int>(
        std::count(places.begin(), places.end(), places[static_cast<std::size_t>(rank())]));
}

World::OnHost World::on_host() {
    const std::vector<double> hosts = numbers_on_host("");
    const auto own = hosts.begin() + rank();
    return {static_cast<int>(std::count(hosts.begin(), own, *own)),
            static_cast<int>(std::count(hosts.begin(), hosts.end(), *own))};
}

void World::fail(const Error& error) noexcept {
    if (error.code() == ErrorCode::interrupted && tell_) std::exchange(tell_, nullptr)(error);
    if (ranks_ == nullptr || agreed_ || broken_) return;
    broken_ = true;
    ranks_->fail(error.what());
}

World::Patience::Patience(World& world) : world_(world) {
    if (auto* group = dynamic_cast<parallel::ProcessGroup*>(world_.ranks_)) group->set_busy(true);
}

World::Patience::~Patience() {
    if (auto* group = dynamic_cast<parallel::ProcessGroup*>(world_.ranks_)) group->set_busy(false);
}

}  // namespace strata::train
