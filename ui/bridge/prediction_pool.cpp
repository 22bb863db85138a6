#include "ui/bridge/prediction_pool.h"

#include <QCoreApplication>

namespace strata::ui {
namespace {

thread_local PredictionPool* t_pool = nullptr;  // whose thread this is

constexpr int threadCount = 2;

}  // namespace

PredictionPool& PredictionPool::instance() {
    static PredictionPool pool;
    return pool;
}

PredictionPool::PredictionPool() {
    m_threads.setMaxThreadCount(threadCount);
    qAddPostRoutine([] { instance().finish(); });
}

PredictionPool::~PredictionPool() {
    finish();  // what was asked for behind the application
}

void PredictionPool::finish() {
    release();
    m_threads.waitForDone();
}

void PredictionPool::hold() {
    const std::lock_guard lock(m_mutex);
    m_held = true;
}

void PredictionPool::release() {
    {
        const std::lock_guard lock(m_mutex);
        m_held = false;
    }
    m_released.notify_all();
}

bool PredictionPool::isHeld() const {
    const std::lock_guard lock(m_mutex);
    return m_held;
}

void PredictionPool::wait() {
    t_pool = this;
    std::unique_lock lock(m_mutex);
    m_released.wait(lock, [this] { return !m_held; });
}

void PredictionPool::rest() {
    if (t_pool != nullptr) t_pool->wait();
}

}  // namespace strata::ui
