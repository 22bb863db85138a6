// The canvas edits by drops and keys without breaking the wiring; the layout of branches.
#include "ui/canvas/canvas.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>

#include "tests/ui/support/ui_environment.h"
#include "ui/canvas/card_item.h"
#include "ui/canvas/edge_item.h"
#include "ui/canvas/layout.h"
#include "ui/document/model_edits.h"
#include "ui/document/sharing_edits.h"
#include "ui/palette/palette.h"
#include "ui/widgets/theme.h"

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
    void dropOnEdge(const char* type, const QString& from, const QString& to,
                    const char* mime = layerMimeType) {
        QPoint at(-1, -1);
        for (const EdgeItem* edge : m_canvas.edges())
            if (edge->from() == from && edge->to() == to)
                at = m_canvas.mapFromScene(edge->middle());
        ASSERT_GE(at.x(), 0) << "no such edge";
        QMimeData data;
        data.setData(mime, type);
        QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_canvas.viewport(), &enter);
        QDragMoveEvent move(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_canvas.viewport(), &move);
        QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_canvas.viewport(), &drop);
    }
    void mouse(QEvent::Type type, QPointF scene) {
        const QPointF at = m_canvas.mapFromScene(scene);
        const bool move = type == QEvent::MouseMove, up = type == QEvent::MouseButtonRelease;
        QMouseEvent event(type, at, m_canvas.viewport()->mapToGlobal(at),
                          move ? Qt::NoButton : Qt::LeftButton, up ? Qt::NoButton : Qt::LeftButton,
                          Qt::NoModifier);
        QApplication::sendEvent(m_canvas.viewport(), &event);
    }
    // Draws a connection from a card's port to the middle of another card.
    void link(const QString& from, const QString& to) {
        const CardItem *source = m_canvas.card(from), *target = m_canvas.card(to);
        const QPointF end = target->mapToScene(target->cardRect().center());
        mouse(QEvent::MouseButtonPress, source->mapToScene(source->portRect().center()));
        mouse(QEvent::MouseMove, end);
        mouse(QEvent::MouseButtonRelease, end);
    }
    EdgeItem* edge(const QString& from, const QString& to) {
        for (EdgeItem* each : m_canvas.edges())
            if (each->from() == from && each->to() == to) return each;
        return nullptr;
    }
    const graph::Model& model() { return m_document.model(); }

    Document m_document;
    Canvas m_canvas{m_document};
};

TEST_F(CanvasTest, ACardTellsANameThatSaysMoreThanItsType) {
    EXPECT_TRUE(m_canvas.card("classes")->data().namesItself());
    EXPECT_FALSE(m_canvas.card("flatten")->data().namesItself());
    EXPECT_FALSE(m_canvas.card("input")->data().namesItself());
    CardData second;
    second.title = "Conv2D";
    second.name = "conv_2";
    EXPECT_TRUE(second.namesItself());
    const auto picture = [&] { return m_canvas.viewport()->grab().toImage(); };
    const QImage before = picture();
    m_document.edit("Rename", [](train::RunConfig& c) { renameLayer(c.model, "flatten", "row"); });
    QApplication::processEvents();
    EXPECT_NE(picture(), before);
}

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

TEST_F(CanvasTest, AForeignClipboardIsRefusedWithAMessage) {
    QString message;
    QObject::connect(&m_canvas, &Canvas::failed, [&](const QString& text) { message = text; });
    for (const char* text :
         {"{}", "[1]", "7", "{\"layers\": 3}", "{\"layers\": [1]}", "{\"layers\": [{}]}",
          "{\"layers\": [{\"type\": 5}]}", "not JSON",
          "{\"layers\": [{\"type\": \"Dense\", \"config\": [1]}]}",
          "{\"layers\": [{\"type\": \"Dense\", \"config\": {\"units\": []}}]}"}) {
        auto* mime = new QMimeData;
        mime->setData("application/x-strata-layers", text);
        QApplication::clipboard()->setMimeData(mime);
        message.clear();
        m_canvas.paste();
        EXPECT_FALSE(message.isEmpty()) << text;
        EXPECT_EQ(m_document.undoStack().count(), 0) << text;
    }
}

TEST_F(CanvasTest, ACardMovedOntoAnEdgeLeavesTheOtherBranchAlone) {
    m_document.edit("Branch", [](train::RunConfig& c) { branchFrom(c.model, "Dense", "hidden"); });
    dropOnEdge("scale", "hidden", "classes", "application/x-strata-move");
    EXPECT_EQ(model().layer("scale").inputs, Names{"hidden"});
    EXPECT_EQ(model().layer("classes").inputs, Names{"scale"});
    EXPECT_EQ(model().layer("dense").inputs, Names{"hidden"});
}

TEST_F(CanvasTest, AConnectionIsDrawnFromCardToCard) {
    m_document.edit("Add", [](train::RunConfig& c) {
        branchFrom(c.model, "Dropout", "hidden");
        insertOnEdge(c.model, "Add", "hidden", "classes");
    });
    link("dropout", "add");
    EXPECT_EQ(model().layer("add").inputs, (Names{"hidden", "dropout"}));
    EXPECT_FALSE(m_document.report().first_error(model()).has_value());
    m_document.undoStack().undo();
    EXPECT_EQ(model().layer("add").inputs, Names{"hidden"});
}

TEST_F(CanvasTest, AConnectionThatCannotBeIsSaid) {
    QString message;
    QObject::connect(&m_canvas, &Canvas::failed, [&](const QString& text) { message = text; });
    link("classes", "flatten");
    EXPECT_TRUE(message.contains("circle")) << message.toStdString();
    EXPECT_EQ(m_document.undoStack().count(), 0);
    mouse(QEvent::MouseButtonPress,
          m_canvas.card("hidden")->mapToScene(m_canvas.card("hidden")->portRect().center()));
    key(Qt::Key_Escape);
    mouse(QEvent::MouseButtonRelease, m_canvas.card("flatten")->scenePos());
    EXPECT_EQ(m_document.undoStack().count(), 0);
}

TEST_F(CanvasTest, ASelectedConnectionIsDeleted) {
    m_document.edit("Merge", [](train::RunConfig& c) {
        mergeLayers(c.model, "Add", {"hidden", branchFrom(c.model, "Dropout", "hidden")});
    });
    ASSERT_NE(edge("hidden", "add"), nullptr);
    m_document.select({"classes"});
    const QPointF at = edge("hidden", "add")->path().pointAtPercent(0.5);
    mouse(QEvent::MouseButtonPress, at);
    mouse(QEvent::MouseButtonRelease, at);
    EXPECT_TRUE(m_canvas.hasSelectedEdge());
    EXPECT_TRUE(m_document.selection().isEmpty());
    m_canvas.removeSelected();
    EXPECT_EQ(model().layer("add").inputs, Names{"dropout"});
    EXPECT_FALSE(m_canvas.hasSelectedEdge());
    EXPECT_EQ(m_canvas.cardCount(), 7);
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

TEST_F(CanvasTest, ALayerThatSharesWeightsIsMarked) {
    m_document.edit("Copies", [](train::RunConfig& c) {
        const Json part = copyLayers(c.model, {"hidden"});
        pasteLayers(c.model, part, "hidden");
        pasteLayers(c.model, part, "dense");
    });
    const auto picture = [&](const char* name) {
        const CardItem* item = m_canvas.card(name);
        const QPoint at = m_canvas.mapFromScene(item->sceneBoundingRect().topLeft());
        return m_canvas.viewport()->grab(QRect(at, QSize(300, 40))).toImage();
    };
    const QImage sharer = picture("dense_1"), owner = picture("dense");
    EXPECT_TRUE(m_canvas.card("dense_1")->toolTip().isEmpty());
    m_document.edit("Share",
                    [](train::RunConfig& c) { shareWeights(c.model, "dense_1", "dense"); });
    EXPECT_TRUE(m_canvas.card("dense_1")->toolTip().contains("weights of dense"));
    EXPECT_TRUE(m_canvas.card("dense")->toolTip().contains("dense_1"));
    EXPECT_NE(picture("dense_1"), sharer);
    EXPECT_NE(picture("dense"), owner);
    m_document.select({"dense", "dense_1"});
    m_canvas.copySelected();
    m_document.select({"dense_1"});
    m_canvas.paste();
    EXPECT_EQ(model().layer("dense_2").shares, "");
    EXPECT_EQ(model().layer("dense_3").shares, "dense_2");
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

TEST(Layout, CardsWithErrorsAreTallEnoughAndMoveTheRowsBelow) {
    const QString brief = "no input", full = QString("one word of many ").repeated(12);
    EXPECT_EQ(CardItem::errorHeight({}), 0.0);
    EXPECT_GT(CardItem::errorHeight(full), 4 * QFontMetricsF(Theme::secondary()).height());
    EXPECT_LT(CardItem::errorHeight(brief), CardItem::errorHeight(full));
    const graph::Model model = test::smallProject("/data").model;
    const auto report = graph::analyze(model);
    std::vector<double> extra(model.layers.size(), 0.0);
    extra[1] = 40;
    const auto before = layOut(model, report), after = layOut(model, report, extra);
    EXPECT_EQ(after[1].y, before[1].y);
    EXPECT_EQ(after[2].y, before[2].y + 40);
    EXPECT_EQ(after.back().y, before.back().y + 40);
}

TEST(SideWays, AnEdgeThatSkipsCardsOrGoesUpPassesBesideThem) {
    const std::vector<CardPlace> places{
        {0, 0, 0, 0}, {1, 0, 0, rowPitch}, {2, 0, 0, 2 * rowPitch}, {1, 1, columnPitch, rowPitch}};
    EXPECT_FALSE(sideWay(places, 0, 1, 0));
    EXPECT_FALSE(sideWay(places, 0, 3, 0));
    const auto skip = sideWay(places, 0, 2, 0), second = sideWay(places, 0, 2, 1);
    ASSERT_TRUE(skip && second);
    EXPECT_TRUE(skip->right);
    EXPECT_NE(skip->reach, second->reach);
    const auto back = sideWay(places, 2, 0, 0);
    ASSERT_TRUE(back);
    EXPECT_FALSE(back->right);
    EdgeItem edge("a", "b", {});
    const QRectF upper(0, 0, cardWidth, cardHeight), lower = upper.translated(0, 2 * rowPitch);
    edge.setSides(upper, lower, *skip);
    EXPECT_FALSE(edge.shape().intersects(upper.translated(0, rowPitch)));
    EXPECT_LT(edge.boundingRect().right(), columnPitch) << "in the gap between columns";
}

}  // namespace
}  // namespace strata::ui
