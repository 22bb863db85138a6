// What can be done about a finding of the training doctor: changes of the project, and of the run
// that goes on where it takes them. Used by the findings' view and the window's notice.
#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "engine/train/events.h"
#include "engine/train/run_config.h"
#include "ui/techniques/control_deck.h"

namespace strata::ui {

struct FindingFix {
    QString text;  // "learning rate 0.0003": on the button, and in the name of the edit
    std::function<void(train::RunConfig&)> change;  // may throw strata::Error
    struct Live {
        ControlDeck::Setting setting;
        double value;
    };
    std::optional<Live> live;
};

// The engine's own fix first. config: the project as it is. rate: the run's present learning rate,
// 0 where there is none. Only what can be done to this project.
std::vector<FindingFix> fixesOf(const train::FindingEvent& finding, const train::RunConfig& config,
                                double rate);

// Whether the project has it already.
bool isDone(const FindingFix& fix, const train::RunConfig& config);

}  // namespace strata::ui
