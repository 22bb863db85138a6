// The canvas edits by drops and keys without breaking the wiring; the layout of branches.
#include "ui/canvas/canvas.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QDropEvent>
#include <QKeyEvent>
#include <QMimeData>

#include "tests/ui/support/ui_environment.h"
#include "ui/canvas/card_item.h"
#include "ui/canvas/edge_item.h"
#include "ui/canvas/layout.h"
#include "ui/document/model_edits.h"
#include "ui/palette/palette.h"

namespace strata::ui {
namespace {

using Names = std::vector<std::string>;

class CanvasTest : public testing::Test {
protected:
    void SetUp() override {
        m_document.setProject(test::smallProject("/data"));
        m_canvas.resize(700, 600);
        m_canvas.show();
        QApplication::processEvents();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QKeyEvent press(QEvent::KeyPress, key, modifiers);
        QApplication::sendEvent(&m_canvas, &press);
    }
    // Drops a layer type where the middle of the edge from -> to is drawn.
    void dropOnEdge(const char* type, const QString& from, const QString& to) {
        QPoint at(-1, -1);
        for (const EdgeItem* edge : m_canvas.edges())
            if (edge->from() == from && edge->to() == to)
                at = m_canvas.mapFromScene(edge->middle());
        ASSERT_GE(at.x(), 0) << "no such edge";
        QMimeData data;
        data.setData(layerMimeType, type);
        QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_canvas.viewport(), &enter);
        QDragMoveEvent move(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_canvas.viewport(), &move);
        QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_canvas.viewport(), &drop);
    }
    const graph::Model& model() { return m_document.model(); }

    Document m_document;
    Canvas m_canvas{m_document};
};

TEST_F(CanvasTest, ShowsACardALayerAndAnEdgeAConnection) {
    EXPECT_EQ(m_canvas.cardCount(), 5);
    EXPECT_EQ(m_canvas.edges().size(), 5U);  // four between layers, one into the loss
    EXPECT_EQ(m_canvas.card("classes")->data().shape, "(2,)");
    EXPECT_EQ(m_canvas.card("hidden")->data().count, "136");  // 16 x 8 + 8
}

TEST_F(CanvasTest, ADropOnAnEdgeInsertsWithoutRewiring) {
    m_document.edit("Branch", [](train::RunConfig& c) { branchFrom(c.model, "Dense", "hidden"); });
    dropOnEdge("Dropout", "hidden", "classes");
    EXPECT_EQ(model().layer("dropout").inputs, Names{"hidden"});
    EXPECT_EQ(model().layer("classes").inputs, Names{"dropout"});
    EXPECT_EQ(model().layer("dense").inputs, Names{"hidden"});
    EXPECT_EQ(m_document.selection(), QStringList{"dropout"});
    m_document.undoStack().undo();
    EXPECT_EQ(model().index_of("dropout"), -1);
    EXPECT_EQ(model().layer("classes").inputs, Names{"hidden"});
}

TEST_F(CanvasTest, ADropBeforeTheLossBecomesTheOutput) {
    dropOnEdge("Activation", "classes", "");
    EXPECT_EQ(model().layers.back().name, "activation");
    EXPECT_EQ(model().layer("activation").inputs, Names{"classes"});
    EXPECT_EQ(m_document.report().output, 5);
}

TEST_F(CanvasTest, KeysSelectAndDeselect) {
    key(Qt::Key_Down);
    EXPECT_EQ(m_document.selection(), QStringList{"input"});
    key(Qt::Key_Down);
    EXPECT_EQ(m_document.selection(), QStringList{"scale"});
    EXPECT_TRUE(m_canvas.card("scale")->isSelected());
    key(Qt::Key_Up);
    EXPECT_EQ(m_document.selection(), QStringList{"input"});
    key(Qt::Key_Escape);
    EXPECT_TRUE(m_document.selection().isEmpty());
}

TEST_F(CanvasTest, SpaceAsksForTheSearch) {
    int asked = 0;
    QObject::connect(&m_canvas, &Canvas::searchRequested, [&] { ++asked; });
    key(Qt::Key_Space);
    EXPECT_EQ(asked, 1);
}

TEST_F(CanvasTest, ManyLayersAreDeletedAsOneEntry) {
    m_document.select({"scale", "hidden"});
    m_canvas.removeSelected();
    EXPECT_EQ(m_canvas.cardCount(), 3);
    EXPECT_EQ(m_document.undoStack().count(), 1);
    m_document.undoStack().undo();
    EXPECT_EQ(m_canvas.cardCount(), 5);
}

TEST_F(CanvasTest, CopiedLayersArePastedWithTheirParameters) {
    m_document.select({"hidden"});
    m_canvas.copySelected();
    m_document.select({"hidden"});
    m_canvas.paste();
    const int at = model().index_of("dense");
    ASSERT_GE(at, 0);
    EXPECT_EQ(model().layer("dense").config.integer("units"), 8);
    EXPECT_EQ(model().layer("dense").inputs, Names{"hidden"});
    EXPECT_EQ(model().layer("classes").inputs, Names{"dense"});
}

TEST_F(CanvasTest, ACardSaysWhatIsWrongWithItsLayer) {
    m_document.edit("Remove", [](train::RunConfig& c) { removeLayers(c.model, {"flatten"}); });
    m_document.edit("Insert",
                    [](train::RunConfig& c) { insertLayer(c.model, "Conv2D", "hidden"); });
    EXPECT_TRUE(m_canvas.card("hidden")->data().error.isEmpty());
    m_document.edit("Insert", [](train::RunConfig& c) {
        insertLayer(c.model, "Flatten", "scale");  // Conv2D then gets rows instead of images
    });
    EXPECT_FALSE(m_canvas.card("conv2d")->data().error.isEmpty());
}

TEST_F(CanvasTest, ARunsErrorStandsAtItsLayerUntilTheNextEdit) {
    m_canvas.showRunError("hidden", "too large");
    EXPECT_EQ(m_canvas.card("hidden")->data().error, "too large");
    EXPECT_EQ(m_document.selection(), QStringList{"hidden"});
    m_document.edit("Insert",
                    [](train::RunConfig& c) { insertLayer(c.model, "Dropout", "hidden"); });
    EXPECT_TRUE(m_canvas.card("hidden")->data().error.isEmpty());
}

TEST(Layout, BranchesStandSideBySideAndMergeBelow) {
    graph::Model model = test::smallProject("/data").model;
    const std::string left = insertLayer(model, "Activation", "hidden");
    const std::string right = branchFrom(model, "Dropout", "hidden");
    const std::string sum = mergeLayers(model, "Add", {left, right});
    const auto places = layOut(model, graph::analyze(model));
    const auto at = [&](const std::string& name) {
        return places[static_cast<std::size_t>(model.index_of(name))];
    };
    EXPECT_EQ(at(left).row, at(right).row);
    EXPECT_NE(at(left).column, at(right).column);
    EXPECT_EQ(at(sum).row, at(left).row + 1);
    EXPECT_EQ(at("classes").row, at(sum).row + 1);
}

}  // namespace
}  // namespace strata::ui
