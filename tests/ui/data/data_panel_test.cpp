// Each field of the data panel and the project must agree, both ways, with undo; the preview shows
// what the files hold, and why not where it cannot.
#include "ui/data/data_panel.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>

#include "tests/ui/support/ui_environment.h"
#include "ui/data/data_form.h"
#include "ui/data/preview_view.h"
#include "ui/data/sample_grid.h"
#include "ui/data/source_params.h"
#include "ui/widgets/param_form.h"

namespace strata::ui {
namespace {

using State = PreviewView::State;

class DataPanelTest : public testing::Test {
protected:
    DataPanelTest() : panel(document) {
        document.setProject(train::make_template("classic"));
        panel.resize(320, 900);
        panel.show();
    }
    template <typename Widget>
    Widget* field(const QString& key) const {
        return qobject_cast<Widget*>(panel.findChild<DataForm*>()->editor(key));
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
        ASSERT_GE(index, 0);
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
        Q_EMIT box->textActivated(box->itemText(index));
    }
    void chooseKind(const QString& title) {
        auto* box = field<QComboBox>("data.source");
        choose(box, box->findText(title));
    }
    bool reaches(State state) {
        const bool reached = test::waitFor([&] { return panel.preview().state() == state; });
        QApplication::processEvents();  // a layout shows what is new in it a moment later
        return reached;
    }
    void openSmall(int count) {
        test::writeIdx(folder.path(), count);
        document.setProject(test::smallProject(folder.path()));
    }
    const train::RunConfig& config() const { return document.config(); }

    QTemporaryDir folder;
    Document document;
    DataPanel panel;
};

TEST_F(DataPanelTest, FilesAreAnEditWhenAPairIsGiven) {
    const QTemporaryDir dir;
    for (const char* name : {"a-images", "a-labels"}) {
        QFile file(dir.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    }
    choose(field<QComboBox>("data.source"), 0);
    EXPECT_TRUE(config().data.source.is_null());
    const int before = document.undoStack().count();
    choose(field<QComboBox>("data.source"), 2);
    auto* images = panel.findChild<QLineEdit*>("data.source.images");
    auto* labels = panel.findChild<QLineEdit*>("data.source.labels");
    ASSERT_TRUE(images->isVisibleTo(&panel));
    type(images, dir.filePath("a-images"));
    EXPECT_EQ(document.undoStack().count(), before);
    EXPECT_TRUE(shows("Choose the file with the labels, too."));
    type(labels, dir.filePath("a-labels"));
    EXPECT_EQ(document.undoStack().count(), before + 1);
    EXPECT_EQ(config().data.source, Json({{"type", "idx"},
                                          {"images", dir.filePath("a-images").toStdString()},
                                          {"labels", dir.filePath("a-labels").toStdString()}}));
    EXPECT_FALSE(shows("Choose the file with the labels, too."));
    document.undoStack().undo();
    EXPECT_FALSE(images->isVisibleTo(&panel));
    document.undoStack().redo();
    EXPECT_EQ(labels->text(), dir.filePath("a-labels"));
    type(labels, dir.filePath("missing"));
    EXPECT_TRUE(shows("There is no such file"));
}

TEST_F(DataPanelTest, FashionMnistIsTwoParts) {
    choose(field<QComboBox>("data.source"), 0);
    choose(field<QComboBox>("data.source"), 1);
    EXPECT_EQ(config().data.source["dataset"], "fashion-mnist");
    EXPECT_EQ(config().data.source["split"], "train");
    EXPECT_EQ(config().data.test["split"], "test");
    EXPECT_EQ(document.undoStack().undoText(), "Use Fashion-MNIST");
}

TEST_F(DataPanelTest, TheShareReachesTheProject) {
    field<QDoubleSpinBox>("data.validation_split")->setValue(0.25);
    EXPECT_EQ(config().data.validation_split, 0.25);
    EXPECT_EQ(document.undoStack().undoText(), "Change the validation share");
    document.undoStack().undo();
    EXPECT_EQ(field<QDoubleSpinBox>("data.validation_split")->value(),
              config().data.validation_split);
}

// A generator needs no file: it is an edit at once, with a test set of other numbers.
TEST_F(DataPanelTest, AGeneratorIsChosenWithItsDefaults) {
    chooseKind("Two moons");
    EXPECT_EQ(config().data.source, Json({{"type", "moons"}}));
    EXPECT_EQ(config().data.test, Json({{"type", "moons"}, {"seed", 2}}));
    EXPECT_EQ(document.undoStack().undoText(), "Choose the data: Two moons");
    ParamForm* form = panel.findChild<DataForm*>()->params()->form();
    ASSERT_TRUE(form->isVisibleTo(&panel));
    qobject_cast<QSpinBox*>(form->editor("count"))->setValue(300);
    EXPECT_EQ(config().data.source["count"], 300);
    EXPECT_EQ(config().data.test["count"], 300);
    document.undoStack().undo();
    EXPECT_FALSE(config().data.source.contains("count"));
    document.undoStack().undo();
    EXPECT_FALSE(form->isVisibleTo(&panel));
}

// A kind that needs a file changes the project once the file is named.
TEST_F(DataPanelTest, AFolderIsADraftUntilItIsNamed) {
    const Json before = config().data.source;
    chooseKind("Folder of images");
    EXPECT_EQ(config().data.source, before);
    ParamForm* form = panel.findChild<DataForm*>()->params()->form();
    type(qobject_cast<QLineEdit*>(form->editor("folder")), "/data/1e3");
    EXPECT_EQ(config().data.source["folder"], "/data/1e3");
    EXPECT_TRUE(config().data.test.is_null());
}

TEST_F(DataPanelTest, ThePreviewShowsPicturesClassesAndSplit) {
    openSmall(40);
    ASSERT_TRUE(reaches(State::shown));
    EXPECT_EQ(panel.preview().grid()->cells().size(), 24U);
    EXPECT_EQ(panel.preview().grid()->cells()[1].label, "1");
    EXPECT_EQ(panel.preview().grid()->cells()[0].image.size(), QSize(4, 4));
    EXPECT_TRUE(shows("36 train · 4 validation"));
    EXPECT_TRUE(shows("(4, 4, 1) · uint8"));
    EXPECT_FALSE(panel.preview().table()->isVisibleTo(&panel));
}

TEST_F(DataPanelTest, ThePreviewOfPointsIsATable) {
    chooseKind("Two moons");
    ASSERT_TRUE(reaches(State::shown));
    const QTableWidget* table = panel.preview().table();
    ASSERT_TRUE(table->isVisibleTo(&panel));
    EXPECT_EQ(table->columnCount(), 3);
    EXPECT_EQ(table->item(0, 2)->text(), "upper moon");
    EXPECT_EQ(table->item(1, 2)->text(), "lower moon");
    EXPECT_TRUE(shows("The samples are (2,), the model's input is (28, 28, 1)"));
}

TEST_F(DataPanelTest, WithoutDataAndWithBadDataThePreviewSaysSo) {
    chooseKind("No data chosen");
    ASSERT_TRUE(reaches(State::empty));
    EXPECT_TRUE(shows("Choose a source above"));
    document.edit("Missing", [](train::RunConfig& c) {
        c.data.source = {{"type", "images"}, {"folder", "/nowhere/at/all"}, {"size", 8}};
    });
    ASSERT_TRUE(reaches(State::failed));
    EXPECT_TRUE(shows("/nowhere/at/all"));
    openSmall(8);
    ASSERT_TRUE(reaches(State::shown));
    EXPECT_FALSE(shows("/nowhere/at/all"));
}

// What was asked last is shown, however the readings end.
TEST_F(DataPanelTest, TheNewestSourceWins) {
    for (const char* title : {"Two moons", "Two circles", "Spirals", "Noisy sine"}) {
        chooseKind(title);
        test::waitFor([] { return false; }, 20);
    }
    ASSERT_TRUE(test::waitFor([&] {
        return panel.preview().state() == State::shown && panel.preview().preview() &&
               !panel.preview().preview()->labels;
    }));
    EXPECT_EQ(panel.preview().table()->horizontalHeaderItem(1)->text(), "target");
}

// Batches do not change what the samples are: nothing is read again.
TEST_F(DataPanelTest, OtherEditsReadNothing) {
    openSmall(8);
    ASSERT_TRUE(reaches(State::shown));
    int changes = 0;
    QObject::connect(&panel.preview(), &PreviewView::stateChanged, [&] { ++changes; });
    document.edit("Batch", [](train::RunConfig& c) { c.data.pipeline.batch_size = 3; });
    test::waitFor([] { return false; }, 500);
    EXPECT_EQ(changes, 0);
    document.edit("Split", [](train::RunConfig& c) { c.data.validation_split = 0.5; });
    ASSERT_TRUE(test::waitFor([&] { return changes >= 2; }));
    EXPECT_TRUE(test::waitFor([&] { return shows("4 train · 4 validation"); }));
}

TEST_F(DataPanelTest, EngineErrorsStandAtTheirField) {
    EXPECT_TRUE(
        panel.showError(Error(ErrorCode::format, "is damaged", "data.source", "Copy it again")));
    EXPECT_TRUE(shows("Copy it again"));
    EXPECT_TRUE(
        panel.showError(Error(ErrorCode::format, "is odd", "data.test", "Copy that again")));
    EXPECT_TRUE(shows("Copy that again"));
    EXPECT_FALSE(panel.showError(Error(ErrorCode::internal, "odd", "training.epochs")));
}

}  // namespace
}  // namespace strata::ui
