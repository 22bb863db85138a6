// Words for what happened in a run: the marks on the curves. Used by the charts and the window's
// log.
#pragma once

#include <QString>

#include "ui/charts/run_store.h"

namespace strata::ui {

QString markText(const Mark& mark);  // "best saved", "learning rate 0.0003"
QString markText(const train::MarkEvent& mark);

}  // namespace strata::ui
