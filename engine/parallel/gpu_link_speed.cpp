#include "engine/parallel/gpu_link_speed.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>

#include "engine/core/error.h"
#include "engine/device/device_group.h"
#include "engine/graph/runtime.h"
#include "engine/parallel/workers.h"

namespace strata::parallel {
namespace {

constexpr std::size_t many_floats = std::size_t{1} << 23;  // 32 MiB: longer than what begins it
constexpr std::size_t few_floats = 16;
constexpr int rounds = 5;

// A device and memory on it for as long as it is measured.
class Probe {
public:
    explicit Probe(const std::string& id)
        : device_(graph::runtime().open(id, {})),
          memory_(static_cast<float*>(device_->allocate(many_floats * sizeof(float)))),
          begin_(device_->make_event()),
          end_(device_->make_event()) {
        device_->fill_zero(memory_, many_floats * sizeof(float));
        device_->synchronize();
    }
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;
    ~Probe() { device_->release(memory_); }

    device::Device& device() const { return *device_; }
    float* memory() const { return memory_; }

    // The quickest of some rounds, seconds of the device.
    double time(const std::function<void()>& queue) const {
        double best = std::numeric_limits<double>::infinity();
        for (int round = 0; round <= rounds; ++round) {
            device_->record(begin_.get());
            queue();
            device_->record(end_.get());
            end_->wait();
            if (round > 0) best = std::min(best, end_->seconds_since(*begin_));
        }
        return best;
    }

private:
    std::unique_ptr<device::Device> device_;
    float* memory_;
    std::unique_ptr<device::Event> begin_, end_;
};

using Probes = std::vector<std::unique_ptr<Probe>>;

// bytes: of the large message that takes `large` seconds, `messages` of which are one behind the
// other; `small`: of one of next to no bytes.
Link link_of(double bytes, double small, double large, double messages = 1.0) {
    return {bytes / std::max(large - small, 0.1 * large), small / messages};
}

Link measure_copies(const Probes& probes) {
    const Probe& from = *probes[0];
    const Probe& to = *probes[1];
    const auto seconds = [&](std::size_t floats) {
        return from.time([&] {
            from.device().copy_to(to.device(), to.memory(), from.memory(), floats * sizeof(float));
        });
    };
    return link_of(sizeof(float) * many_floats, seconds(few_floats), seconds(many_floats));
}

std::unique_ptr<device::DeviceGroup> join(ops::Backend& backend, const Probes& probes) {
    std::vector<device::Device*> devices;
    for (const auto& probe : probes) devices.push_back(&probe->device());
    device::GroupPlace place;
    place.id = backend.make_group_id();
    place.ranks.resize(probes.size());
    std::iota(place.ranks.begin(), place.ranks.end(), 0);
    place.size = static_cast<int>(probes.size());
    return backend.join_group(devices, place);
}

Link measure_sums(ops::Backend& backend, const Probes& probes) {
    const std::unique_ptr<device::DeviceGroup> group = join(backend, probes);
    double small = 0.0, large = 0.0;
    Workers workers{std::vector<std::vector<int>>(probes.size())};
    workers.run(
        [&](int i) {
            const Probe& own = *probes[static_cast<std::size_t>(i)];
            for (const std::size_t floats : {few_floats, many_floats}) {
                const double seconds = own.time([&] {
                    group->all_reduce(i, own.memory(), floats);
                    group->join(i);
                });
                if (i == 0) (floats == few_floats ? small : large) = seconds;
            }
        },
        [&] { group->fail(); });
    // all_reduce_seconds(), turned round.
    const auto n = static_cast<double>(probes.size());
    const double messages = 2.0 * (n - 1.0);
    return link_of(messages / n * sizeof(float) * many_floats, small, large, messages);
}

}  // namespace

LinkSpeed measure_gpu_links(const std::vector<std::string>& devices) {
    Probes probes;
    for (const std::string& id : devices) probes.push_back(std::make_unique<Probe>(id));
    LinkSpeed speed;
    speed.copy = measure_copies(probes);
    speed.awake = speed.copy.latency;
    try {
        speed.sum = measure_sums(graph::runtime().backend(probes.front()->device()), probes);
    } catch (const Error&) {  // training says what is missing
        speed.sum = speed.copy;
    }
    speed.order = measured_links(static_cast<int>(devices.size())).order;
    return speed;
}

}  // namespace strata::parallel
