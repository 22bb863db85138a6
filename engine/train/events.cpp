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

const char* name_of(MarkEvent::Kind kind) {
    switch (kind) {
        case MarkEvent::Kind::resumed:
            return "resumed";
        case MarkEvent::Kind::learning_rate:
            return "learning_rate";
        case MarkEvent::Kind::clip_limit:
            return "clip_limit";
        case MarkEvent::Kind::weight_decay:
            return "weight_decay";
        case MarkEvent::Kind::loss_scale:
            return "loss_scale";
        case MarkEvent::Kind::early_stop:
            return "early_stop";
        case MarkEvent::Kind::paused:
            return "paused";
    }
    return "";
}

const char* name_of(FindingEvent::Kind kind) {
    switch (kind) {
        case FindingEvent::Kind::overfitting:
            return "overfitting";
        case FindingEvent::Kind::plateau:
            return "plateau";
        case FindingEvent::Kind::dead_units:
            return "dead_units";
        case FindingEvent::Kind::exploding_gradients:
            return "exploding_gradients";
        case FindingEvent::Kind::vanishing_gradients:
            return "vanishing_gradients";
        case FindingEvent::Kind::learning_rate_too_high:
            return "learning_rate_too_high";
        case FindingEvent::Kind::starved_of_data:
            return "starved_of_data";
    }
    return "";
}

}  // namespace strata::train
