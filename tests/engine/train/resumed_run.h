// A small run that is stopped and goes on, and what its log says.
#pragma once

#include <memory>
#include <string>

#include "tests/engine/train/small_run.h"

namespace strata::train {

inline std::string log_text(const Recorder& recorder, LogEvent::Level level) {
    std::string text;
    for (const LogEvent& event : recorder.all<LogEvent>())
        if (event.level == level) text += event.text + "\n";
    return text;
}

inline std::string warnings(const Recorder& recorder) {
    return log_text(recorder, LogEvent::Level::warning);
}

inline bool contains(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

class ResumedRun : public SmallRun {
protected:
    // A run that is stopped after `cut` steps, the skipped ones among them.
    void stop_after(const Json& json, const std::string& name, std::size_t cut,
                    Recorder& recorder) const {
        auto control = std::make_shared<Control>();
        std::size_t seen = 0;
        recorder.on_step = [&seen, cut, control](const StepEvent&) {
            if (++seen == cut) control->stop();
        };
        ASSERT_EQ(train_as(json, name, recorder, false, control).state, RunState::stopped);
    }
};

}  // namespace strata::train
