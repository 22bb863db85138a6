#include "engine/backends/cpu/backend.h"

#include <algorithm>
#include <variant>

#include "engine/backends/cpu/cpu_info.h"
#include "engine/backends/cpu/kernel.h"
#include "engine/backends/cpu/monitor.h"
#include "engine/core/error.h"
#include "engine/core/text.h"

namespace strata::cpu {
namespace {

constexpr int most_threads = 1024;

device::DeviceInfo info_of(int index, int threads) {
    device::DeviceInfo info;
    info.id = "cpu:" + std::to_string(index);
    info.description =
        model_name() + ", " + counted(threads, "thread") + ", " + instruction_set_name();
    info.memory = physical_memory();
    info.numbers = most_devices - index;
    return info;
}

class CpuBackend final : public ops::Backend {
public:
    std::string kind() const override { return "cpu"; }

    std::vector<device::DeviceInfo> discover() const override {
        return {info_of(0, usable_threads())};
    }

    std::unique_ptr<device::Device> open(int index, const device::DeviceOptions& options) override {
        const std::string id = "cpu:" + std::to_string(index);
        if (index < 0 || index >= most_devices)
            throw Error(ErrorCode::not_found, "there is no device '" + id + "'", id,
                        "Use cpu:0 to cpu:" + std::to_string(most_devices - 1));
        if (options.threads < 0 || options.threads > most_threads)
            throw Error(ErrorCode::invalid_argument, counted(options.threads, "thread") + " wanted",
                        id, "Use 1 to " + std::to_string(most_threads) + ", or 0 for all cores");
        device::DeviceOptions resolved = options;
        if (resolved.threads == 0) resolved.threads = usable_threads();
        return std::make_unique<CpuDevice>(info_of(index, resolved.threads), resolved);
    }

    std::unique_ptr<ops::Kernel> prepare(device::Device& device, const ops::Attributes& attributes,
                                         Tensors inputs, Tensors outputs) override {
        const auto* own = dynamic_cast<const CpuDevice*>(&device);
        if (own == nullptr)
            throw Error(ErrorCode::internal, "the CPU backend was given another kind of device",
                        device.info().id);
        const Request request{{own->info().id, ops::name_of(attributes), inputs, outputs}, *own};
        return std::visit([&](const auto& op) { return make_kernel(request, op); }, attributes);
    }

    std::unique_ptr<device::Monitor> monitor(int index) override {
        return std::make_unique<CpuMonitor>("cpu:" + std::to_string(index), usable_threads());
    }
};

}  // namespace

std::shared_ptr<ops::Backend> make_cpu_backend() {
    return std::make_shared<CpuBackend>();
}

}  // namespace strata::cpu
