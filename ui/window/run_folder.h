// Where a run of a project goes. Called by the window before Train.
#pragma once

#include <QString>

#include "ui/document/document.h"

namespace strata::ui {

// "" (beside the project) where that can be written; else a folder of the person's own for a
// project that was never saved or lies where nothing can be written.
QString runFolder(const Document& document);

}  // namespace strata::ui
