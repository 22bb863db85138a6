// Words of the engine in the studio's language.
#pragma once

#include <QString>

#include "engine/core/error.h"
#include "engine/device/arena.h"
#include "engine/layers/spec.h"

namespace strata::ui {

QString categoryText(layers::LayerCategory category);
QString memoryText(device::Category category);
QString errorText(const Error& error);  // what, where and what to do, as sentences

}  // namespace strata::ui
