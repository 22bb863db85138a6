// How fast a device does each kind of work: measured on small ops of its own, once in a process.
// Used by step_time; no part of training.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "engine/device/device.h"
#include "engine/graph/op_cost.h"

namespace strata::graph {

class DeviceRates {
public:
    // beside: of the same device, what is asked while the process trains for all that is not known
    // here; null: this one measures then, too.
    DeviceRates(std::string device, device::DeviceOptions options, DeviceRates* beside = nullptr)
        : device_(std::move(device)), options_(options), beside_(beside) {}

    // Seconds of an op: its FLOPs or its bytes at the measured rate, whichever takes longer, and
    // what any op takes to begin. Measures what it needs and does not know yet: about a millisecond
    // a kind.
    double seconds(const OpCost& cost);
    // Of this very op, with its shapes: measured once where that is quick, else by the rates.
    double seconds_of(const ops::Program& program, const ops::Op& op);

private:
    static std::string signature(const ops::Program& program, const ops::Op& op,
                                 const OpCost& cost);
    double seconds_per_unit(const WorkKind& kind);
    // Where they were measured.
    std::optional<double> known(const WorkKind& kind);
    std::optional<double> known(const std::string& signature);

    std::string device_;
    device::DeviceOptions options_;
    DeviceRates* beside_;
    std::mutex mutex_;
    std::map<WorkKind, double> known_;
    // Of the ops of a kind that were measured, seconds.
    struct Experience {
        double measured = 0.0, by_rate = 0.0;
    };
    std::map<WorkKind, Experience> experience_;
    std::map<std::string, double> ops_;  // by what makes one as long as another
    double spent_ = 0.0;                 // seconds, on measuring ops
};

// Of the process, by device and threads. While it trains: what was measured without a training, and
// else others, measured beside it. Thread-safe; all live to the end.
DeviceRates& rates_of(const std::string& device, const device::DeviceOptions& options);

}  // namespace strata::graph
