#include "app/cli/signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "engine/core/error.h"

namespace strata::cli {
namespace {

constexpr std::array watched{SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
int pipe_ends[2] = {-1, -1};  // read, write

void handle(int signal) {
    const int saved = errno;
    const auto number = static_cast<unsigned char>(signal);
    // A full pipe holds enough of them.
    [[maybe_unused]] const auto written = write(pipe_ends[1], &number, 1);
    errno = saved;
}

}  // namespace

SignalWatch::SignalWatch(std::function<void(int)> on_signal) {
    if (pipe2(pipe_ends, O_CLOEXEC) != 0)
        throw Error(ErrorCode::io, "no pipe for signals could be made", "signals");
    fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK);
    thread_ = std::thread([this, act = std::move(on_signal)] {
        unsigned char number = 0;
        while (read(pipe_ends[0], &number, 1) == 1 && number != 0) {
            int none = 0;
            if (number != SIGUSR2) first_.compare_exchange_strong(none, number);
            act(number);
        }
    });
    struct sigaction action {};
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (int signal : watched) sigaction(signal, &action, nullptr);
}

SignalWatch::~SignalWatch() {
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    for (int signal : watched) sigaction(signal, &standard, nullptr);
    const unsigned char end = 0;
    [[maybe_unused]] const auto written = write(pipe_ends[1], &end, 1);
    thread_.join();
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

int SignalWatch::exit_code() const {
    const int signal = first_.load();
    return signal == 0 ? 0 : signal == SIGINT ? 130 : signal == SIGHUP ? 129 : 143;
}

}  // namespace strata::cli
