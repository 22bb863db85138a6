// control.json in a run directory: requests to a training of another process. Written by `strata
// control`, read and removed by `strata train`.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "engine/core/json.h"
#include "engine/train/control.h"

namespace strata::train {

struct ControlRequest {
    bool pause = false, resume = false, step = false, stop = false, save = false;
    std::optional<double> learning_rate, clip_limit, weight_decay;
};

// {"pause": true, "learning_rate": 0.01, ...}; what is not asked for is left out.
Json control_to_json(const ControlRequest& request);
// Throws Error that names the key: unknown ones, wrong types, two of pausing, going on and
// ending, a setting that live_settings.h does not allow, and a request for nothing.
ControlRequest control_from_json(const Json& json, const std::string& where);

void apply(const ControlRequest& request, Control& control);

// Puts the request into the directory of a run that goes on and waits until the run has taken it.
// Throws Error: no run is active there, or it does not clip and is to have another limit; an
// earlier request, or this one, is not taken in `seconds`.
void send_control(const std::string& run_directory, const ControlRequest& request,
                  double seconds = 5.0);

// What an earlier run of the directory did not take; by the trainer, as soon as it holds the lock.
void remove_control_file(const std::string& run_directory);

// From construction to destruction a thread looks for the file ten times a second and passes on
// what it asks for. What it cannot understand becomes a warning of the run.
class ControlWatch {
public:
    ControlWatch(std::string run_directory, std::shared_ptr<Control> control);
    ~ControlWatch();
    ControlWatch(const ControlWatch&) = delete;
    ControlWatch& operator=(const ControlWatch&) = delete;

private:
    void look();

    const std::string directory_;
    const std::shared_ptr<Control> control_;
    std::string last_warning_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace strata::train
