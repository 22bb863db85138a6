// The training doctor's findings in words.
#pragma once

#include <QString>

#include "engine/train/events.h"

namespace strata::ui {

QString findingName(train::FindingEvent::Kind kind);       // "overfitting"
QString findingTitle(const train::FindingEvent& finding);  // "Dead units (hidden)"
// Evidence and advice, as sentences.
QString findingReason(const train::FindingEvent& finding);
QString findingText(const train::FindingEvent& finding);  // all of it, for the log

}  // namespace strata::ui
