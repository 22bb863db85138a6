#include "app/studio/signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <QCoreApplication>
#include <array>
#include <cerrno>
#include <csignal>

namespace strata::studio {
namespace {

constexpr std::array watched{SIGTERM, SIGINT, SIGHUP};
int pipeEnds[2] = {-1, -1};  // read, write

void handle(int signal) {
    const int saved = errno;
    const auto number = static_cast<unsigned char>(signal);
    [[maybe_unused]] const auto written = write(pipeEnds[1], &number, 1);
    errno = saved;
}

}  // namespace

SignalWatch::SignalWatch(ui::MainWindow& window) : m_window(window) {
    if (pipe2(pipeEnds, O_CLOEXEC | O_NONBLOCK) != 0) return;
    m_notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &SignalWatch::take);
    struct sigaction action {};
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    for (int signal : watched) {
        struct sigaction present {};
        sigaction(signal, nullptr, &present);
        if (present.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup
    }
}

SignalWatch::~SignalWatch() {
    if (m_notifier == nullptr) return;
    for (int signal : watched) {
        struct sigaction present {};
        sigaction(signal, nullptr, &present);
        if (present.sa_handler == handle) std::signal(signal, SIG_DFL);
    }
    delete m_notifier;
    for (int end : pipeEnds) close(end);
}

void SignalWatch::take() {
    unsigned char number = 0;
    if (read(pipeEnds[0], &number, 1) != 1 || m_exitCode != 0) return;
    m_exitCode = 128 + number;
    if (!m_window.engine().isActive()) return QCoreApplication::exit(m_exitCode);
    connect(&m_window, &ui::MainWindow::runEnded, this,
            [code = m_exitCode] { QCoreApplication::exit(code); });
    m_window.stop();
}

}  // namespace strata::studio
