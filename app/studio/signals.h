// SIGTERM, SIGINT and SIGHUP end the studio: a run first stops after its step and writes its
// checkpoint. Used by main.
#pragma once

#include <QObject>
#include <QSocketNotifier>

#include "ui/window/main_window.h"

namespace strata::studio {

// One at a time in a process. A second signal of the same kind ends the process at once.
class SignalWatch : public QObject {
    Q_OBJECT

public:
    explicit SignalWatch(ui::MainWindow& window);
    ~SignalWatch() override;

private:
    void take();

    ui::MainWindow& m_window;
    QSocketNotifier* m_notifier = nullptr;
    int m_exitCode = 0;  // 128 and the first signal
};

}  // namespace strata::studio
