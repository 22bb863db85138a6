// The cards of copies and of the pipeline: the project follows them, and they tell the planner's
// numbers.
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QTemporaryDir>

#include "tests/ui/support/ui_environment.h"
#include "ui/document/model_edits.h"
#include "ui/document/placement_edits.h"
#include "ui/techniques/technique_card.h"
#include "ui/techniques/techniques_panel.h"

namespace strata::ui {
namespace {

class ParallelCardsTest : public testing::Test {
protected:
    ParallelCardsTest() : panel(document) {
        test::writeIdx(folder.path(), 64);
        train::RunConfig project = test::smallProject(folder.path());
        project.base = folder.path().toStdString();
        document.setProject(project);
        panel.resize(320, 900);
    }

    TechniqueCard* card(const QString& key) const {
        for (TechniqueCard* each : panel.cards())
            if (each->hasRow(key)) return each;
        return nullptr;
    }
    template <typename Widget>
    Widget* field(const QString& key) const {
        TechniqueCard* owner = card(key);
        return owner == nullptr ? nullptr : qobject_cast<Widget*>(owner->editor(key));
    }
    void turn(const QString& key) const { field<QCheckBox>(key)->toggle(); }
    static void choose(QComboBox* box, const QString& value) {
        const int index = box->findData(value);
        ASSERT_GE(index, 0) << value.toStdString();
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
        Q_EMIT box->textActivated(box->itemText(index));
    }
    bool shows(const QString& text) const {
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (label->isVisibleTo(&panel) && label->text().contains(text)) return true;
        return false;
    }

    QTemporaryDir folder;
    Document document;
    TechniquesPanel panel;
};

TEST_F(ParallelCardsTest, CopiesOfTheModelShowWhatTheyMakeOfTheBatch) {
    panel.show();
    turn("placement.replicas");
    field<QSpinBox>("placement.replicas.count")->setValue(3);
    EXPECT_EQ(document.config().placement.replicas, 3);
    turn("training.gradient_accumulation_steps");
    field<QSpinBox>("training.gradient_accumulation_steps.batches")->setValue(2);
    QString told;
    ASSERT_TRUE(test::waitFor([&] {
        told = card("placement.replicas")->effectText();
        return told.contains("a device");
    }));
    // 64 samples, a tenth of them kept back: 58 in batches of 24, two of which make an update.
    EXPECT_TRUE(told.contains("8 × 2 × 3 = 48")) << told.toStdString();
    EXPECT_TRUE(told.contains("2 updates an epoch")) << told.toStdString();
    EXPECT_FALSE(shows("BatchNormalization: each copy"));
    document.edit("Insert", [](train::RunConfig& c) {
        insertLayer(c.model, "BatchNormalization", "hidden");
    });
    EXPECT_TRUE(shows("BatchNormalization: each copy"));
}

TEST_F(ParallelCardsTest, ThePipelineAsksForDevicesAndThenTellsItsIdleTime) {
    panel.show();
    EXPECT_TRUE(shows("place some of them on another one first"));
    document.edit("Place", [](train::RunConfig& c) { placeLayers(c, {"classes"}, "cpu:1"); });
    EXPECT_FALSE(shows("place some of them on another one first"));
    turn("placement.micro_batches");
    field<QSpinBox>("placement.micro_batches.count")->setValue(4);
    choose(field<QComboBox>("placement.schedule"), "gpipe");
    EXPECT_EQ(document.config().placement.micro_batches, 4);
    EXPECT_EQ(document.config().placement.schedule, parallel::ScheduleKind::gpipe);
    QString told;
    ASSERT_TRUE(test::waitFor([&] {
        told = card("placement.micro_batches")->effectText();
        return told.contains("by the formula");
    }));
    EXPECT_TRUE(told.contains("by the formula 20 %")) << told.toStdString();  // (2-1)/(4+2-1)
}

}  // namespace
}  // namespace strata::ui
