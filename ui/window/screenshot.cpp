#include "ui/window/screenshot.h"

#include <QApplication>
#include <QPixmap>
#include <QTimer>
#include <cstdio>

#include "ui/window/main_window.h"

namespace strata::ui {
namespace {

void take(MainWindow& window, const QString& path) {
    const bool written = window.grab().save(path);
    if (!written) std::fprintf(stderr, "cannot write the picture %s\n", qPrintable(path));
    QApplication::exit(written ? 0 : 1);
}

}  // namespace

void scheduleScreenshot(MainWindow& window, const ScreenshotOptions& options) {
    const auto later = [&window, options] {
        QTimer::singleShot(options.afterMs, &window,
                           [&window, options] { take(window, options.path); });
    };
    if (options.whenFinished) {
        QObject::connect(&window, &MainWindow::runEnded, &window, later);
    } else {
        later();
    }
}

}  // namespace strata::ui
