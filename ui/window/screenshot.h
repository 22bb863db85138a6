// Takes a picture of the window after a time or when a run has finished, then ends the program:
// --screenshot.
#pragma once

#include <QString>

namespace strata::ui {

class MainWindow;

struct ScreenshotOptions {
    QString path;
    int afterMs = 500;          // after showing, or after the state was reached
    bool whenFinished = false;  // wait for the end of the run first
};

// The program's exit code is 1 where the picture cannot be written.
void scheduleScreenshot(MainWindow& window, const ScreenshotOptions& options);

}  // namespace strata::ui
