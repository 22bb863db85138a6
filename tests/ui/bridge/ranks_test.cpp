// A run of two real processes follows the window's buttons. Skipped where this build or this
// machine has no MPI.
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "tests/ui/support/ui_environment.h"
#include "ui/bridge/engine_thread.h"

namespace strata::ui {
namespace {

using train::RunState;

constexpr int patienceMs = 60000;

class RanksTest : public testing::Test {
protected:
    void SetUp() override {
#ifdef STRATA_SANITIZED
        GTEST_SKIP() << "MPI under a sanitizer";
#endif
        const QString program = QCoreApplication::applicationDirPath();
        if (QStandardPaths::findExecutable("mpirun").isEmpty()) GTEST_SKIP() << "no mpirun";
        if (!QFileInfo::exists(program + "/strata")) GTEST_SKIP() << "no strata beside the test";
        if (!QFileInfo::exists(program + "/../lib/libstrata_mpi.so")) GTEST_SKIP() << "no plug-in";
        test::writeIdx(m_folder.path(), 64);
        m_config = test::smallProject(m_folder.path());
        m_config.base = m_folder.path().toStdString();
        m_config.placement.ranks = 2;
        m_config.training.epochs = 1000000;
        QObject::connect(&m_engine, &EngineThread::stepsArrived,
                         [this](const QVector<train::StepEvent>& steps) {
                             m_update = steps.last().update;
                             m_rate = steps.last().learning_rate;
                         });
        QObject::connect(&m_engine, &EngineThread::checkpointWritten,
                         [this](const train::CheckpointEvent& written) {
                             EXPECT_FALSE(written.failure);
                             m_checkpoints << QString::fromStdString(written.path);
                         });
        QObject::connect(&m_engine, &EngineThread::logged, [this](const train::LogEvent& entry) {
            m_log << QString::fromStdString(entry.text);
        });
        QObject::connect(&m_engine, &EngineThread::ended,
                         [this](const train::EndEvent& end) { m_ends.push_back(end); });
    }
    bool reaches(RunState state) {
        return test::waitFor([&] { return m_engine.state() == state; }, patienceMs);
    }
    bool passes(std::int64_t update) {
        return test::waitFor([&] { return m_update > update; }, patienceMs);
    }
    // The update at which it stands still.
    std::int64_t settled() {
        std::int64_t before = -1;
        while (before != m_update) {
            before = m_update;
            test::waitFor([] { return false; }, 400);
        }
        return m_update;
    }

    QTemporaryDir m_folder;
    train::RunConfig m_config;
    EngineThread m_engine;
    std::int64_t m_update = 0;
    double m_rate = 0.0;
    QStringList m_checkpoints, m_log;
    std::vector<train::EndEvent> m_ends;
};

TEST_F(RanksTest, EachButtonDoesWhatItSays) {
    m_engine.start(m_config, {});
    ASSERT_TRUE(reaches(RunState::running)) << qPrintable(m_log.join('\n'));
    ASSERT_TRUE(passes(3));

    m_engine.pause();
    EXPECT_EQ(m_engine.state(), RunState::pausing) << "at once";
    ASSERT_TRUE(reaches(RunState::paused));
    const std::int64_t paused = settled();

    m_engine.save();
    ASSERT_TRUE(test::waitFor([&] { return !m_checkpoints.isEmpty(); }, patienceMs));
    EXPECT_TRUE(QFileInfo::exists(m_checkpoints.first())) << qPrintable(m_checkpoints.first());
    EXPECT_EQ(settled(), paused) << "it stays paused";

    m_engine.step();
    ASSERT_TRUE(passes(paused));
    EXPECT_EQ(settled(), paused + 1);
    EXPECT_EQ(m_engine.state(), RunState::paused);

    m_engine.setLearningRate(0.25);
    m_engine.resume();
    EXPECT_EQ(m_engine.state(), RunState::running);
    ASSERT_TRUE(passes(paused + 5));
    EXPECT_TRUE(test::waitFor([&] { return m_rate == 0.25; }, patienceMs)) << m_rate;

    m_engine.stop();
    EXPECT_EQ(m_engine.state(), RunState::stopping) << "at once";
    ASSERT_TRUE(test::waitFor([&] { return !m_ends.empty(); }, patienceMs));
    EXPECT_EQ(m_ends.front().state, RunState::stopped);
    EXPECT_FALSE(m_ends.front().error);
    EXPECT_TRUE(QFileInfo::exists(QString::fromStdString(m_ends.front().checkpoint)));
    EXPECT_FALSE(m_engine.isActive());
    EXPECT_TRUE(m_log.filter("request").isEmpty()) << qPrintable(m_log.join('\n'));
}

TEST_F(RanksTest, StepFromRestMakesOneUpdateAndPauses) {
    RunRequest request;
    request.startPaused = true;
    m_engine.start(m_config, request);
    ASSERT_TRUE(reaches(RunState::paused)) << qPrintable(m_log.join('\n'));
    EXPECT_EQ(settled(), 1);
    m_engine.stop();
    ASSERT_TRUE(test::waitFor([&] { return !m_ends.empty(); }, patienceMs));
    EXPECT_EQ(m_ends.front().state, RunState::stopped);
}

TEST_F(RanksTest, StopWhileItIsPreparedEndsIt) {
    m_engine.start(m_config, {});
    m_engine.stop();
    EXPECT_EQ(m_engine.state(), RunState::stopping);
    ASSERT_TRUE(test::waitFor([&] { return !m_ends.empty(); }, patienceMs));
    EXPECT_FALSE(m_engine.isActive());
}

}  // namespace
}  // namespace strata::ui
