#include "app/cli/self_test.h"

#include <cmath>
#include <cstdio>

#include "app/cli/commands.h"
#include "app/cli/table.h"
#include "engine/core/json.h"
#include "engine/core/text.h"
#include "engine/graph/runtime.h"
#include "engine/selftest/self_test.h"

namespace strata::cli {
namespace {

using selftest::Line;
using selftest::Outcome;

std::string heading_of(const std::string& part) {
    static const std::pair<const char*, const char*> headings[] = {
        {"layers", "Layers: values and gradients, beside the CPU's"},
        {"losses", "Losses and metrics"},
        {"optimizers", "Optimizers, clipping, moving average"},
        {"training", "Training: losses beside the CPU's in float32"},
        {"memory", "Memory"},
        {"copies", "Copies"},
        {"speed", "Speed: kernels beside a plain copy, layers beside a plain product"},
        {"together", "Several devices together"}};
    for (const auto& [name, heading] : headings)
        if (part == name)
            return heading + (part == "speed"
                                  ? ", of which " +
                                        std::to_string(std::lround(100 * selftest::wanted_share)) +
                                        " % are wanted"
                                  : std::string());
    return part;
}

std::string padded(const std::string& text, std::size_t width) {
    const std::size_t has = text_width(text);
    return has < width ? text + std::string(width - has, ' ') : text;
}

class Printer {
public:
    Printer(bool json, bool strict) : json_(json), strict_(strict) {}

    void show(const Line& line) {
        const bool failed =
            line.outcome == Outcome::failed || (strict_ && line.outcome == Outcome::slow);
        failed_ += failed ? 1 : 0;
        slow_ += line.outcome == Outcome::slow ? 1 : 0;
        passed_ += line.outcome == Outcome::passed ? 1 : 0;
        if (json_)
            print_json(line, failed);
        else
            print(line, failed);
        std::fflush(stdout);
    }

    int end() const {
        if (json_) {
            std::puts(Json{{"event", "self_test"},
                           {"passed", passed_},
                           {"failed", failed_},
                           {"slow", slow_},
                           {"ok", failed_ == 0}}
                          .dump()
                          .c_str());
        } else {
            std::string text = "\n" + counted(passed_, "check") + " passed";
            if (failed_ > 0) text += ", " + std::to_string(failed_) + " FAILED";
            if (slow_ > 0) text += ", " + std::to_string(slow_) + " slower than wanted";
            std::puts((text + ".").c_str());
        }
        return failed_ == 0 ? exit_ok : exit_failed;
    }

private:
    static void print_json(const Line& line, bool failed) {
        Json json{{"event", "check"},
                  {"device", line.device},
                  {"part", line.group},
                  {"what", line.what},
                  {"ok", !failed},
                  {"outcome", selftest::name_of(line.outcome)},
                  {"measured", line.measured}};
        if (!line.precision.empty()) json["precision"] = line.precision;
        if (!line.detail.empty()) json["detail"] = line.detail;
        for (const auto& [name, value] : line.figures) json["figures"][name] = value;
        std::puts(json.dump().c_str());
    }

    void print(const Line& line, bool failed) {
        if (line.device != device_) {
            device_ = line.device;
            part_.clear();
            std::printf("%s  %s\n", line.device.c_str(), description(line.device).c_str());
        }
        if (line.group != part_) {
            part_ = line.group;
            std::printf("\n%s\n", heading_of(part_).c_str());
        }
        constexpr std::size_t what_width = 37, precision_width = 15;
        std::string text = "  " + padded(failed ? "FAIL" : selftest::name_of(line.outcome), 4) +
                           "  " + padded(line.what, what_width) + "  " +
                           padded(line.precision, precision_width) + "  " + line.measured;
        text.erase(text.find_last_not_of(' ') + 1);
        std::puts(text.c_str());
        if (!line.detail.empty()) std::printf("        %s\n", line.detail.c_str());
    }

    static std::string description(const std::string& device) {
        for (const device::DeviceInfo& info : graph::runtime().devices())
            if (info.id == device) return info.description;
        return "";
    }

    bool json_, strict_;
    std::string device_, part_;
    std::int64_t passed_ = 0, failed_ = 0, slow_ = 0;
};

std::vector<std::string> default_devices() {
    for (const device::DeviceInfo& info : graph::runtime().devices())
        if (info.available && !info.id.starts_with("cpu")) return {info.id};
    return {"cpu:0"};
}

}  // namespace

std::string part_names() {
    std::string names;
    for (const std::string& name : selftest::group_names())
        names += (names.empty() ? "" : ", ") + name;
    return names;
}

int run_self_test(const SelfTestOptions& options, bool json) {
    Printer printer(json, options.strict);
    selftest::self_test(
        {options.devices.empty() ? default_devices() : options.devices, options.parts},
        [&](const Line& line) { printer.show(line); });
    return printer.end();
}

}  // namespace strata::cli
