// The page of the plan: what is wrong, and changes that mend it by a click and one undo.
#include "ui/techniques/plan_view.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QPushButton>

#include "tests/ui/support/ui_environment.h"
#include "ui/bridge/prediction.h"
#include "ui/techniques/plan_fixes.h"

namespace strata::ui {
namespace {

class PlanViewTest : public testing::Test {
protected:
    void SetUp() override {
        test::writeIdx(m_folder.path(), 64);
        m_config = test::smallProject(m_folder.path());
        m_config.base = m_folder.path().toStdString();
        m_config.data.pipeline.batch_size = 32;
        m_page.resize(800, 300);
        m_page.show();
    }
    // A limit between what batches of 32 need and what smaller ones do.
    void limit() {
        const std::size_t needed = predictMemory(m_config)->budget.total();
        m_config.placement.memory_limits[""] = needed - needed / 8;
        m_document.setProject(m_config);
        m_page.setPlan(predictPlacement(m_document.config()).plan);
    }
    bool fits() {
        const auto plan = predictPlacement(m_document.config(), Warnings::none).plan;
        return plan && plan->devices.front().fits();
    }

    QTemporaryDir m_folder;
    train::RunConfig m_config;
    Document m_document;
    PlanView m_page{m_document};
};

TEST(PlanFixes, SayWhatRoundingShowsOfWaiting) {
    parallel::PlanWarning waits;
    waits.idle_share = 0.402;
    parallel::PlanFix fix;
    fix.slowdown = 0.83;
    fix.idle_share = 0.404;
    EXPECT_EQ(changeEffect(fix, waits, true), "waiting stays at 40 % · 17 % less time a sample");
    fix.idle_share = 0.41;
    fix.slowdown = 1.001;
    EXPECT_EQ(changeEffect(fix, waits, true), "waiting rises from 40 % to 41 %");
    fix.idle_share = 0.2;
    EXPECT_EQ(changeEffect(fix, waits, true), "waiting falls from 40 % to 20 %");
}

TEST_F(PlanViewTest, AFixOfThePlanIsOneUndoableClickThatMakesItFit) {
    limit();
    EXPECT_EQ(m_page.count(), 1);
    EXPECT_TRUE(m_page.text().contains("cpu:0 has too little memory")) << qPrintable(m_page.text());
    ASSERT_FALSE(m_page.buttons().isEmpty());
    EXPECT_TRUE(m_page.text().contains("which fits"));
    EXPECT_FALSE(fits());
    const Json before = train::project_to_json(m_document.config());
    m_page.buttons().first()->click();
    EXPECT_NE(train::project_to_json(m_document.config()), before);
    EXPECT_TRUE(fits()) << "those that fit come first";
    EXPECT_TRUE(m_document.undoStack().undoText().startsWith("Follow the plan: "));
    m_document.undoStack().undo();
    EXPECT_EQ(train::project_to_json(m_document.config()), before);
    QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

TEST_F(PlanViewTest, EachChangeIsAnEdit) {
    parallel::PlanChange change;
    change.batch_size = 4;
    change.accumulation = 8;
    change.precision = "mixed_bfloat16";
    change.recompute = {"hidden"};
    change.devices = {{"classes", "cpu:1"}};
    change.micro_batches = 2;
    change.sharded_optimizer = false;
    m_config.placement.devices = {"cpu:0"};
    applyChange(m_config, change);
    EXPECT_EQ(m_config.data.pipeline.batch_size, 4);
    EXPECT_EQ(m_config.training.gradient_accumulation_steps, 8);
    EXPECT_EQ(m_config.training.precision, "mixed_bfloat16");
    EXPECT_TRUE(m_config.model.layer("hidden").recompute);
    EXPECT_EQ(m_config.model.layer("classes").device, "cpu:1");
    EXPECT_TRUE(m_config.placement.devices.empty()) << "it was for one device";
    EXPECT_EQ(m_config.placement.micro_batches, 2);
    EXPECT_FALSE(m_config.placement.sharded_optimizer);
    const QString text = changeText(change);
    for (const char* part : {"batch size 4, 8 batches", "mixed_bfloat16", "hidden",
                             "classes on cpu:1", "2 micro-batches"})
        EXPECT_TRUE(text.contains(part)) << part << " in " << qPrintable(text);
}

TEST_F(PlanViewTest, AFailedRunOffersWhatNeedsLessAlsoWhereThePlanFits) {
    m_document.setProject(m_config);
    m_page.setPlan(predictPlacement(m_document.config()).plan);
    EXPECT_EQ(m_page.count(), 0);
    EXPECT_TRUE(m_page.text().contains("nothing holds it up"));
    bool planned = false;
    QObject::connect(&m_page, &PlanView::lessPlanned, [&] { planned = true; });
    const Error error(ErrorCode::out_of_memory, "1 GiB wanted, 2 MiB of 3 MiB are free", "cpu:0");
    ASSERT_TRUE(PlanView::tells(error));
    m_page.setFailure(error);
    EXPECT_EQ(m_page.count(), 1);
    EXPECT_TRUE(m_page.text().contains("Planning what needs less"));
    ASSERT_TRUE(test::waitFor([&] { return planned; }));
    EXPECT_TRUE(m_page.text().contains("1 GiB wanted"));
    EXPECT_FALSE(m_page.text().contains("which fits")) << "nobody knows what fits";
    ASSERT_FALSE(m_page.buttons().isEmpty());
    m_page.buttons().first()->click();
    EXPECT_EQ(m_document.undoStack().count(), 1);
    EXPECT_EQ(m_page.count(), 0) << "the project is another one now";
}

TEST_F(PlanViewTest, OtherErrorsAreNotOfTheDevicesMemory) {
    EXPECT_FALSE(PlanView::tells(Error(ErrorCode::io, "disk full", "cpu:0")));
    EXPECT_FALSE(
        PlanView::tells(Error(ErrorCode::out_of_memory, "too large", "data.pipeline.cache")));
    EXPECT_TRUE(PlanView::tells(Error(ErrorCode::out_of_memory, "there is not enough memory")));
}

}  // namespace
}  // namespace strata::ui
