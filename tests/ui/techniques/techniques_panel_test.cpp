// Each card of the techniques panel and the project must agree, both ways, with undo; predictions
// are the planner's; the deck gives what was typed.
#include "ui/techniques/techniques_panel.h"

#include <gtest/gtest.h>

#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <cmath>

#include "tests/ui/techniques/panel_fixture.h"
#include "ui/document/model_edits.h"
#include "ui/techniques/control_deck.h"
#include "ui/techniques/schedule_card.h"
#include "ui/widgets/param_form.h"

namespace strata::ui {
namespace {

class TechniquesPanelTest : public PanelFixture {
protected:
    static void type(QLineEdit* edit, const QString& text) {
        edit->setText(text);
        edit->setModified(true);
        Q_EMIT edit->editingFinished();
    }
    const train::TrainingConfig& training() const { return document.config().training; }
};

TEST_F(TechniquesPanelTest, EverySwitchIsOneNamedUndoableStep) {
    const Json before = train::project_to_json(document.config());
    for (const char* key :
         {"training.precision", "training.allow_tf32", "training.gradient_accumulation_steps",
          "training.clipping", "training.learning_rate_schedule", "training.ema",
          "training.early_stopping", "training.checkpoint", "training.recomputation",
          "placement.replicas", "placement.micro_batches"}) {
        QCheckBox* box = field<QCheckBox>(key);
        ASSERT_NE(box, nullptr) << key;
        const bool was = box->isChecked();
        box->toggle();
        EXPECT_EQ(document.undoStack().count(), 1) << key;
        EXPECT_NE(train::project_to_json(document.config()), before) << key;
        EXPECT_TRUE(document.undoStack().undoText().startsWith(was ? "Turn off: " : "Turn on: "));
        document.undoStack().undo();
        EXPECT_EQ(train::project_to_json(document.config()), before) << key;
        EXPECT_EQ(box->isChecked(), was) << key;
        document.undoStack().clear();
    }
}

TEST_F(TechniquesPanelTest, EveryOptionReachesTheProject) {
    turn("training.precision");
    choose(field<QComboBox>("training.precision.policy"), "mixed_float16");
    choose(field<QComboBox>("training.loss_scale"), "fixed");
    type(field<QLineEdit>("training.loss_scale.initial"), "1024");
    turn("training.gradient_accumulation_steps");
    field<QSpinBox>("training.gradient_accumulation_steps.batches")->setValue(3);
    turn("training.clipping");
    choose(field<QComboBox>("training.clipping.type"), "clipnorm");
    type(field<QLineEdit>("training.clipping.value"), "0.5");
    turn("training.ema");
    type(field<QLineEdit>("training.ema.momentum"), "0.9");
    turn("training.early_stopping");
    choose(field<QComboBox>("training.early_stopping.monitor"), "val_accuracy");
    field<QSpinBox>("training.early_stopping.patience")->setValue(7);
    type(field<QLineEdit>("training.early_stopping.min_delta"), "1e-3");
    type(field<QLineEdit>("training.early_stopping.baseline"), "0.25");
    turn("training.early_stopping.restore_best_weights");
    field<QSpinBox>("training.early_stopping.start_from_epoch")->setValue(2);
    choose(field<QComboBox>("training.checkpoint.monitor"), "loss");
    choose(field<QComboBox>("training.checkpoint.mode"), "min");
    field<QSpinBox>("training.checkpoint.save_freq")->setValue(50);
    type(field<QLineEdit>("training.checkpoint.save_minutes"), "2.5");
    field<QSpinBox>("training.checkpoint.keep_last")->setValue(4);
    type(field<QLineEdit>("training.checkpoint.filename"), "c-{update}.h5");
    turn("training.recomputation");
    field<QDoubleSpinBox>("training.recomputation.memory_limit")->setValue(20);
    EXPECT_EQ(training().precision, "mixed_float16");
    EXPECT_FALSE(training().loss_scale.dynamic);
    EXPECT_EQ(training().loss_scale.initial, 1024.0);
    EXPECT_EQ(training().gradient_accumulation_steps, 3);
    EXPECT_EQ(training().clipping.type, train::Clipping::norm);
    EXPECT_EQ(training().clipping.value, 0.5);
    EXPECT_EQ(training().ema.momentum, 0.9);
    EXPECT_EQ(training().early_stopping.monitor, "val_accuracy");
    EXPECT_EQ(training().early_stopping.patience, 7);
    EXPECT_EQ(training().early_stopping.min_delta, 1e-3);
    EXPECT_EQ(training().early_stopping.baseline, 0.25);
    EXPECT_TRUE(training().early_stopping.restore_best_weights);
    EXPECT_EQ(training().early_stopping.start_from_epoch, 2);
    EXPECT_EQ(training().checkpoint.monitor, "loss");
    EXPECT_EQ(training().checkpoint.mode, "min");
    EXPECT_EQ(training().checkpoint.save_freq, 50);
    EXPECT_EQ(training().checkpoint.save_minutes, 2.5);
    EXPECT_EQ(training().checkpoint.keep_last, 4);
    EXPECT_EQ(training().checkpoint.filename, "c-{update}.h5");
    EXPECT_EQ(training().recomputation.memory_limit, 20 << 20);
    const Json json = train::project_to_json(document.config());
    EXPECT_EQ(train::project_to_json(train::project_from_json(json, "")), json);
}

TEST_F(TechniquesPanelTest, Tf32SaysWhereItChangesNothing) {
    turn("training.allow_tf32");
    EXPECT_TRUE(training().allow_tf32);
    EXPECT_FALSE(field<QCheckBox>("training.allow_tf32")->toolTip().isEmpty());
    const auto effect = [this] { return card("training.allow_tf32")->effectText(); };
    EXPECT_EQ(effect(), "No effect: no layer stands on a GPU");
    document.edit("a GPU", [](train::RunConfig& c) {
        for (graph::LayerNode& layer : c.model.layers) layer.device = "cuda:0";
    });
    EXPECT_EQ(effect(), "");
    document.edit("16 bits", [](train::RunConfig& c) { c.training.precision = "mixed_bfloat16"; });
    EXPECT_EQ(effect(), "No effect: no layer computes in float32");
}

TEST_F(TechniquesPanelTest, ThePipelinesOptionsReachTheProject) {
    turn("data.pipeline.shuffle");
    EXPECT_FALSE(document.config().data.pipeline.shuffle);
    turn("data.pipeline.shuffle");
    field<QSpinBox>("data.pipeline.shuffle.buffer_size")->setValue(500);
    const bool cached = document.config().data.cache;
    turn("data.pipeline.cache");
    EXPECT_EQ(document.config().data.cache, !cached);
    choose(field<QComboBox>("data.pipeline.cache.where"), "disk");
    field<QSpinBox>("data.pipeline.prefetch")->setValue(9);
    turn("data.pipeline.prefetch.auto");
    EXPECT_EQ(document.config().data.pipeline.shuffle_buffer, 500);
    EXPECT_EQ(document.config().data.pipeline.cache_place, data::CachePlace::disk);
    EXPECT_EQ(document.config().data.pipeline.prefetch, 9);
    EXPECT_TRUE(document.config().data.pipeline.autotune);
}

TEST_F(TechniquesPanelTest, TheScheduleIsMadeOfItsParts) {
    auto* schedule = qobject_cast<ScheduleCard*>(card("training.learning_rate_schedule"));
    ASSERT_NE(schedule, nullptr);
    turn("training.learning_rate_schedule");
    choose(field<QComboBox>("training.learning_rate_schedule.type"), "StepDecay");
    type(qobject_cast<QLineEdit*>(schedule->params()->editor("gamma")), "0.5");
    field<QSpinBox>("training.learning_rate_schedule.warmup")->setValue(10);
    turn("training.learning_rate_schedule.reduce_on_plateau");
    EXPECT_EQ(training().schedule, Json({{"type", "StepDecay"},
                                         {"config", {{"gamma", 0.5}}},
                                         {"warmup", {{"updates", 10}}},
                                         {"reduce_on_plateau", Json::object()}}));
    type(qobject_cast<QLineEdit*>(schedule->params()->editor("gamma")), "7");
    EXPECT_FALSE(schedule->params()->error("gamma").isEmpty());
    EXPECT_EQ(training().schedule["config"]["gamma"], 0.5);
}

TEST_F(TechniquesPanelTest, WhatTrainWouldRefuseStandsAtItsRow) {
    turn("training.early_stopping");
    EXPECT_FALSE(shows("this run has no value"));
    document.edit("Another",
                  [](train::RunConfig& c) { c.training.early_stopping.monitor = "val_recall"; });
    EXPECT_TRUE(shows("val_recall"));
    document.undoStack().undo();
    EXPECT_FALSE(shows("val_recall"));
    turn("training.clipping");
    type(field<QLineEdit>("training.clipping.value"), "-1");
    EXPECT_EQ(training().clipping.value, 1.0);
    EXPECT_TRUE(shows("0"));
    type(field<QLineEdit>("training.clipping.value"), "much");
    EXPECT_TRUE(shows("Type a number"));
    EXPECT_TRUE(panel.showError(Error(ErrorCode::invalid_argument, "odd", "training.ema", "Fix")));
    EXPECT_FALSE(panel.showError(Error(ErrorCode::internal, "odd", "elsewhere")));
}

TEST_F(TechniquesPanelTest, TheMemoryLimitIsShownAsItIs) {
    const char* key = "training.recomputation.memory_limit";
    const auto set = [&](std::int64_t bytes) {
        document.edit("Limit", [bytes](train::RunConfig& c) {
            c.training.recomputation.memory_limit = bytes;
        });
    };
    auto* box = field<QDoubleSpinBox>(key);
    ASSERT_NE(box, nullptr);
    // The bytes divided by 2^20, by hand.
    for (const auto& [bytes, text] :
         std::vector<std::pair<std::int64_t, QString>>{{1000, "0.0009537 MiB"},
                                                       {10000000, "9.5367432 MiB"},
                                                       {20 << 20, "20 MiB"},
                                                       {std::int64_t{2048} << 20, "2048 MiB"}}) {
        set(bytes);
        EXPECT_EQ(box->text(), text);
        EXPECT_EQ(training().recomputation.memory_limit, bytes);
        EXPECT_EQ(std::llround(box->value() * 1048576.0), bytes);
    }
    box->setValue(0.5);
    EXPECT_EQ(training().recomputation.memory_limit, 1 << 19);
}

TEST_F(TechniquesPanelTest, WhatTrainRefusesIsSeenAndHasTheFocus) {
    turn("training.learning_rate_schedule");
    turn("training.early_stopping");
    panel.resize(320, 300);
    int predictions = 0;
    QObject::connect(&panel, &TechniquesPanel::predicted, [&] { ++predictions; });
    for (const char* key : {"training.checkpoint.monitor", "training.checkpoint.filename",
                            "training.learning_rate_schedule.type"}) {
        panel.hide();
        ASSERT_TRUE(panel.showError(Error(ErrorCode::invalid_argument, "not good", key)));
        panel.show();
        QWidget* editor = field<QWidget>(key);
        EXPECT_TRUE(test::waitFor([&] { return panel.focusWidget() == editor; })) << key;
        const auto isSeen = [&] {
            const QPoint at = editor->mapTo(panel.viewport(), QPoint());
            return panel.viewport()->rect().contains(QRect(at, editor->size()));
        };
        EXPECT_TRUE(test::waitFor(isSeen)) << key;
        ASSERT_TRUE(test::waitFor([&] { return predictions > 0; }));  // it moves the cards
        EXPECT_TRUE(test::waitFor(isSeen)) << key;
        EXPECT_TRUE(shows("Not good")) << key;
    }
    document.edit("Another", [](train::RunConfig& c) { c.training.epochs = 9; });
    EXPECT_FALSE(shows("Not good"));
}

TEST_F(TechniquesPanelTest, TheEffectsAreThePlanners) {
    int predictions = 0;
    QObject::connect(&panel, &TechniquesPanel::predicted, [&] { ++predictions; });
    panel.show();
    ASSERT_TRUE(test::waitFor([&] { return predictions > 0; }));
    // 64 samples, a tenth set aside: 58 train in 8 batches of 8; 4 batches an update make 2.
    TechniqueCard* accumulation = card("training.gradient_accumulation_steps");
    EXPECT_TRUE(accumulation->effectText().contains("batch 8"))
        << accumulation->effectText().toStdString();
    EXPECT_TRUE(accumulation->effectText().contains("8 update"));
    const int before = predictions;
    turn("training.gradient_accumulation_steps");
    turn("training.learning_rate_schedule");
    ASSERT_TRUE(test::waitFor([&] { return predictions > before; }));
    EXPECT_TRUE(accumulation->effectText().contains("batch 32"));
    EXPECT_TRUE(accumulation->effectText().contains("2 update"))
        << accumulation->effectText().toStdString();
    EXPECT_FALSE(card("training.ema")->effectText().isEmpty());
    // 3 epochs of 2 updates: each of them is on the curve, from the full rate down to 0's side.
    auto* schedule = qobject_cast<ScheduleCard*>(card("training.learning_rate_schedule"));
    ASSERT_EQ(schedule->preview().size(), 6U);
    EXPECT_DOUBLE_EQ(schedule->preview().front(), 0.001);
    EXPECT_LT(schedule->preview().back(), 0.0001);
}

TEST_F(TechniquesPanelTest, TheStepTimeIsThePlannersWithItsParts) {
    int predictions = 0;
    QObject::connect(&panel, &TechniquesPanel::predicted, [&] { ++predictions; });
    turn("training.gradient_accumulation_steps");
    turn("training.clipping");
    panel.show();
    ASSERT_TRUE(test::waitFor([&] { return predictions > 0; }));
    // The four batches of an update share it: a sample costs less of it than without.
    const TechniquePrediction prediction = predictTechniques(document.config());
    ASSERT_TRUE(prediction.step.has_value());
    const auto& without = prediction.switchedSteps.at(Technique::accumulation);
    EXPECT_LT(prediction.step->update, without.update);
    EXPECT_GT(prediction.step->accumulation, 0.0);
    EXPECT_EQ(without.accumulation, 0.0);
    const double ratio = prediction.step->total() / without.total();
    EXPECT_TRUE(stepTimeEffect(prediction, Technique::accumulation, true)
                    .contains(QLocale().toString(ratio, 'f', 2)));
    for (const char* key : {"training.precision", "training.gradient_accumulation_steps",
                            "training.clipping", "training.ema"}) {
        EXPECT_TRUE(card(key)->effectText().contains("step time")) << key;
        EXPECT_TRUE(card(key)->effectParts().contains("forward pass: ")) << key;
    }
    EXPECT_TRUE(card("training.gradient_accumulation_steps")
                    ->effectParts()
                    .contains("adding up gradients: "));
    // Nobody chose a limit: there is nothing to compare with.
    EXPECT_FALSE(card("training.recomputation")->effectText().contains("step time"));
}

TEST_F(TechniquesPanelTest, BatchNormalizationIsToldOfWhereThereIsOne) {
    const char* key = "training.batch_normalization_statistics";
    turn("training.gradient_accumulation_steps");
    EXPECT_FALSE(field<QComboBox>(key)->isVisibleTo(&panel));
    EXPECT_FALSE(shows("BatchNormalization"));
    document.edit("Normalise", [](train::RunConfig& c) {
        insertOnEdge(c.model, "BatchNormalization", "flatten", "hidden");
    });
    EXPECT_TRUE(field<QComboBox>(key)->isVisibleTo(&panel));
    EXPECT_TRUE(shows("as in Keras"));
    choose(field<QComboBox>(key), "deferred");
    EXPECT_EQ(training().batch_statistics, train::BatchStatistics::deferred);
    EXPECT_TRUE(shows("once an update"));
    turn("training.gradient_accumulation_steps");  // off
    EXPECT_FALSE(field<QComboBox>(key)->isVisibleTo(&panel));
    EXPECT_TRUE(shows("as in Keras"));
    document.undoStack().undo();
    document.undoStack().undo();
    EXPECT_EQ(training().batch_statistics, train::BatchStatistics::each_micro_batch);
}

TEST_F(TechniquesPanelTest, ClippedUpdatesAreCounted) {
    turn("training.clipping");
    train::StepEvent small, large;
    small.update = 1;
    large.update = 2;
    small.clip_limit = large.clip_limit = 1.0;
    small.gradient_norm = 0.5;
    large.gradient_norm = 3.0;
    panel.addSteps({small, large});
    EXPECT_EQ(card("training.clipping")->effectText(), "Clipped in 1 of the last 2 updates");
}

TEST_F(TechniquesPanelTest, TheDeckGivesWhatWasTyped) {
    train::RunConfig config = document.config();
    config.training.clipping.type = train::Clipping::global_norm;
    ControlDeck* deck = panel.deck();
    std::vector<std::pair<int, double>> given;
    QObject::connect(deck, &ControlDeck::applied, [&](ControlDeck::Setting setting, double value) {
        given.emplace_back(setting, value);
    });
    deck->begin(config);
    deck->setState(train::RunState::running);
    train::StepEvent step;
    step.learning_rate = 0.002;
    step.clip_limit = 1.0;
    deck->addSteps({step});
    EXPECT_EQ(deck->field(ControlDeck::learningRate)->text(), "0.002");
    deck->button()->click();
    EXPECT_TRUE(given.empty());  // nothing was changed
    deck->field(ControlDeck::learningRate)->setText("0.0005");
    deck->field(ControlDeck::learningRate)->setModified(true);
    deck->field(ControlDeck::clipLimit)->setText("0");
    deck->field(ControlDeck::clipLimit)->setModified(true);
    deck->button()->click();
    EXPECT_EQ(given, (std::vector<std::pair<int, double>>{{ControlDeck::learningRate, 0.0005}}));
    deck->setState(train::RunState::finished);
    EXPECT_FALSE(deck->button()->isEnabled());
}

TEST_F(TechniquesPanelTest, ControlsHaveNamesAndHelp) {
    int seen = 0;
    for (const TechniqueCard* each : panel.cards())
        for (const QString& key : each->keys()) {
            ++seen;
            EXPECT_FALSE(each->editor(key)->accessibleName().isEmpty()) << key.toStdString();
            EXPECT_FALSE(each->editor(key)->toolTip().isEmpty()) << key.toStdString();
        }
    EXPECT_GT(seen, 35);
}

}  // namespace
}  // namespace strata::ui
