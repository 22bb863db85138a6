// A finding of the training doctor in the window: told in the log and the notice, mended by a
// click.
#include <QAction>

#include "tests/ui/window/window_fixture.h"
#include "ui/techniques/doctor_view.h"

namespace strata::ui {
namespace {

class WindowDoctorTest : public MainWindowTest {
protected:
    train::FindingEvent finding() {
        train::FindingEvent event;
        event.kind = train::FindingEvent::Kind::plateau;
        event.epoch = 3;
        event.update = 24;
        event.evidence =
            "the training loss was 0.5 at best up to epoch 1, and 0.5 at best in the 5 "
            "epochs since";
        event.advice = "Lower the learning rate";
        event.fix = "training.optimizer.config.learning_rate=0.0003";
        return event;
    }
    // The run's own doctor may find something at any time.
    int found() const { return m_window->doctor().count(); }
    QAction* offer(const QString& text) {
        for (QAction* each : m_window->noticeOffers())
            if (each->text().startsWith(text)) return each;
        return nullptr;
    }
};

TEST_F(WindowDoctorTest, AFindingIsMendedByAClick) {
    ASSERT_TRUE(m_window->openProject(saveProject(4000)));
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return rows() > 5; }));
    const int before = found();
    Q_EMIT m_window->engine().found(finding());
    EXPECT_TRUE(m_window->notice().startsWith("Plateau: The training loss was 0.5"));
    EXPECT_TRUE(m_window->log().contains("Warning: Plateau"));
    EXPECT_EQ(found(), before + 1);
    ASSERT_NE(offer("This run: learning rate 0.0003"), nullptr);
    offer("This run")->trigger();
    ASSERT_NE(offer("Project: learning rate 0.0003"), nullptr);
    offer("Project")->trigger();
    EXPECT_EQ(m_window->document().config().training.optimizer_config["learning_rate"], 0.0003);
    EXPECT_EQ(m_window->document().undoStack().undoText(),
              "Follow the doctor: learning rate 0.0003");
    EXPECT_TRUE(m_window->notice().startsWith("Changes apply to the next run"));
    m_window->document().undoStack().undo();
    EXPECT_TRUE(waitFor([&] {
        const auto& steps = m_window->charts().store().steps();
        return std::abs(steps.lines[RunStore::learning_rate].column().last() - 0.0003) < 1e-9;
    }));
    EXPECT_TRUE(stopRun());
    EXPECT_GT(found(), before);  // it can still be mended for the next run
}

TEST_F(WindowDoctorTest, AFindingThatCanOnlyBeReadHidesNone) {
    ASSERT_TRUE(m_window->openProject(saveProject(4000)));
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return rows() > 0; }));
    const int before = found();
    Q_EMIT m_window->engine().found(finding());
    train::FindingEvent other;
    other.kind = train::FindingEvent::Kind::vanishing_gradients;
    other.layer = "classes";
    other.evidence = "its gradient's norm is 0, that of 'hidden' 1";
    Q_EMIT m_window->engine().found(other);
    EXPECT_TRUE(m_window->notice().startsWith("Plateau"));
    EXPECT_EQ(found(), before + 2);
    Q_EMIT m_window->engine().found(finding());
    EXPECT_EQ(found(), before + 3);
    EXPECT_TRUE(stopRun());
}

TEST_F(WindowDoctorTest, AnErrorIsNotHiddenByAFinding) {
    ASSERT_TRUE(m_window->openProject(saveProject(4000)));
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return rows() > 0; }));
    const int before = found();
    train::CheckpointEvent failed;
    failed.failure = Error(ErrorCode::io, "the disk is full", "last.h5", "Make room");
    Q_EMIT m_window->engine().checkpointWritten(failed);
    Q_EMIT m_window->engine().found(finding());
    EXPECT_TRUE(m_window->notice().contains("the disk is full"));
    EXPECT_EQ(found(), before + 1);
    EXPECT_TRUE(stopRun());
}

}  // namespace
}  // namespace strata::ui
