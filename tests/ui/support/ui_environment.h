// One QApplication for a test program, offscreen and with settings of its own, and small projects
// with synthetic data.
#pragma once

#include <QString>
#include <QTemporaryDir>
#include <functional>

#include "engine/train/run_config.h"

namespace strata::ui::test {

// Runs the event loop until `done` holds; false after `milliseconds`.
bool waitFor(const std::function<bool()>& done, int milliseconds = 20000);

// Writes an IDX pair of `count` 4 x 4 images whose class (0 or 1) is which half is bright, into
// `folder`.
void writeIdx(const QString& folder, int count);

// input (4, 4, 1), flatten, hidden Dense 8 relu, classes Dense 2 softmax, on the data of writeIdx;
// 3 epochs of batches of 8.
train::RunConfig smallProject(const QString& folder);

}  // namespace strata::ui::test
