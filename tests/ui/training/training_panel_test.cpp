// Each field of the training panel and the project must agree, both ways, with undo.
#include "ui/training/training_panel.h"

#include <gtest/gtest.h>

#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QWheelEvent>

#include "ui/training/optimizer_form.h"
#include "ui/training/run_form.h"
#include "ui/widgets/param_form.h"

namespace strata::ui {
namespace {

class TrainingPanelTest : public testing::Test {
protected:
    TrainingPanelTest() : panel(document) {
        document.setProject(train::make_template("classic"));
        panel.resize(320, 900);
        panel.show();
    }

    template <typename Widget>
    Widget* field(const QString& key) const {
        for (SettingsForm* form : panel.findChildren<SettingsForm*>())
            if (form->hasRow(key)) return qobject_cast<Widget*>(form->editor(key));
        return nullptr;
    }

    static void type(QLineEdit* edit, const QString& text) {
        edit->setText(text);
        edit->setModified(true);
        Q_EMIT edit->editingFinished();
    }

    bool shows(const QString& text) const {
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (label->isVisibleTo(&panel) && label->text().contains(text)) return true;
        return false;
    }

    static void choose(QComboBox* box, int index) {
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
        Q_EMIT box->textActivated(box->itemText(index));
    }

    const train::RunConfig& config() const { return document.config(); }

    Document document;
    TrainingPanel panel;
};

TEST_F(TrainingPanelTest, ScrollingOverAFieldChangesNothing) {
    const auto turn = [](QWidget* over) {
        const QPointF at = over->rect().center();
        QWheelEvent wheel(at, over->mapToGlobal(at), {}, QPoint(0, -120), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(over, &wheel);
    };
    auto* optimizer = field<QComboBox>("training.optimizer");
    auto* epochs = field<QSpinBox>("training.epochs");
    const train::RunConfig before = config();
    panel.setFocus();
    turn(optimizer);
    turn(epochs);
    optimizer->setFocus();
    turn(optimizer);
    EXPECT_EQ(config().training.optimizer, before.training.optimizer);
    EXPECT_EQ(optimizer->currentText().toStdString(), before.training.optimizer);
    EXPECT_EQ(config().training.epochs, before.training.epochs);
}

TEST_F(TrainingPanelTest, ShowsTheProject) {
    train::RunConfig project = train::make_template("classic");
    project.training.epochs = 17;
    project.training.seed = 99;
    project.data.pipeline.batch_size = 48;
    project.placement.threads = 3;
    project.training.optimizer = "SGD";
    project.training.optimizer_config = {{"learning_rate", 0.05}};
    document.setProject(project);
    EXPECT_EQ(field<QSpinBox>("training.epochs")->value(), 17);
    EXPECT_EQ(field<QLineEdit>("training.seed")->text(), "99");
    EXPECT_EQ(field<QSpinBox>("data.pipeline")->value(), 48);
    EXPECT_EQ(field<QSpinBox>("placement.threads")->value(), 3);
    EXPECT_EQ(field<QComboBox>("training.optimizer")->currentText(), "SGD");
    auto* rate = qobject_cast<QLineEdit*>(
        panel.findChild<OptimizerForm*>()->params()->editor("learning_rate"));
    EXPECT_EQ(rate->text(), "0.05");
    EXPECT_EQ(document.undoStack().count(), 0);
}

TEST_F(TrainingPanelTest, AnEditIsOneNamedUndoableStep) {
    const auto before = config().training.epochs;
    field<QSpinBox>("training.epochs")->setValue(40);
    field<QSpinBox>("training.epochs")->setValue(41);
    EXPECT_EQ(config().training.epochs, 41);
    ASSERT_EQ(document.undoStack().count(), 1);
    EXPECT_EQ(document.undoStack().undoText(), "Change the number of epochs");
    document.undoStack().undo();
    EXPECT_EQ(config().training.epochs, before);
    EXPECT_EQ(field<QSpinBox>("training.epochs")->value(), before);
    document.undoStack().redo();
    EXPECT_EQ(field<QSpinBox>("training.epochs")->value(), 41);
    EXPECT_EQ(document.undoStack().count(), 1);
}

TEST_F(TrainingPanelTest, EveryFieldReachesTheProject) {
    field<QSpinBox>("data.pipeline")->setValue(33);
    field<QCheckBox>("data.pipeline.drop_remainder")->toggle();
    field<QSpinBox>("placement.threads")->setValue(2);
    type(field<QLineEdit>("training.seed"), "12345678901");
    EXPECT_EQ(config().data.pipeline.batch_size, 33);
    EXPECT_TRUE(config().data.pipeline.drop_remainder);
    EXPECT_EQ(config().placement.threads, 2);
    EXPECT_EQ(config().training.seed, 12345678901U);
    EXPECT_EQ(document.undoStack().count(), 4);
    while (document.undoStack().canUndo()) document.undoStack().undo();
    EXPECT_EQ(train::project_to_json(config()),
              train::project_to_json(train::make_template("classic")));
    EXPECT_EQ(
        train::project_to_json(train::project_from_json(train::project_to_json(config()), "")),
        train::project_to_json(config()));
}

TEST_F(TrainingPanelTest, ANewOptimizerBringsItsOwnDefaults) {
    auto* form = panel.findChild<OptimizerForm*>();
    auto* box = field<QComboBox>("training.optimizer");
    type(qobject_cast<QLineEdit*>(form->params()->editor("learning_rate")), "0.02");
    EXPECT_EQ(config().training.optimizer_config, Json({{"learning_rate", 0.02}}));
    choose(box, box->findText("SGD"));
    EXPECT_EQ(config().training.optimizer, "SGD");
    EXPECT_EQ(config().training.optimizer_config, Json::object());
    EXPECT_NE(form->params()->editor("momentum"), nullptr);
    EXPECT_EQ(form->params()->editor("beta_1"), nullptr);
    document.undoStack().undo();
    EXPECT_NE(form->params()->editor("beta_1"), nullptr);
    EXPECT_EQ(qobject_cast<QLineEdit*>(form->params()->editor("learning_rate"))->text(), "0.02");
}

TEST_F(TrainingPanelTest, ABadParameterIsToldAtItsField) {
    auto* form = panel.findChild<OptimizerForm*>();
    type(qobject_cast<QLineEdit*>(form->params()->editor("learning_rate")), "quick");
    EXPECT_EQ(document.undoStack().count(), 0);
    EXPECT_TRUE(shows("quick"));
    EXPECT_TRUE(shows("number"));
    type(field<QLineEdit>("training.seed"), "-4");
    EXPECT_EQ(document.undoStack().count(), 0);
    EXPECT_TRUE(shows("The seed is a whole number"));
}

TEST_F(TrainingPanelTest, MetricsAreChosenByTheirBoxes) {
    auto* box = panel.findChild<QCheckBox*>("sparse_categorical_accuracy");
    ASSERT_NE(box, nullptr);
    EXPECT_FALSE(box->isChecked());
    box->toggle();
    EXPECT_EQ(config().training.metrics,
              (std::vector<std::string>{"accuracy", "sparse_categorical_accuracy"}));
    panel.findChild<QCheckBox*>("accuracy")->toggle();
    EXPECT_EQ(config().training.metrics, std::vector<std::string>{"sparse_categorical_accuracy"});
    document.undoStack().undo();
    EXPECT_TRUE(panel.findChild<QCheckBox*>("accuracy")->isChecked());
}

TEST_F(TrainingPanelTest, ALossThatDoesNotFitTheModelIsToldAtOnce) {
    EXPECT_FALSE(shows("two classes or more"));
    document.edit("One unit", [](train::RunConfig& c) {
        graph::LayerNode& last = c.model.layers.back();
        Json values = last.config.json();
        values["units"] = 1;
        last.config = layers::Config::checked(last.type->spec.params, values);
    });
    EXPECT_TRUE(shows("two classes or more"));
    auto* box = field<QComboBox>("training.loss");
    choose(box, box->findData("binary_crossentropy"));
    EXPECT_EQ(config().training.loss, "binary_crossentropy");
    EXPECT_FALSE(shows("two classes or more"));
    document.undoStack().undo();
    EXPECT_EQ(box->currentData().toString().toStdString(), config().training.loss);
    EXPECT_TRUE(shows("two classes or more"));
}

TEST_F(TrainingPanelTest, EngineErrorsStandAtTheirField) {
    EXPECT_TRUE(panel.showError(
        Error(ErrorCode::invalid_argument, "must be at least 1", "training.epochs", "5 is usual")));
    EXPECT_TRUE(shows("5 is usual"));
    EXPECT_FALSE(panel.showError(Error(ErrorCode::internal, "odd", "elsewhere")));
}

TEST_F(TrainingPanelTest, ControlsHaveNamesAndHelp) {
    int seen = 0;
    for (const QWidget* widget : panel.findChildren<QWidget*>()) {
        const bool inner = widget->parentWidget() != nullptr &&
                           (qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
                            qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr);
        const bool control = qobject_cast<const QLineEdit*>(widget) != nullptr ||
                             qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
                             qobject_cast<const QComboBox*>(widget) != nullptr ||
                             qobject_cast<const QAbstractButton*>(widget) != nullptr;
        if (!control || inner) continue;
        ++seen;
        EXPECT_FALSE(widget->accessibleName().isEmpty())
            << widget->metaObject()->className() << widget->objectName().toStdString();
        EXPECT_FALSE(widget->toolTip().isEmpty())
            << widget->metaObject()->className() << widget->objectName().toStdString();
    }
    EXPECT_GT(seen, 14);
}

}  // namespace
}  // namespace strata::ui
