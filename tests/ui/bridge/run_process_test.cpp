// A run of several processes as the window follows it: by a launcher that plays one.
#include "ui/bridge/run_process.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include "engine/train/event_json.h"
#include "tests/ui/support/ui_environment.h"
#include "ui/bridge/engine_thread.h"

namespace strata::ui {
namespace {

class RunProcessTest : public testing::Test {
protected:
    void SetUp() override {
        m_path = qgetenv("PATH");
        qputenv("PATH", m_folder.path().toUtf8() + ":" + m_path);
        m_config = test::smallProject(m_folder.path());
        m_config.base = m_folder.path().toStdString();
        m_config.placement.ranks = 3;
    }
    void TearDown() override { qputenv("PATH", m_path); }

    // mpirun, as a script that keeps its arguments and then says this.
    void play(const QByteArray& script) {
        QFile file(m_folder.filePath("mpirun"));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\nprintf '%s\\n' \"$@\" > " + m_folder.filePath("said").toUtf8() +
                   "\n" + script);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    QStringList said() {
        QFile file(m_folder.filePath("said"));
        if (!file.open(QIODevice::ReadOnly)) return {};
        return QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    }

    // Runs it to its end.
    bool follow(EngineThread& engine) {
        QObject::connect(&engine, &EngineThread::planned,
                         [this](const train::PlanEvent& plan) { m_plans.push_back(plan); });
        QObject::connect(&engine, &EngineThread::stepsArrived,
                         [this](const QVector<train::StepEvent>& steps) { m_steps += steps; });
        QObject::connect(&engine, &EngineThread::logged,
                         [this](const train::LogEvent& entry) { m_log.push_back(entry); });
        QObject::connect(&engine, &EngineThread::ended,
                         [this](const train::EndEvent& end) { m_ends.push_back(end); });
        engine.start(m_config, {});
        return test::waitFor([this] { return !m_ends.empty(); });
    }

    std::vector<train::PlanEvent> m_plans;
    QVector<train::StepEvent> m_steps;
    std::vector<train::LogEvent> m_log;
    std::vector<train::EndEvent> m_ends;
    QTemporaryDir m_folder;
    QByteArray m_path;
    train::RunConfig m_config;
};

TEST_F(RunProcessTest, TheWindowFollowsTheFirstRanksEvents) {
    play(
        "echo '{\"event\": \"state\", \"state\": \"preparing\"}'\n"
        "echo '{\"event\": \"plan\", \"device\": \"cpu:0\", \"metrics\": [\"accuracy\"]}'\n"
        "echo '{\"event\": \"state\", \"state\": \"running\"}'\n"
        "echo '{\"event\": \"step\", \"step\": 1, \"loss\": 0.5, \"accuracy\": 0.75}'\n"
        "echo 'a library prints this'\n"
        "echo '{\"event\": \"end\", \"status\": \"finished\", \"seconds\": 1.5}'\n");
    EngineThread engine;
    ASSERT_TRUE(follow(engine));
    EXPECT_FALSE(engine.isActive());
    EXPECT_EQ(engine.state(), train::RunState::finished);
    ASSERT_EQ(m_plans.size(), 1U);
    ASSERT_EQ(m_steps.size(), 1);
    EXPECT_EQ(m_steps.first().loss, 0.5);
    EXPECT_EQ(m_steps.first().metrics, std::vector<double>{0.75});
    ASSERT_EQ(m_log.size(), 1U);
    EXPECT_EQ(m_log.front().text, "a library prints this");
    const QStringList arguments = said();
    EXPECT_EQ(arguments.mid(0, 2), (QStringList{"-np", "3"}));
    EXPECT_TRUE(arguments.contains("--json"));
    const QString folder = arguments.value(arguments.indexOf("--run-dir") + 1);
    EXPECT_EQ(QFileInfo(folder).absolutePath(), m_folder.filePath("runs"));
}

TEST_F(RunProcessTest, WhatAProcessSaysBeforeItDiesIsTold) {
    play("echo 'strata: rank 1: no memory' >&2\nexit 3\n");
    EngineThread engine;
    ASSERT_TRUE(follow(engine));
    const train::EndEvent& end = m_ends.front();
    EXPECT_EQ(end.state, train::RunState::failed);
    ASSERT_TRUE(end.error);
    EXPECT_NE(end.error->message().find("rank 1: no memory"), std::string::npos);
    EXPECT_EQ(engine.state(), train::RunState::failed);
}

// The launcher's lines around it say nothing that helps.
TEST_F(RunProcessTest, OfALostRankItsWordsAloneAreTold) {
    play(
        "echo '--------' >&2\n"
        "echo 'strata: rank 1: rank 0 (host a) has not answered for 20 s' >&2\n"
        "echo '  --resume goes on from the last checkpoint' >&2\n"
        "echo 'mpirun noticed that process rank 0 exited on signal 9 (Killed).' >&2\nexit 3\n");
    EngineThread engine;
    ASSERT_TRUE(follow(engine));
    ASSERT_TRUE(m_ends.front().error);
    const Error& error = *m_ends.front().error;
    EXPECT_EQ(error.message(), "rank 1: rank 0 (host a) has not answered for 20 s");
    EXPECT_EQ(error.hint(), "--resume goes on from the last checkpoint");
}

// The window opens its plan for it, as for a run of its own.
TEST_F(RunProcessTest, ARankWithoutMemoryIsOneForThePlan) {
    train::EndEvent told;
    told.state = train::RunState::failed;
    told.error = Error(ErrorCode::out_of_memory, "rank 1: 64 MiB wanted, 1 MiB of 2 MiB are free",
                       "cpu:0", "Use a smaller batch");
    play("echo '" + QByteArray::fromStdString(train::event_json(told, {}).dump()) + "'\nexit 1\n");
    EngineThread engine;
    ASSERT_TRUE(follow(engine));
    const train::EndEvent& end = m_ends.front();
    ASSERT_TRUE(end.error);
    EXPECT_EQ(end.error->code(), ErrorCode::out_of_memory);
    EXPECT_EQ(end.error->where(), "cpu:0");
    EXPECT_EQ(end.error->message(), told.error->message());
}

TEST_F(RunProcessTest, WithoutMpirunItSaysWhatToInstall) {
    qputenv("PATH", m_folder.path().toUtf8());
    EngineThread engine;
    ASSERT_TRUE(follow(engine));
    const train::EndEvent& end = m_ends.front();
    ASSERT_TRUE(end.error);
    EXPECT_NE(end.error->hint().find("Open MPI"), std::string::npos);
}

TEST_F(RunProcessTest, HostsAreGivenToTheLauncher) {
    play("exit 0\n");
    const RunCommand command =
        runCommand("p.strata", {"/runs/1", true, false}, 8, "node1:4, node2:4");
    EXPECT_TRUE(command.program.endsWith("/mpirun"));
    EXPECT_EQ(command.arguments.mid(0, 4), (QStringList{"-np", "8", "--host", "node1:4,node2:4"}));
    EXPECT_EQ(command.arguments.last(), "--resume");
    EXPECT_FALSE(runCommand("p", {"/r", false, false}, 2, " ").arguments.contains("--host"));
    EXPECT_EQ(runCommand("p", {"/r", false, true}, 2, "").arguments.last(), "--step");
}

TEST_F(RunProcessTest, StoppedBeforeItTrainsItHasNotFailed) {
    play("trap 'exit 143' TERM\nwhile :; do sleep 0.05; done\n");
    EngineThread engine;
    QObject::connect(&engine, &EngineThread::ended,
                     [this](const train::EndEvent& end) { m_ends.push_back(end); });
    engine.start(m_config, {});
    ASSERT_TRUE(test::waitFor([&] { return !said().isEmpty(); }));
    engine.stop();
    ASSERT_TRUE(test::waitFor([&] { return !m_ends.empty(); }));
    EXPECT_EQ(m_ends.front().state, train::RunState::stopped);
    EXPECT_FALSE(m_ends.front().error);
}

// A run that is told to stop while nobody waits for it any more.
TEST_F(RunProcessTest, ARunDoesNotOutliveItsWindow) {
    play(
        "trap 'exit 0' TERM\necho '{\"event\": \"state\", \"state\": \"running\"}'\n"
        "while :; do sleep 0.05; done\n");
    auto engine = std::make_unique<EngineThread>();
    engine->start(m_config, {});
    ASSERT_TRUE(test::waitFor([&] { return engine->state() == train::RunState::running; }));
    engine.reset();
    SUCCEED();
}

}  // namespace
}  // namespace strata::ui
