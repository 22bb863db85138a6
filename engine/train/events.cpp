#include "engine/train/events.h"

namespace strata::train {

const char* name_of(RunState state) {
    switch (state) {
        case RunState::ready:
            return "ready";
        case RunState::preparing:
            return "preparing";
        case RunState::running:
            return "running";
        case RunState::pausing:
            return "pausing";
        case RunState::paused:
            return "paused";
        case RunState::stopping:
            return "stopping";
        case RunState::finished:
            return "finished";
        case RunState::stopped:
            return "stopped";
        case RunState::failed:
            return "failed";
    }
    return "";
}

}  // namespace strata::train
