// Draws a model as a small stack of bars in the colours of its layers' categories. Used by the
// welcome page.
#pragma once

#include <QPainter>

#include "engine/graph/model.h"

namespace strata::ui {

void paintStack(QPainter& painter, const QRectF& area, const graph::Model& model);

}  // namespace strata::ui
