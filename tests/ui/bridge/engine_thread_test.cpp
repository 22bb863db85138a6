// Runs of a tiny project through the engine thread: order of updates, pause, step, stop, faults.
#include "ui/bridge/engine_thread.h"

#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QFileInfo>
#include <cmath>
#include <new>
#include <stdexcept>

#include "tests/ui/support/ui_environment.h"

namespace strata::ui {
namespace {

using test::waitFor;
using train::RunState;

class EngineThreadTest : public testing::Test {
protected:
    void SetUp() override {
        test::writeIdx(m_folder.path(), 64);
        QObject::connect(&m_engine, &EngineThread::stateChanged,
                         [this](RunState state) { m_states.push_back(state); });
        QObject::connect(&m_engine, &EngineThread::stepsArrived,
                         [this](const QVector<train::StepEvent>& steps) { m_steps += steps; });
        QObject::connect(&m_engine, &EngineThread::ended,
                         [this](const train::EndEvent& end) { m_end = end; });
    }
    train::RunConfig project(int epochs) {
        train::RunConfig config = test::smallProject(m_folder.path());
        config.training.epochs = epochs;
        config.base = m_folder.path().toStdString();
        return config;
    }

    QTemporaryDir m_folder;
    EngineThread m_engine;
    std::vector<RunState> m_states;
    QVector<train::StepEvent> m_steps;
    std::optional<train::EndEvent> m_end;
};

TEST_F(EngineThreadTest, ARunSendsEveryUpdateInOrderAndEnds) {
    m_engine.start(project(3), {});
    EXPECT_EQ(m_engine.state(), RunState::preparing);
    ASSERT_TRUE(waitFor([&] { return m_end.has_value(); }));
    ASSERT_FALSE(m_end->error.has_value()) << m_end->error->what();
    EXPECT_EQ(m_end->state, RunState::finished);
    // 64 samples, a tenth set aside: 58 train in 8 batches an epoch.
    ASSERT_EQ(m_steps.size(), 24);
    for (int i = 0; i < m_steps.size(); ++i) EXPECT_EQ(m_steps[i].update, i + 1);
    EXPECT_EQ(m_steps.last().epoch, 3);
    EXPECT_FALSE(m_engine.isActive());
    EXPECT_TRUE(QFileInfo::exists(QString::fromStdString(m_end->checkpoint)));
}

TEST_F(EngineThreadTest, PauseHoldsAndResumeGoesOn) {
    m_engine.start(project(4000), {});
    ASSERT_TRUE(waitFor([&] { return m_steps.size() > 5; }));
    m_engine.pause();
    EXPECT_EQ(m_engine.state(), RunState::pausing);
    ASSERT_TRUE(waitFor([&] { return m_engine.state() == RunState::paused; }));
    const auto held = m_steps.size();
    waitFor([] { return false; }, 200);
    EXPECT_EQ(m_steps.size(), held);
    m_engine.step();
    ASSERT_TRUE(waitFor([&] { return m_steps.size() == held + 1; }));
    waitFor([] { return false; }, 100);
    EXPECT_EQ(m_steps.size(), held + 1);
    m_engine.resume();
    ASSERT_TRUE(waitFor([&] { return m_steps.size() > held + 5; }));
    m_engine.stop();
    EXPECT_EQ(m_engine.state(), RunState::stopping);
    ASSERT_TRUE(waitFor([&] { return m_end.has_value(); }));
    EXPECT_EQ(m_end->state, RunState::stopped);
    EXPECT_TRUE(QFileInfo::exists(QString::fromStdString(m_end->checkpoint)));
}

TEST_F(EngineThreadTest, SettingsChangeWhileItRunsAndAreMarked) {
    std::vector<train::MarkEvent> marks;
    QObject::connect(&m_engine, &EngineThread::marked,
                     [&](const train::MarkEvent& mark) { marks.push_back(mark); });
    train::RunConfig config = project(4000);
    config.training.clipping.type = train::Clipping::global_norm;
    m_engine.start(config, {});
    ASSERT_TRUE(waitFor([&] { return m_steps.size() > 5; }));
    m_engine.setLearningRate(0.0005);
    m_engine.setClipLimit(0.25);
    m_engine.setWeightDecay(0.01);
    ASSERT_TRUE(waitFor([&] { return marks.size() >= 3; }));
    EXPECT_EQ(marks[0].kind, train::MarkEvent::Kind::learning_rate);
    EXPECT_EQ(marks[0].value, 0.0005);
    EXPECT_EQ(marks[1].value, 0.25);
    EXPECT_EQ(marks[2].value, 0.01);
    ASSERT_TRUE(waitFor([&] { return std::abs(m_steps.last().learning_rate - 0.0005) < 1e-9; }));
    EXPECT_EQ(m_steps.last().clip_limit, 0.25);
}

TEST_F(EngineThreadTest, AFirstStepIsOneUpdateAndAPause) {
    RunRequest request;
    request.startPaused = true;
    m_engine.start(project(3), request);
    ASSERT_TRUE(waitFor([&] { return m_steps.size() == 1; }));
    ASSERT_TRUE(waitFor([&] { return m_engine.state() == RunState::paused; }));
    waitFor([] { return false; }, 100);
    EXPECT_EQ(m_steps.size(), 1);
}

TEST_F(EngineThreadTest, MissingDataFailWithTheirName) {
    train::RunConfig config = project(1);
    config.data.source["images"] = "/nowhere/images";
    m_engine.start(config, {});
    ASSERT_TRUE(waitFor([&] { return m_end.has_value(); }));
    EXPECT_EQ(m_end->state, RunState::failed);
    EXPECT_EQ(m_engine.state(), RunState::failed);
    ASSERT_TRUE(m_end->error.has_value());
    EXPECT_NE(std::string(m_end->error->what()).find("/nowhere/images"), std::string::npos);
}

TEST_F(EngineThreadTest, DestroyingItEndsTheRun) {
    auto engine = std::make_unique<EngineThread>();
    int steps = 0;
    QObject::connect(engine.get(), &EngineThread::stepsArrived,
                     [&](const QVector<train::StepEvent>& arrived) {
                         steps += static_cast<int>(arrived.size());
                     });
    engine->start(project(100000), {});
    ASSERT_TRUE(waitFor([&] { return steps > 0; }));
    QElapsedTimer timer;
    timer.start();
    engine.reset();
    EXPECT_LT(timer.elapsed(), 5000);
}

// Whatever broke a run off, the window gets an end that says so.
TEST(FailedEnd, NamesEveryKindOfFault) {
    const auto end = failedEnd(std::make_exception_ptr(Error(ErrorCode::io, "disk full")));
    EXPECT_EQ(end.state, RunState::failed);
    EXPECT_EQ(end.error->code(), ErrorCode::io);
    EXPECT_EQ(failedEnd(std::make_exception_ptr(std::bad_alloc())).error->code(),
              ErrorCode::out_of_memory);
    const auto odd = failedEnd(std::make_exception_ptr(std::runtime_error("odd")));
    EXPECT_EQ(odd.error->code(), ErrorCode::internal);
    EXPECT_EQ(odd.error->message(), "odd");
    EXPECT_TRUE(failedEnd(std::make_exception_ptr(1)).error.has_value());
}

TEST(EventQueue, LeavesOutStepsBeyondItsLimitAndCountsThem) {
    EventQueue queue;
    for (std::size_t i = 0; i < EventQueue::stepLimit + 3; ++i) queue.push(train::StepEvent{});
    queue.push(train::EndEvent{});
    const auto batch = queue.take();
    EXPECT_LE(EventQueue::stepLimit, 65536U);
    EXPECT_EQ(batch.events.size(), EventQueue::stepLimit + 1);
    EXPECT_EQ(batch.dropped, 3U);
    EXPECT_TRUE(std::holds_alternative<train::EndEvent>(batch.events.back()));
    queue.push(train::StepEvent{});
    const auto next = queue.take();
    EXPECT_EQ(next.events.size(), 1U);
    EXPECT_EQ(next.dropped, 0U);
}

}  // namespace
}  // namespace strata::ui
