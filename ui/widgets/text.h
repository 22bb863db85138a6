// Words of the engine in the studio's language.
#pragma once

#include <QString>

#include "engine/core/error.h"
#include "engine/device/arena.h"
#include "engine/layers/spec.h"
#include "engine/parallel/pipeline_schedule.h"
#include "engine/train/events.h"

namespace strata::ui {

QString categoryText(layers::LayerCategory category);
QString memoryText(device::Category category);
QString stateText(train::RunState state);
QString scheduleText(parallel::ScheduleKind kind);  // "1F1B"
QString catalogueText(
    const std::string& english);  // a sentence of a layer's, loss's or optimizer's description
QString sentenceText(const std::string& english);  // a sentence of the engine's, with its full stop
QString errorText(const Error& error);             // what, where and what to do, as sentences
QString errorTextAtLayer(const Error& error);  // without the layer's name: it stands at the layer
QString layerOf(const Error& error);           // the layer that it concerns, or ""

}  // namespace strata::ui
