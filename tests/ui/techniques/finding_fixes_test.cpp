// Each kind of finding offers changes that the project takes, named and undone like any other edit.
#include "ui/techniques/finding_fixes.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTemporaryDir>

#include "tests/ui/support/ui_environment.h"
#include "ui/techniques/doctor_view.h"
#include "ui/techniques/finding_text.h"

namespace strata::ui {
namespace {

using train::FindingEvent;
using Kind = FindingEvent::Kind;

constexpr const char* rateFix = "training.optimizer.config.learning_rate=0.0003";

FindingEvent finding(Kind kind, const std::string& fix = {}, const std::string& layer = {}) {
    FindingEvent event;
    event.kind = kind;
    event.update = 40;
    event.epoch = 2;
    event.fix = fix;
    event.layer = layer;
    event.evidence = "the loss rose from 1 to 3 (mean of 8 updates)";
    event.advice = "Lower the learning rate";
    return event;
}

class FindingFixesTest : public testing::Test {
protected:
    FindingFixesTest() : project(test::smallProject(folder.path())) {
        document.setProject(project);
    }
    const FindingFix* named(const std::vector<FindingFix>& fixes, const QString& text) const {
        for (const FindingFix& fix : fixes)
            if (fix.text.contains(text)) return &fix;
        return nullptr;
    }
    train::RunConfig changed(const FindingFix& fix) const {
        train::RunConfig copy = project;
        fix.change(copy);
        return copy;
    }

    QTemporaryDir folder;
    train::RunConfig project;
    Document document;
};

TEST_F(FindingFixesTest, EveryKindOffersSomething) {
    for (const Kind kind :
         {Kind::overfitting, Kind::plateau, Kind::dead_units, Kind::exploding_gradients,
          Kind::vanishing_gradients, Kind::learning_rate_too_high, Kind::starved_of_data}) {
        const FindingEvent event = finding(kind, rateFix, kind == Kind::dead_units ? "hidden" : "");
        const auto fixes = fixesOf(event, project, 0.0);
        ASSERT_FALSE(fixes.empty()) << name_of(kind);
        for (const FindingFix& fix : fixes) {
            EXPECT_FALSE(isDone(fix, project)) << fix.text.toStdString();
            EXPECT_TRUE(isDone(fix, changed(fix))) << fix.text.toStdString();
            EXPECT_FALSE(fix.text.isEmpty());
        }
    }
}

TEST_F(FindingFixesTest, TheEnginesFixIsFirstAndLivesInTheRun) {
    const auto fixes = fixesOf(finding(Kind::plateau, rateFix), project, 0.001);
    EXPECT_EQ(fixes[0].text, "learning rate 0.0003");
    EXPECT_EQ(changed(fixes[0]).training.optimizer_config["learning_rate"], 0.0003);
    ASSERT_TRUE(fixes[0].live.has_value());
    EXPECT_EQ(fixes[0].live->setting, ControlDeck::learningRate);
    EXPECT_EQ(fixes[0].live->value, 0.0003);
    // A schedule has brought the run below that already: a third of where it is.
    EXPECT_DOUBLE_EQ(fixesOf(finding(Kind::plateau, rateFix), project, 0.0002)[0].live->value,
                     0.0002 / 3.0);
    EXPECT_NE(named(fixes, "on each plateau"), nullptr);
}

TEST_F(FindingFixesTest, ExplodingGradientsAreClipped) {
    const auto fixes =
        fixesOf(finding(Kind::exploding_gradients,
                        R"(training.clipping={"type": "global_clipnorm", "value": 2})"),
                project, 0.001);
    EXPECT_EQ(fixes[0].text, "clip gradients at 2");
    EXPECT_FALSE(fixes[0].live.has_value());  // the run that goes on does not clip
    project = changed(fixes[0]);
    EXPECT_EQ(project.training.clipping.type, train::Clipping::global_norm);
    EXPECT_EQ(project.training.clipping.value, 2.0);
    const auto more = fixesOf(finding(Kind::exploding_gradients, rateFix), project, 0.001);
    const FindingFix* limit = named(more, "clipping limit 1");
    ASSERT_NE(limit, nullptr);
    EXPECT_EQ(limit->live->setting, ControlDeck::clipLimit);
    EXPECT_EQ(changed(*limit).training.clipping.value, 1.0);
}

TEST_F(FindingFixesTest, OverfittingIsStoppedOrHeldBack) {
    const auto fixes =
        fixesOf(finding(Kind::overfitting,
                        R"(training.early_stopping={"monitor": "val_loss", "patience": 3, )"
                        R"("restore_best_weights": true})"),
                project, 0.001);
    EXPECT_TRUE(changed(fixes[0]).training.early_stopping.enabled);
    const FindingFix* dropout = named(fixes, "Dropout before classes");
    ASSERT_NE(dropout, nullptr);
    const graph::Model model = changed(*dropout).model;
    EXPECT_EQ(model.layer("classes").inputs, std::vector<std::string>{"dropout"});
    EXPECT_EQ(model.layer("dropout").inputs, std::vector<std::string>{"hidden"});
    const FindingFix* decay = named(fixes, "weight decay");
    ASSERT_NE(decay, nullptr);
    EXPECT_EQ(decay->live->setting, ControlDeck::weightDecay);
    EXPECT_GT(changed(*decay).training.optimizer_config["weight_decay"].get<double>(), 0.0);
}

TEST_F(FindingFixesTest, DataAndLayers) {
    project.data.cache = false;
    const auto starved = fixesOf(finding(Kind::starved_of_data), project, 0.001);
    EXPECT_TRUE(changed(*named(starved, "in memory")).data.cache);
    const auto dead = fixesOf(finding(Kind::dead_units, rateFix, "hidden"), project, 0.001);
    const FindingFix* leaky = named(dead, "leaky_relu in hidden");
    ASSERT_NE(leaky, nullptr);
    EXPECT_EQ(changed(*leaky).model.layer("hidden").config.text("activation"), "leaky_relu");
    const auto faded = fixesOf(finding(Kind::vanishing_gradients, "", "hidden"), project, 0.001);
    const FindingFix* normalize = named(faded, "BatchNormalization behind hidden");
    ASSERT_NE(normalize, nullptr);
    EXPECT_EQ(changed(*normalize).model.layer("classes").inputs,
              std::vector<std::string>{"batch_normalization"});
    EXPECT_TRUE(isDone(*normalize, changed(*normalize)));
    EXPECT_TRUE(fixesOf(finding(Kind::vanishing_gradients, "", "classes"), project, 0.001).empty());
    // A layer that is gone can not be changed.
    std::erase_if(project.model.layers, [](const auto& layer) { return layer.name == "hidden"; });
    project.model.layers.back().inputs = {"flatten"};
    EXPECT_EQ(
        named(fixesOf(finding(Kind::dead_units, rateFix, "hidden"), project, 0.001), "leaky_relu"),
        nullptr);
}

TEST_F(FindingFixesTest, TheViewChangesProjectAndRun) {
    DoctorView view(document);
    view.resize(700, 300);
    view.show();
    std::vector<std::pair<int, double>> live;
    QObject::connect(
        &view, &DoctorView::liveChosen,
        [&](ControlDeck::Setting setting, double value) { live.emplace_back(setting, value); });
    const auto button = [&](const QString& text) -> QPushButton* {
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        for (QPushButton* each : view.findChildren<QPushButton*>())
            if (each->text().startsWith(text)) return each;
        return nullptr;
    };
    EXPECT_EQ(view.count(), 0);
    view.setState(train::RunState::running);
    view.add(finding(Kind::vanishing_gradients, rateFix));
    EXPECT_EQ(view.count(), 1);
    ASSERT_NE(button("This run"), nullptr);
    button("This run")->click();
    EXPECT_EQ(live, (std::vector<std::pair<int, double>>{{ControlDeck::learningRate, 0.0003}}));
    ASSERT_NE(button("Change the project"), nullptr);
    button("Change the project")->click();
    EXPECT_EQ(document.config().training.optimizer_config["learning_rate"], 0.0003);
    EXPECT_EQ(document.undoStack().undoText(), "Follow the doctor: learning rate 0.0003");
    EXPECT_EQ(button("Change the project"), nullptr);
    ASSERT_NE(button("✓ In the project"), nullptr);
    document.undoStack().undo();
    EXPECT_NE(button("Change the project"), nullptr);
    view.setState(train::RunState::finished);
    EXPECT_EQ(button("This run"), nullptr);
    document.setProject(project);
    EXPECT_EQ(view.count(), 0);
}

// What was offered does not change with the language, though the run has followed it.
TEST_F(FindingFixesTest, AnotherLanguageOffersTheSame) {
    DoctorView view(document);
    train::StepEvent step;
    step.learning_rate = 0.001;
    view.addSteps({step});
    view.add(finding(Kind::plateau, rateFix));
    step.learning_rate = 0.0003;
    view.addSteps({step});
    QEvent language(QEvent::LanguageChange);
    QApplication::sendEvent(&view, &language);
    EXPECT_EQ(view.newestFixes()[0].live->value, 0.0003);
}

TEST_F(FindingFixesTest, AFindingIsSaidInSentences) {
    EXPECT_EQ(findingText(finding(Kind::dead_units, "", "hidden")),
              "Dead units (hidden): The loss rose from 1 to 3 (mean of 8 updates). Lower the "
              "learning rate.");
}

TEST_F(FindingFixesTest, AMendedFindingStaysInItsPlace) {
    DoctorView view(document);
    view.resize(500, 200);
    view.show();
    view.activateWindow();
    for (int i = 0; i < 8; ++i) view.add(finding(Kind::plateau, rateFix));
    QScrollBar* bar = view.verticalScrollBar();
    ASSERT_TRUE(test::waitFor([&] { return bar->maximum() > 400; }));
    bar->setValue(bar->maximum() / 2);
    const int at = bar->value();
    QPushButton* pressed = nullptr;
    for (QPushButton* each : view.findChildren<QPushButton*>()) {
        const QPoint corner = each->mapTo(view.viewport(), QPoint());
        const bool seen = each->isVisible() && each->isEnabled() &&
                          view.viewport()->rect().contains(QRect(corner, each->size()));
        if (seen && each->text() == "Change the project") pressed = each;
    }
    ASSERT_NE(pressed, nullptr);
    pressed->setFocus();
    pressed->click();
    EXPECT_EQ(document.undoStack().count(), 1);
    EXPECT_NE(qobject_cast<QPushButton*>(view.focusWidget()), nullptr);
    for (int i = 0; i < 5; ++i) {  // the layout settles
        QApplication::processEvents();
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    EXPECT_EQ(bar->value(), at);
}

}  // namespace
}  // namespace strata::ui
