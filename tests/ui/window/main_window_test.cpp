// The whole window: projects, runs and questions.
#include "tests/ui/window/window_fixture.h"
#include "ui/techniques/technique_card.h"

namespace strata::ui {
namespace {

TEST_F(MainWindowTest, TheFocusStaysAtTheCanvasWhenTrainIsPressed) {
    ASSERT_TRUE(m_window->openProject(saveProject(2000)));
    m_window->activateWindow();
    ASSERT_TRUE(waitFor([&] { return m_window->isActiveWindow(); }));
    QPushButton* train = button("Train");
    ASSERT_NE(train, nullptr);
    train->setFocus();
    train->click();
    EXPECT_TRUE(waitFor([&] { return m_window->engine().state() == RunState::running; }));
    const QWidget* focus = QApplication::focusWidget();
    EXPECT_TRUE(focus == train || focus == &m_window->canvas())
        << (focus == nullptr ? "none" : focus->metaObject()->className());
    EXPECT_TRUE(stopRun());
}

TEST_F(MainWindowTest, AModelThatDoesNotFitItsLossIsToldBeforeTrain) {
    ASSERT_TRUE(m_window->openProject(saveProject(1)));
    Document& document = m_window->document();
    const CardItem* loss = m_window->canvas().lossCard();
    EXPECT_TRUE(loss->data().error.isEmpty());
    document.edit("Remove", [](train::RunConfig& c) {
        for (std::size_t i = 0; i < c.model.layers.size(); ++i)
            if (c.model.layers[i].type->spec.type == "Flatten") {
                removeLayers(c.model, {c.model.layers[i].name});
                break;
            }
    });
    ASSERT_TRUE(document.lossFault());
    EXPECT_EQ(document.lossFault()->where(), "training.loss");
    EXPECT_FALSE(loss->data().error.isEmpty());
    m_window->train();
    EXPECT_FALSE(m_window->engine().isActive());
    EXPECT_FALSE(m_window->notice().isEmpty());
    document.undoStack().undo();
    EXPECT_FALSE(document.lossFault());
    EXPECT_TRUE(loss->data().error.isEmpty());
}

TEST_F(MainWindowTest, OpensTheExamplesThatShipWithIt) {
    for (const char* name : {"classic", "cnn"}) {
        const QString path =
            QString(STRATA_SOURCE_DIR "/resources/examples/fashion-mnist-%1.strata").arg(name);
        ASSERT_TRUE(m_window->openProject(path)) << m_window->notice().toStdString();
        EXPECT_EQ(m_window->canvas().cardCount(),
                  static_cast<int>(m_window->document().model().layers.size()));
        EXPECT_FALSE(
            m_window->document().report().first_error(m_window->document().model()).has_value());
        EXPECT_EQ(train::project_to_json(m_window->document().config()),
                  train::project_to_json(train::make_template(name)));
    }
}

TEST_F(MainWindowTest, TrainGrowsTheCurvesAndEnds) {
    ASSERT_TRUE(m_window->openProject(saveProject(4)));
    QPushButton* train = button("Train");
    ASSERT_NE(train, nullptr);
    bool ended = false;
    QObject::connect(m_window.get(), &MainWindow::runEnded, [&] { ended = true; });
    train->click();
    ASSERT_TRUE(waitFor([&] { return ended; }));
    EXPECT_EQ(m_window->engine().state(), RunState::finished) << m_window->notice().toStdString();
    EXPECT_EQ(m_window->charts().store().steps().rows(),
              32U);  // 58 of 64 samples in 8 batches, 4 epochs
    EXPECT_EQ(m_window->charts().store().epochs().rows(), 4U);
    EXPECT_TRUE(QFileInfo::exists(m_folder.filePath("runs")));
}

TEST_F(MainWindowTest, PauseAndStopAnswer) {
    ASSERT_TRUE(m_window->openProject(saveProject(100000)));
    m_window->train();
    const auto rows = [&] { return m_window->charts().store().steps().rows(); };
    ASSERT_TRUE(waitFor([&] { return rows() > 10; }));
    ASSERT_NE(button("Pause"), nullptr);
    button("Pause")->click();
    ASSERT_TRUE(waitFor([&] { return m_window->engine().state() == RunState::paused; }));
    EXPECT_NE(button("Resume"), nullptr);
    ASSERT_NE(button("Stop"), nullptr);
    button("Stop")->click();
    EXPECT_EQ(m_window->findChild<RunBar*>()->stateWords(), "Stopping after this step");
    ASSERT_TRUE(waitFor([&] { return m_window->engine().state() == RunState::stopped; }));
    EXPECT_NE(button("Train"), nullptr);
}

TEST_F(MainWindowTest, StepDoesOneUpdate) {
    ASSERT_TRUE(m_window->openProject(saveProject(3)));
    m_window->actions().step->trigger();
    ASSERT_TRUE(waitFor([&] { return m_window->engine().state() == RunState::paused; }));
    ASSERT_TRUE(waitFor([&] { return m_window->charts().store().steps().rows() == 1; }));
    ASSERT_TRUE(m_window->actions().step->isEnabled());
    m_window->actions().step->trigger();
    EXPECT_TRUE(waitFor([&] { return m_window->charts().store().steps().rows() == 2; }));
}

TEST_F(MainWindowTest, EditsDuringARunPrepareTheNext) {
    ASSERT_TRUE(m_window->openProject(saveProject(100000)));
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return m_window->charts().store().steps().rows() > 5; }));
    m_window->document().edit(
        "Insert", [](train::RunConfig& c) { insertLayer(c.model, "Dropout", "hidden"); });
    EXPECT_TRUE(m_window->notice().contains("next run")) << m_window->notice().toStdString();
    const auto before = m_window->charts().store().steps().rows();
    EXPECT_TRUE(waitFor([&] { return m_window->charts().store().steps().rows() > before; }));
}

TEST_F(MainWindowTest, ClosingWhileRunningAsksAndStops) {
    ASSERT_TRUE(m_window->openProject(saveProject(100000)));
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return m_window->charts().store().steps().rows() > 5; }));
    answer("Cancel");
    m_window->close();
    EXPECT_TRUE(m_window->isVisible());
    EXPECT_TRUE(m_window->engine().isActive());
    answer("Save and stop");
    m_window->close();
    EXPECT_TRUE(waitFor([&] { return !m_window->isVisible(); }));
    EXPECT_EQ(m_window->engine().state(), RunState::stopped);
}

// A checkpoint that cannot be written: a folder stands in its place.
TEST_F(MainWindowTest, ClosingStaysOpenWhereTrainingCannotBeSaved) {
    ASSERT_TRUE(m_window->openProject(saveProject(100000, false)));
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return rows() > 5; }));
    ASSERT_EQ(runs().size(), 1);
    ASSERT_TRUE(QDir(m_folder.filePath("runs/" + runs()[0])).mkpath("last.h5/full"));
    answer("Save and stop");
    m_window->close();
    ASSERT_TRUE(waitFor([&] { return !m_window->engine().isActive(); }));
    EXPECT_TRUE(m_window->isVisible());
    EXPECT_TRUE(m_window->notice().contains("last.h5")) << m_window->notice().toStdString();
    EXPECT_TRUE(m_window->notice().contains("is not saved"));
    m_window->close();  // nothing runs any more: it closes
    EXPECT_FALSE(m_window->isVisible());
}

TEST_F(MainWindowTest, AStoppedRunGoesOnFromItsCheckpoint) {
    ASSERT_TRUE(m_window->openProject(saveProject(100000)));
    EXPECT_FALSE(m_window->actions().goOn->isEnabled());
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return rows() > 20; }));
    EXPECT_FALSE(m_window->actions().goOn->isEnabled());
    ASSERT_TRUE(stopRun());
    EXPECT_TRUE(m_window->actions().goOn->isEnabled());
    const auto before = rows();
    ASSERT_EQ(lastUpdate(), static_cast<double>(before));
    // The notice offers it, too.
    QAbstractButton* offer = nullptr;
    for (auto* each : m_window->findChildren<QAbstractButton*>())
        if (each->text() == "Go on from last checkpoint" && each->isVisible()) offer = each;
    ASSERT_NE(offer, nullptr);
    offer->click();
    ASSERT_TRUE(waitFor([&] { return rows() > before + 20; })) << m_window->notice().toStdString();
    ASSERT_TRUE(stopRun());
    EXPECT_EQ(m_window->engine().state(), RunState::stopped) << m_window->notice().toStdString();
    // No update is missing or done twice, and it is the same run.
    EXPECT_EQ(lastUpdate(), static_cast<double>(rows()));
    EXPECT_EQ(runs().size(), 1);
}

TEST_F(MainWindowTest, TheNewestRunOfAnOpenedProjectCanGoOn) {
    const QString path = saveProject(100000);
    ASSERT_TRUE(m_window->openProject(path));
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return rows() > 5; }));
    ASSERT_TRUE(stopRun());
    const double done = lastUpdate();
    // Older, another project's, and a newer one without a checkpoint.
    for (const char* name : {"20200101-000000-small", "20990101-000000-large"}) {
        ASSERT_TRUE(QDir(m_folder.filePath("runs")).mkpath(name));
        QFile(m_folder.filePath(QString("runs/%1/last.h5").arg(name))).open(QFile::WriteOnly);
    }
    ASSERT_TRUE(QDir(m_folder.filePath("runs")).mkpath("20990101-000000-small"));
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    EXPECT_FALSE(m_window->actions().goOn->isEnabled());
    ASSERT_TRUE(m_window->openProject(path));
    ASSERT_TRUE(m_window->actions().goOn->isEnabled());
    m_window->actions().goOn->trigger();
    ASSERT_TRUE(waitFor([&] { return rows() > 0; })) << m_window->notice().toStdString();
    EXPECT_EQ(m_window->charts().store().steps().axis(XAxis::update)[0], done + 1);
    m_window->newFromTemplate("classic");  // while it runs: that run is not this project's
    ASSERT_TRUE(stopRun());
    EXPECT_FALSE(m_window->actions().goOn->isEnabled());
}

TEST_F(MainWindowTest, TheBarSaysWhatComesNext) {
    auto* bar = m_window->findChild<RunBar*>();
    EXPECT_EQ(bar->hint(), "Open or make a project");
    ASSERT_TRUE(m_window->openProject(saveProject(1)));
    EXPECT_EQ(bar->hint(), "Press Train to begin");
    m_window->actions().createNew->trigger();
    EXPECT_EQ(bar->hint(), "Open or make a project");
}

TEST_F(MainWindowTest, AConnectionCanBeDeletedByTheMenu) {
    ASSERT_TRUE(m_window->openProject(saveProject(1)));
    EXPECT_FALSE(m_window->actions().remove->isEnabled());
    m_window->canvas().edges().front()->setSelected(true);
    ASSERT_TRUE(m_window->actions().remove->isEnabled());
    m_window->actions().remove->trigger();
    EXPECT_TRUE(m_window->document().model().layer("scale").inputs.empty());
    EXPECT_FALSE(m_window->actions().remove->isEnabled());
}

TEST_F(MainWindowTest, AWideWindowShowsMemoryBesideTheCurves) {
    ASSERT_TRUE(m_window->openProject(saveProject(1)));
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return rows() > 0 && !m_window->engine().isActive(); }));
    const PanelPage* page = nullptr;  // loss, accuracy, memory
    for (const PanelPage* each : m_window->findChildren<PanelPage*>())
        if (each->panels().size() == 3) page = each;
    ASSERT_NE(page, nullptr);
    for (const auto& [width, panels] : {std::pair{1280, 2U}, {1600, 3U}, {1920, 3U}}) {
        m_window->resize(width, 1080);
        QApplication::processEvents();
        EXPECT_EQ(page->shownPanels().size(), panels) << width;
    }
}

TEST_F(MainWindowTest, ARunThatFailedOffersToGoOnFromItsCheckpoint) {
    ASSERT_TRUE(m_window->openProject(saveProject(3)));
    m_window->document().edit("Rate", [](train::RunConfig& config) {
        config.training.optimizer = "SGD";
        config.training.optimizer_config = {{"learning_rate", 1e6}};
        for (graph::LayerNode& layer : config.model.layers)
            if (layer.name == "hidden")
                layer.config = layers::Config::checked(layer.type->spec.params,
                                                       {{"units", 8}, {"activation", "linear"}});
    });
    bool ended = false;
    QObject::connect(m_window.get(), &MainWindow::runEnded, [&] { ended = true; });
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return ended; }));
    ASSERT_EQ(m_window->engine().state(), RunState::failed);
    EXPECT_EQ(m_window->noticeOffers(), QList{m_window->actions().goOn})
        << qPrintable(m_window->notice());
    // One that cannot even begin has none, though the checkpoint is still there.
    m_window->document().edit(
        "Data", [](train::RunConfig& config) { config.data.source["images"] = "missing"; });
    ended = false;
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return ended; }));
    EXPECT_TRUE(m_window->noticeOffers().isEmpty());
}

TEST_F(MainWindowTest, ChangesWhileItRunsAreMarkedAndLogged) {
    ASSERT_TRUE(m_window->openProject(saveProject(4000)));
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return rows() > 5; }));
    m_window->showTechniquesTab();
    ControlDeck* deck = m_window->techniques().deck();
    EXPECT_TRUE(deck->isVisible());
    deck->field(ControlDeck::learningRate)->setText("0.0005");
    deck->field(ControlDeck::learningRate)->setModified(true);
    deck->button()->click();
    const auto marked = [&] {
        for (const Mark& mark : m_window->charts().store().marks())
            if (mark.kind == Mark::Kind::learningRate) return mark.value == 0.0005;
        return false;
    };
    EXPECT_TRUE(waitFor(marked));
    EXPECT_TRUE(m_window->log().contains("learning rate 0.0005"));
    ASSERT_TRUE(stopRun());
    EXPECT_FALSE(deck->isVisible());
}

TEST_F(MainWindowTest, ARefusedCheckpointIsShownAtItsField) {
    ASSERT_TRUE(m_window->openProject(saveProject(3)));
    TechniquesPanel& panel = m_window->techniques();
    for (const auto& [key, name] : {std::pair("training.checkpoint.monitor", "monitor"),
                                    std::pair("training.checkpoint.filename", "filename")}) {
        m_window->document().edit("Checkpoints", [name = std::string(name)](train::RunConfig& c) {
            c.training.checkpoint.monitor = name == "monitor" ? "foo" : "loss";
            c.training.checkpoint.filename = name == "filename" ? "last.h5" : "";
        });
        m_window->showDataTab();
        m_window->actions().train->trigger();
        ASSERT_TRUE(waitFor([&] { return panel.isVisible(); })) << key;
        QWidget* editor = nullptr;
        for (const TechniqueCard* card : panel.cards())
            if (card->hasRow(key)) editor = card->editor(key);
        ASSERT_NE(editor, nullptr) << key;
        EXPECT_TRUE(waitFor([&] { return m_window->focusWidget() == editor; })) << key;
        EXPECT_TRUE(waitFor([&] {
            const QPoint at = editor->mapTo(panel.viewport(), QPoint());
            return panel.viewport()->rect().contains(QRect(at, editor->size()));
        })) << key;
    }
}

TEST_F(MainWindowTest, UnsavedChangesAreAskedFor) {
    const QString path = saveProject(3);
    ASSERT_TRUE(m_window->openProject(path));
    m_window->document().edit("Epochs", [](train::RunConfig& c) { c.training.epochs = 9; });
    EXPECT_TRUE(m_window->isWindowModified());
    answer("Cancel");
    m_window->close();
    EXPECT_TRUE(m_window->isVisible());
    answer("Save");
    m_window->close();
    EXPECT_FALSE(m_window->isVisible());
    EXPECT_EQ(train::load_project(path.toStdString()).training.epochs, 9);
}

TEST_F(MainWindowTest, ABadProjectIsNamed) {
    const QString path = m_folder.filePath("broken.strata");
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("{\"strata\": 1, \"modell\": {}}");
    file.close();
    EXPECT_FALSE(m_window->openProject(path));
    EXPECT_TRUE(m_window->notice().contains("broken.strata")) << m_window->notice().toStdString();
    EXPECT_TRUE(m_window->notice().contains("modell"));
    EXPECT_FALSE(m_window->openProject(m_folder.filePath("absent.strata")));
    EXPECT_TRUE(m_window->notice().contains("absent.strata"));
}

TEST_F(MainWindowTest, AFaultOfTheModelStandsAtItsLayerAndNothingStarts) {
    ASSERT_TRUE(m_window->openProject(saveProject(3)));
    m_window->document().edit(
        "Insert", [](train::RunConfig& c) { insertLayer(c.model, "Conv2D", "flatten"); });
    m_window->train();
    EXPECT_FALSE(m_window->engine().isActive());
    EXPECT_FALSE(m_window->canvas().card("conv2d")->data().error.isEmpty());
    EXPECT_TRUE(m_window->notice().contains("conv2d"));
}

TEST_F(MainWindowTest, UndoNamesTheChange) {
    ASSERT_TRUE(m_window->openProject(saveProject(3)));
    m_window->document().select({"hidden"});
    m_window->canvas().duplicateSelected();
    EXPECT_TRUE(m_window->actions().undo->text().contains("Duplicate"));
    m_window->actions().undo->trigger();
    EXPECT_EQ(m_window->canvas().cardCount(), 5);
    EXPECT_TRUE(m_window->actions().redo->text().contains("Duplicate"));
}

TEST_F(MainWindowTest, PredictedMemoryIsThePlanners) {
    ASSERT_TRUE(m_window->openProject(saveProject(3)));
    auto* strip = m_window->findChild<MemoryStrip*>();
    ASSERT_NE(strip, nullptr);
    ASSERT_TRUE(waitFor([&] { return strip->prediction().has_value(); }));
    // hidden 16 x 8 + 8, classes 8 x 2 + 2: 154 float32.
    EXPECT_GE(strip->prediction()->budget[device::Category::weights], 154U * 4U);
    EXPECT_GE(strip->prediction()->budget[device::Category::optimizer], 2U * 154U * 4U);
    EXPECT_GT(strip->prediction()->limit, 0U);
}

}  // namespace
}  // namespace strata::ui
