#include "engine/ops/dispatch.h"

#include <charconv>

#include "engine/core/error.h"

namespace strata::ops {
namespace {

struct DeviceId {
    std::string kind;
    int index = -1;
};

// "cuda:1"; index -1 where the text is no id.
DeviceId parse(const std::string& id) {
    const std::size_t colon = id.find(':');
    DeviceId parsed{id.substr(0, colon), -1};
    if (colon == std::string::npos) return parsed;
    const char* first = id.data() + colon + 1;
    const char* last = id.data() + id.size();
    int index = -1;
    const auto [end, error] = std::from_chars(first, last, index);
    if (error != std::errc{} || end != last || index < 0) return parsed;
    if (std::to_string(index) == std::string(first, last)) parsed.index = index;  // not "01"
    return parsed;
}

std::string lower_case(std::string text) {
    for (char& letter : text)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return text;
}

// For somebody who wrote "CPU:0" or "gpu:1".
std::string advice_on_name(const std::string& id) {
    const DeviceId wanted = parse(lower_case(id));
    if (wanted.index < 0) return {};
    const std::string number = ":" + std::to_string(wanted.index);
    if (wanted.kind == "gpu" || wanted.kind == "nvidia")
        return "A GPU is named cuda" + number + " here. ";
    const bool known = wanted.kind == "cpu" || wanted.kind == "cuda";
    return known && lower_case(id) != id ? "Write " + wanted.kind + number + ", in lower case. "
                                         : "";
}

void refuse_absent(const Backend& backend, const std::string& id) {
    std::string reason;
    for (const device::DeviceInfo& info : backend.discover()) {
        if (info.available) return;
        reason = info.reason;
    }
    throw Error(ErrorCode::not_found, "there is no device '" + id + "': " + reason, id,
                "Use cpu:0, or see 'strata devices'");
}

}  // namespace

void Dispatch::add(std::shared_ptr<Backend> backend) {
    backends_.push_back(std::move(backend));
}

std::vector<device::DeviceInfo> Dispatch::devices() const {
    std::vector<device::DeviceInfo> all;
    for (const auto& backend : backends_)
        for (device::DeviceInfo& info : backend->discover()) all.push_back(std::move(info));
    return all;
}

std::unique_ptr<device::Device> Dispatch::open(const std::string& id,
                                               const device::DeviceOptions& options) const {
    const DeviceId wanted = parse(id);
    if (wanted.index >= 0)
        for (const auto& backend : backends_)
            if (backend->kind() == wanted.kind) {
                refuse_absent(*backend, id);
                return backend->open(wanted.index, options);
            }
    std::string present;
    for (const device::DeviceInfo& info : devices()) {
        if (!info.available) continue;
        present += (present.empty() ? "" : ", ") + info.id;
        const DeviceId first = parse(info.id);
        if (info.numbers > 1)
            present += " to " + first.kind + ":" + std::to_string(first.index + info.numbers - 1);
    }
    if (present.empty()) present = "none";
    throw Error(ErrorCode::not_found, "there is no device '" + id + "'", id,
                advice_on_name(id) + "Devices here: " + present);
}

std::unique_ptr<device::Monitor> Dispatch::monitor(const std::string& id) const {
    const DeviceId wanted = parse(id);
    if (wanted.index >= 0)
        for (const auto& backend : backends_)
            if (backend->kind() == wanted.kind) return backend->monitor(wanted.index);
    return nullptr;
}

Backend& Dispatch::backend(const device::Device& device) const {
    const std::string kind = parse(device.info().id).kind;
    for (const auto& backend : backends_)
        if (backend->kind() == kind) return *backend;
    throw Error(ErrorCode::internal, "no backend runs the ops of this device", device.info().id);
}

}  // namespace strata::ops
