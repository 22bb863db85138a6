// Where runs of a project go, and where its last one is. Called by the window before Train.
#pragma once

#include <QString>

#include "ui/document/document.h"

namespace strata::ui {

// "" (beside the project) where that can be written; else a folder of the person's own for a
// project that was never saved or lies where nothing can be written.
QString runFolder(const Document& document);

bool holdsCheckpoint(const QString& folder);

// The newest run of a saved project that holds a checkpoint, by its name <time>-<project>; "" where
// there is none.
QString lastRunFolder(const Document& document);

}  // namespace strata::ui
