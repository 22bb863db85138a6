// Placing layers on devices: menu, lanes, drops between lanes, and what the plan says there.
#include <gtest/gtest.h>

#include <QApplication>
#include <QDropEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QScrollBar>

#include "tests/ui/support/ui_environment.h"
#include "ui/bridge/prediction.h"
#include "ui/canvas/canvas.h"
#include "ui/canvas/card_item.h"
#include "ui/canvas/edge_item.h"
#include "ui/canvas/lanes.h"
#include "ui/document/model_edits.h"
#include "ui/document/placement_edits.h"
#include "ui/palette/palette.h"
#include "ui/widgets/device_mark.h"
#include "ui/widgets/format.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr const char* moveMime = "application/x-strata-move";

class LanesTest : public testing::Test {
protected:
    void SetUp() override {
        m_document.setProject(test::smallProject("/data"));
        m_canvas.resize(1300, 700);
        m_canvas.show();
        QApplication::processEvents();
    }
    std::string deviceOf(const char* layer) { return m_document.model().layer(layer).device; }
    void placeClasses() {
        m_document.edit("Place", [](train::RunConfig& c) { placeLayers(c, {"classes"}, "cpu:1"); });
    }
    const LaneHeaderItem* header(const QString& device) {
        for (const LaneHeaderItem* each : m_canvas.laneHeaders())
            if (each->data().device == device) return each;
        return nullptr;
    }
    EdgeItem* edge(const QString& from, const QString& to) {
        for (EdgeItem* each : m_canvas.edges())
            if (each->from() == from && each->to() == to) return each;
        return nullptr;
    }
    QPoint below(const QString& device, double down = 120) {
        const LaneHeaderItem* lane = header(device);
        return m_canvas.mapFromScene(lane->scenePos() +
                                     QPointF(lane->boundingRect().width() / 2, down));
    }
    void drag(const char* mime, const QByteArray& data, QPoint at, bool drop = true) {
        QMimeData carried;
        carried.setData(mime, data);
        QDragEnterEvent enter(at, Qt::MoveAction, &carried, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_canvas.viewport(), &enter);
        QDragMoveEvent move(at, Qt::MoveAction, &carried, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_canvas.viewport(), &move);
        if (!drop) return;
        QDropEvent end(at, Qt::MoveAction, &carried, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_canvas.viewport(), &end);
    }
    void click(QPoint at) {
        for (const QEvent::Type type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
            QMouseEvent event(type, QPointF(at), m_canvas.viewport()->mapToGlobal(QPointF(at)),
                              Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(m_canvas.viewport(), &event);
        }
    }

    Document m_document;
    Canvas m_canvas{m_document};
};

TEST_F(LanesTest, TheMenuOffersTheDevicesAndANewOne) {
    m_document.select({"hidden", "classes"});
    EXPECT_EQ(m_canvas.placeTargets(), (QStringList{"cpu:0", "cpu:1"}));
    QMenu menu;
    m_canvas.fillPlaceMenu(menu);
    ASSERT_EQ(menu.actions().size(), 2);
    EXPECT_FALSE(menu.actions()[0]->isEnabled()) << "they stand there";
    menu.actions()[1]->trigger();
    EXPECT_EQ(deviceOf("hidden"), "cpu:1");
    EXPECT_EQ(deviceOf("classes"), "cpu:1");
    EXPECT_EQ(deviceOf("flatten"), "cpu:0");
    EXPECT_EQ(m_document.undoStack().undoText(), "Place 2 layers on cpu:1");
    EXPECT_EQ(m_canvas.placeTargets().last(), "cpu:2");
    m_document.undoStack().undo();
    EXPECT_EQ(deviceOf("hidden"), "cpu:0");
    EXPECT_EQ(m_document.undoStack().count(), 1);
}

TEST_F(LanesTest, WithShiftTheKeysSelectSeveral) {
    const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers) {
        QKeyEvent event(QEvent::KeyPress, key, modifiers);
        QApplication::sendEvent(&m_canvas, &event);
    };
    press(Qt::Key_Down, {});
    press(Qt::Key_Down, Qt::ShiftModifier);
    press(Qt::Key_Down, Qt::ShiftModifier);
    EXPECT_EQ(m_document.selection(), (QStringList{"input", "scale", "flatten"}));
    press(Qt::Key_Down, {});
    EXPECT_EQ(m_document.selection(), QStringList{"hidden"});
}

TEST_F(LanesTest, ALaneADeviceAndOneMore) {
    placeClasses();
    m_canvas.setLanes(true);
    ASSERT_EQ(m_canvas.laneHeaders().size(), 3U);
    EXPECT_EQ(m_canvas.laneHeaders()[1]->data().device, "cpu:1");
    EXPECT_TRUE(m_canvas.laneHeaders()[2]->data().isNew);
    EXPECT_GT(m_canvas.card("classes")->x(), m_canvas.card("hidden")->x() + cardWidth);
    EXPECT_GT(m_canvas.card("classes")->y(), m_canvas.card("hidden")->y());
    EXPECT_EQ(m_canvas.lossCard()->x(), m_canvas.card("classes")->x());
    EXPECT_TRUE(edge("hidden", "classes")->crosses());
    EXPECT_FALSE(edge("flatten", "hidden")->crosses());
    m_canvas.setLanes(false);
    EXPECT_TRUE(m_canvas.laneHeaders().empty());
    EXPECT_EQ(m_canvas.card("classes")->x(), m_canvas.card("hidden")->x());
}

TEST_F(LanesTest, ACardDroppedIntoAnotherLaneChangesItsDeviceAlone) {
    placeClasses();
    m_canvas.setLanes(true);
    const auto inputs = m_document.model().layer("classes").inputs;
    drag(moveMime, "hidden", below("cpu:1"));
    EXPECT_EQ(deviceOf("hidden"), "cpu:1");
    EXPECT_EQ(m_document.model().layer("classes").inputs, inputs);
    EXPECT_EQ(m_document.undoStack().undoText(), "Place hidden on cpu:1");
    drag(moveMime, "hidden\nclasses", below("cpu:2"));
    EXPECT_EQ(deviceOf("hidden"), "cpu:2");
    EXPECT_EQ(deviceOf("classes"), "cpu:2");
    m_document.undoStack().undo();
    EXPECT_EQ(deviceOf("classes"), "cpu:1");
}

TEST_F(LanesTest, TheLaneUnderADragIsHighlighted) {
    placeClasses();
    m_canvas.setLanes(true);
    const QImage before = m_canvas.viewport()->grab().toImage();
    drag(moveMime, "hidden", below("cpu:1"), false);
    const QImage during = m_canvas.viewport()->grab().toImage();
    EXPECT_NE(during, before);
    QDragLeaveEvent leave;
    QApplication::sendEvent(m_canvas.viewport(), &leave);
    EXPECT_EQ(m_canvas.viewport()->grab().toImage(), before);
}

TEST_F(LanesTest, ACardDroppedInItsOwnLaneChangesItsPlaceInTheModel) {
    placeClasses();
    m_canvas.setLanes(true);
    const QPointF between = edge("flatten", "hidden")->middle();
    drag(moveMime, "scale", m_canvas.mapFromScene(between));
    EXPECT_EQ(m_document.model().layer("hidden").inputs, std::vector<std::string>{"scale"});
    EXPECT_EQ(deviceOf("scale"), "cpu:0");
}

TEST_F(LanesTest, ALayerFromThePaletteStandsInTheLaneWhereItWasDropped) {
    placeClasses();
    m_canvas.setLanes(true);
    const CardItem* classes = m_canvas.card("classes");
    drag(layerMimeType, "Dropout",
         m_canvas.mapFromScene(classes->scenePos() + QPointF(cardWidth / 2, -10)));
    EXPECT_EQ(deviceOf("dropout"), "cpu:1");
    EXPECT_EQ(m_document.model().layer("classes").inputs, std::vector<std::string>{"dropout"});
    m_canvas.setLanes(false);
    m_document.select({"classes"});
    m_canvas.insert("Activation");
    EXPECT_EQ(deviceOf("activation"), "cpu:1") << "as the layer that it follows";
}

TEST_F(LanesTest, AHeaderSelectsItsLayersAndTheNewOneTakesTheSelection) {
    placeClasses();
    m_canvas.setLanes(true);
    click(below("cpu:0", laneHeader / 2));
    EXPECT_EQ(m_document.selection(), (QStringList{"input", "scale", "flatten", "hidden"}));
    m_document.select({"hidden"});
    click(below("cpu:2", laneHeader / 2));
    EXPECT_EQ(deviceOf("hidden"), "cpu:2");
    QString said;
    QObject::connect(&m_canvas, &Canvas::failed, [&](const QString& text) { said = text; });
    m_document.select({});
    click(below("cpu:3", laneHeader / 2));
    EXPECT_TRUE(said.contains("cpu:3"));
}

TEST_F(LanesTest, HeadersAndEdgesTellThePlan) {
    QTemporaryDir folder;
    test::writeIdx(folder.path(), 64);
    train::RunConfig project = test::smallProject(folder.path());
    project.base = folder.path().toStdString();
    placeLayers(project, {"classes"}, "cpu:1");
    project.placement.micro_batches = 2;
    m_document.setProject(project);
    m_canvas.setLanes(true);
    const PlacementPrediction prediction = predictPlacement(m_document.config());
    ASSERT_TRUE(prediction.plan) << prediction.fault->what();
    m_canvas.setPlan(prediction.plan);
    ASSERT_EQ(prediction.plan->devices.size(), 2U);
    double shares = 0;
    for (const auto& device : prediction.plan->devices) {
        const LaneData& data = header(QString::fromStdString(device.device))->data();
        EXPECT_EQ(data.bytes, device.memory.total());
        EXPECT_EQ(data.limit, device.memory_limit);
        ASSERT_TRUE(data.share);
        shares += *data.share;
    }
    EXPECT_NEAR(shares, 1.0, 1e-9);
    // A batch of 8 rows of 8 float32 forward, and their gradients back.
    const EdgeItem* crossing = edge("hidden", "classes");
    ASSERT_TRUE(crossing != nullptr && crossing->crosses());
    EXPECT_EQ(crossing->label(), formatBytes(512) + " a step");
    EXPECT_TRUE(crossing->toolTip().contains(formatBytes(256) + " of gradients back"));
    EXPECT_TRUE(m_canvas.accessibleDescription().contains("of the work"));
}

// Two copies of two stages: cpu:0 and cpu:1, cpu:2 and cpu:3.
TEST_F(LanesTest, AHeaderTellsTheCopiesOnOtherDevices) {
    QTemporaryDir folder;
    test::writeIdx(folder.path(), 64);
    train::RunConfig project = test::smallProject(folder.path());
    project.base = folder.path().toStdString();
    placeLayers(project, {"classes"}, "cpu:1");
    m_document.setProject(project);
    m_canvas.setLanes(true);
    EXPECT_EQ(header("cpu:0")->boundingRect().height(), laneHeader);
    m_document.edit("Copies", [](train::RunConfig& c) {
        c.placement.replicas = 2;
        c.placement.memory_limits["cpu:2"] = 1000;
    });
    EXPECT_EQ(header("cpu:0")->boundingRect().height(), laneHeaderHeight(2))
        << "it does not wait for the plan";
    const PlacementPrediction prediction = predictPlacement(m_document.config());
    ASSERT_TRUE(prediction.plan) << prediction.fault->what();
    ASSERT_EQ(prediction.plan->devices.size(), 4U);
    m_canvas.setPlan(prediction.plan);
    const LaneData& data = header("cpu:0")->data();
    ASSERT_EQ(data.copies.size(), 1U);
    EXPECT_EQ(data.copies[0].device, "cpu:2");
    EXPECT_EQ(data.copies[0].bytes, prediction.plan->devices[2].memory.total());
    EXPECT_EQ(data.copies[0].limit, 1000U);
    EXPECT_TRUE(data.copies[0].over());
    EXPECT_FALSE(data.over());
    EXPECT_EQ(header("cpu:1")->data().copies.at(0).device, "cpu:3");
    EXPECT_TRUE(header("cpu:0")->words().contains("a copy on cpu:2: ")) << "for all who hear it";
    EXPECT_TRUE(header("cpu:0")->words().contains("too much"));
    EXPECT_LT(header("cpu:0")->sceneBoundingRect().bottom(),
              m_canvas.card("input")->sceneBoundingRect().top());
}

// cpu:2 carries the copy of cpu:0: whoever is offered it shall know.
TEST_F(LanesTest, ANewDeviceThatIsACopysSaysSo) {
    placeClasses();
    m_canvas.setLanes(true);
    const auto offered = [&] { return m_canvas.laneHeaders().back(); };
    EXPECT_FALSE(offered()->toolTip().contains("A copy of the model works on"));
    const auto menuEnd = [&] {
        QMenu menu;
        m_canvas.fillPlaceMenu(menu);
        return menu.actions().last()->text();
    };
    EXPECT_EQ(menuEnd(), "New device: cpu:2");
    m_document.edit("Copies", [](train::RunConfig& c) { c.placement.replicas = 2; });
    ASSERT_EQ(offered()->data().device, "cpu:2");
    EXPECT_TRUE(offered()->toolTip().contains("A copy of the model works on cpu:2 now"))
        << qPrintable(offered()->toolTip());
    EXPECT_EQ(menuEnd(), "New device: cpu:2, now a copy's");
    m_document.edit("Elsewhere", [](train::RunConfig& c) {
        c.placement.devices = {"cpu:0", "cpu:1", "cpu:4", "cpu:5"};
    });
    EXPECT_FALSE(offered()->data().ofCopy) << "cpu:2 is free";
}

// As wide as the canvas is in a window of 1280 pixels: cards give way, and text does not.
TEST_F(LanesTest, LanesHaveRoomBesideEachOtherAndTextKeepsItsSize) {
    placeClasses();
    m_canvas.resize(727, 320);
    m_canvas.setLanes(true);
    const auto right = [&] {
        const LaneHeaderItem* last = m_canvas.laneHeaders().back();
        return m_canvas.mapFromScene(last->sceneBoundingRect().topRight()).x();
    };
    EXPECT_DOUBLE_EQ(m_canvas.transform().m11(), Theme::scale());
    EXPECT_LE(right(), m_canvas.viewport()->width());
    const double narrow = m_canvas.card("hidden")->cardRect().width();
    EXPECT_GE(narrow, leastCardWidth);
    EXPECT_LT(narrow, cardWidth);
    EXPECT_TRUE(m_canvas.card("hidden")->data().tip().contains("Dense")) << "what is cut off there";
    m_canvas.resize(1300, 320);
    QApplication::processEvents();
    EXPECT_EQ(m_canvas.card("hidden")->cardRect().width(), cardWidth);
    EXPECT_LE(right(), m_canvas.viewport()->width());
    m_canvas.resize(500, 320);
    QApplication::processEvents();
    EXPECT_EQ(m_canvas.card("hidden")->cardRect().width(), leastCardWidth);
    EXPECT_DOUBLE_EQ(m_canvas.transform().m11(), Theme::scale()) << "it scrolls";
}

// The window brings it to its size when the project is there already.
TEST(Lanes, BeginAtTheTopInAWindowThatGrows) {
    Document document;
    Canvas canvas(document);
    canvas.resize(640, 480);
    canvas.setLanes(true);
    train::RunConfig project = test::smallProject("/data");
    placeLayers(project, {"classes"}, "cpu:1");
    project.placement.replicas = 2;
    document.setProject(project);
    const auto atTop = [&] {
        const QScrollBar& down = *canvas.verticalScrollBar();
        return down.value() - down.minimum();
    };
    canvas.show();
    for (const QSize size : {QSize(900, 200), QSize(727, 320), QSize(727, 280), QSize(760, 320)}) {
        canvas.resize(size);
        QApplication::processEvents();
        EXPECT_EQ(atTop(), 0) << size.width();
    }
}

TEST_F(LanesTest, AHeaderStaysInSight) {
    placeClasses();
    m_canvas.setLanes(true);
    m_canvas.resize(700, 220);
    QApplication::processEvents();
    m_canvas.verticalScrollBar()->setValue(m_canvas.verticalScrollBar()->maximum());
    EXPECT_NEAR(m_canvas.mapFromScene(header("cpu:0")->scenePos()).y(), 0, 1);
}

TEST(Lanes, BranchesStandBesideEachOtherInTheirLane) {
    graph::Model model = test::smallProject("/data").model;
    const std::string left = insertLayer(model, "Activation", "hidden");
    const std::string right = branchFrom(model, "Dropout", "hidden");
    mergeLayers(model, "Add", {left, right});
    const auto x = [](const graph::Model& m, const LaneLayout& layout, const std::string& name) {
        return layout.places[static_cast<std::size_t>(m.index_of(name))].x;
    };
    const LaneLayout together = layOutLanes(model, graph::analyze(model));
    ASSERT_EQ(together.lanes.size(), 2U);
    EXPECT_EQ(std::abs(x(model, together, right) - x(model, together, left)), columnPitch);
    EXPECT_EQ(together.lanes[0].width, 2 * lanePadding + columnPitch + cardWidth);
    train::RunConfig config;
    config.model = model;
    placeLayers(config, {right}, "cpu:1");
    const LaneLayout apart = layOutLanes(config.model, graph::analyze(config.model));
    ASSERT_EQ(apart.lanes.size(), 3U);
    EXPECT_EQ(x(config.model, apart, right), apart.lanes[1].left + lanePadding);
    EXPECT_EQ(apart.lanes[0].width, 2 * lanePadding + cardWidth);
    EXPECT_EQ(laneAt(apart.lanes, apart.lanes[1].left + 5), &apart.lanes[1]);
    EXPECT_EQ(laneAt(apart.lanes, -500), &apart.lanes[0]);
    EXPECT_EQ(laneAt(apart.lanes, 1e6), &apart.lanes[2]);
}

TEST(PlacementEdits, ANewDeviceIsTheFirstFreeOne) {
    train::RunConfig config = test::smallProject("/data");
    EXPECT_EQ(nextDevice(config.model), "cpu:1");
    config.placement.devices = {"cpu:0", "cpu:7"};
    placeLayers(config, {"classes"}, "cpu:10");
    placeLayers(config, {"hidden"}, "cpu:2");
    EXPECT_EQ(devicesOf(config.model), (std::vector<std::string>{"cpu:0", "cpu:2", "cpu:10"}));
    EXPECT_EQ(nextDevice(config.model), "cpu:1");
    EXPECT_TRUE(config.placement.devices.empty()) << "a list for other devices";
    EXPECT_EQ(nextDevice({}), "cpu:0");
}

TEST(DeviceMark, ThePatternTellsTheSeventhFromTheFirst) {
    const auto picture = [](const QString& device) {
        QImage image(40, 40, QImage::Format_ARGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        paintDeviceDot(painter, {20, 20}, 15, device);
        return image;
    };
    EXPECT_NE(picture("cpu:0"), picture("cpu:6"));
    EXPECT_NE(picture("cpu:6"), picture("cpu:12"));
    EXPECT_EQ(picture("cpu:0"), picture("cpu:0"));
    EXPECT_EQ(deviceIndex("cpu:4"), 4);
    EXPECT_NE(deviceIndex("cuda:0"), deviceIndex("cpu:0"));
}

}  // namespace
}  // namespace strata::ui
