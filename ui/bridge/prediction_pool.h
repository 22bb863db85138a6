// The threads of all predictions, which rest while a run is prepared: neither waits for the other.
// Used by whatever asks for a prediction; the window tells when a run begins. All are over when the
// application is: at the end of the program, what they use goes before the pool does.
#pragma once

#include <QFuture>
#include <QThreadPool>
#include <QtConcurrentRun>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace strata::ui {

class PredictionPool {
public:
    static PredictionPool& instance();  // lives from its first use in an application to the end

    // A task on one of the threads. It begins, and goes on at each rest(), while nothing is held.
    template <typename Task>
    auto run(Task task) {
        return QtConcurrent::run(&m_threads, [this, task = std::move(task)] {
            wait();
            return task();
        });
    }

    void hold();     // tasks rest from their next part on; returns at once
    void release();  // they go on
    bool isHeld() const;
    // Between the parts of a prediction: waits while its pool is held. Elsewhere it does nothing.
    static void rest();

    ~PredictionPool();

private:
    PredictionPool();
    void wait();
    void finish();  // all tasks

    mutable std::mutex m_mutex;
    std::condition_variable m_released;
    bool m_held = false;    // under the mutex
    QThreadPool m_threads;  // the last: its tasks use the others
};

}  // namespace strata::ui
