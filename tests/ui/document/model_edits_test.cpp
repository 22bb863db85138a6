// Edits keep a model's wiring whole; the document undoes, redoes and saves them.
#include "ui/document/model_edits.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QTemporaryDir>

#include "tests/ui/support/ui_environment.h"
#include "ui/document/document.h"

namespace strata::ui {
namespace {

using Names = std::vector<std::string>;

graph::Model chain() {
    return test::smallProject("/data").model;
}

Names namesOf(const graph::Model& model) {
    Names out;
    for (const auto& node : model.layers) out.push_back(node.name);
    return out;
}

TEST(ModelEdits, NamesOfNewLayersAreFree) {
    graph::Model model = chain();
    EXPECT_EQ(freeName(model, "Conv2D"), "conv2d");
    EXPECT_EQ(freeName(model, "MaxPooling2D"), "max_pooling2d");
    EXPECT_EQ(freeName(model, "BatchNormalization"), "batch_normalization");
    EXPECT_EQ(freeName(model, "Flatten"), "flatten_1");
}

TEST(ModelEdits, InsertedLayerTakesOverTheReaders) {
    graph::Model model = chain();
    const std::string name = insertLayer(model, "Dropout", "hidden");
    EXPECT_EQ(namesOf(model), (Names{"input", "scale", "flatten", "hidden", name, "classes"}));
    EXPECT_EQ(model.layer(name).inputs, Names{"hidden"});
    EXPECT_EQ(model.layer("classes").inputs, Names{name});
    EXPECT_FALSE(graph::analyze(model).first_error(model).has_value());
}

TEST(ModelEdits, InsertionOnAnEdgeLeavesOtherReadersAlone) {
    graph::Model model = chain();
    const std::string side = branchFrom(model, "Dense", "hidden");
    const std::string name = insertOnEdge(model, "Dropout", "hidden", "classes");
    EXPECT_EQ(model.layer("classes").inputs, Names{name});
    EXPECT_EQ(model.layer(side).inputs, Names{"hidden"});
}

TEST(ModelEdits, RemovedLayersLeaveAWholeChain) {
    graph::Model model = chain();
    removeLayers(model, {"hidden", "scale"});
    EXPECT_EQ(namesOf(model), (Names{"input", "flatten", "classes"}));
    EXPECT_EQ(model.layer("flatten").inputs, Names{"input"});
    EXPECT_EQ(model.layer("classes").inputs, Names{"flatten"});
}

TEST(ModelEdits, BranchesMergeAndStayValid) {
    graph::Model model = chain();
    const std::string left = insertLayer(model, "Activation", "hidden");
    const std::string right = branchFrom(model, "Dropout", "hidden");
    const std::string sum = mergeLayers(model, "Add", {left, right});
    EXPECT_EQ(model.layer(sum).inputs, (Names{left, right}));
    EXPECT_EQ(model.layer("classes").inputs, Names{sum});
    EXPECT_FALSE(graph::analyze(model).first_error(model).has_value());
}

TEST(ModelEdits, CopiesFollowTheOriginals) {
    graph::Model model = chain();
    const Names made = duplicateLayers(model, {"flatten", "hidden"});
    ASSERT_EQ(made.size(), 2U);
    EXPECT_EQ(model.layer(made[0]).inputs, Names{"hidden"});
    EXPECT_EQ(model.layer(made[1]).inputs, Names{made[0]});
    EXPECT_EQ(model.layer("classes").inputs, Names{made[1]});
    EXPECT_EQ(model.layer(made[1]).config.integer("units"), 8);
}

TEST(ModelEdits, MovedLayerIsTakenOutAndPutIn) {
    graph::Model model = chain();
    moveLayer(model, "scale", "flatten", "hidden");
    EXPECT_EQ(namesOf(model), (Names{"input", "flatten", "scale", "hidden", "classes"}));
    EXPECT_EQ(model.layer("flatten").inputs, Names{"input"});
    EXPECT_EQ(model.layer("hidden").inputs, Names{"scale"});
}

TEST(ModelEdits, MoveOntoOneEdgeLeavesOtherReadersAlone) {
    graph::Model model = chain();
    const std::string side = branchFrom(model, "Dropout", "hidden");
    moveLayer(model, "scale", "hidden", "classes");
    EXPECT_EQ(model.layer("classes").inputs, Names{"scale"});
    EXPECT_EQ(model.layer("scale").inputs, Names{"hidden"});
    EXPECT_EQ(model.layer(side).inputs, Names{"hidden"});
}

TEST(ModelEdits, ConnectionsAddAnInputWhereThereMayBeMany) {
    graph::Model model = chain();
    const std::string side = branchFrom(model, "Dropout", "hidden");
    const std::string sum = insertOnEdge(model, "Add", "hidden", "classes");
    connectLayers(model, side, sum);
    EXPECT_EQ(model.layer(sum).inputs, (Names{"hidden", side}));
    EXPECT_FALSE(graph::analyze(model).first_error(model).has_value());
    disconnectLayers(model, "hidden", sum);
    EXPECT_EQ(model.layer(sum).inputs, Names{side});
    connectLayers(model, "flatten", side);  // takes one: reads it instead
    EXPECT_EQ(model.layer(side).inputs, Names{"flatten"});
}

TEST(ModelEdits, ConnectionsThatCannotBeAreRefused) {
    graph::Model model = chain();
    EXPECT_THROW(connectLayers(model, "classes", "hidden"), Error);  // a circle
    EXPECT_THROW(connectLayers(model, "hidden", "hidden"), Error);
    EXPECT_THROW(connectLayers(model, "hidden", "input"), Error);
    EXPECT_THROW(connectLayers(model, "hidden", "classes"), Error);  // is there already
    EXPECT_EQ(model.to_json(), chain().to_json());
}

TEST(ModelEdits, RenamingReachesTheReadersAndRefusesTakenNames) {
    graph::Model model = chain();
    renameLayer(model, "hidden", "features");
    EXPECT_EQ(model.layer("classes").inputs, Names{"features"});
    EXPECT_THROW(renameLayer(model, "features", "classes"), Error);
    EXPECT_THROW(renameLayer(model, "features", ""), Error);
    EXPECT_THROW(renameLayer(model, "features", "a/b"), Error);
}

TEST(Document, UndoAndRedoGiveBackEachState) {
    Document document;
    document.setProject(test::smallProject("/data"));
    const Json before = document.model().to_json();
    document.edit("Insert Dropout",
                  [](train::RunConfig& c) { insertLayer(c.model, "Dropout", "hidden"); });
    const Json after = document.model().to_json();
    document.edit("Delete", [](train::RunConfig& c) {
        removeLayers(c.model, {"scale", "hidden"});
    });
    EXPECT_EQ(document.undoStack().undoText(), "Delete");
    document.undoStack().undo();
    EXPECT_EQ(document.model().to_json(), after);
    document.undoStack().undo();
    EXPECT_EQ(document.model().to_json(), before);
    EXPECT_FALSE(document.isModified());
    document.undoStack().redo();
    EXPECT_EQ(document.model().to_json(), after);
    EXPECT_TRUE(document.isModified());
}

TEST(Document, AnEditThatFailsChangesNothing) {
    Document document;
    document.setProject(test::smallProject("/data"));
    const auto rename = [&] {
        document.edit("Rename", [](train::RunConfig& c) {
            c.name = "half done";
            renameLayer(c.model, "hidden", "classes");
        });
    };
    EXPECT_THROW(rename(), Error);
    EXPECT_EQ(document.config().name, "small");
    EXPECT_EQ(document.undoStack().count(), 0);
}

TEST(Document, TypingANumberIsOneEntry) {
    Document document;
    document.setProject(test::smallProject("/data"));
    for (const int epochs : {1, 12, 123})
        document.edit(
            "Epochs", [&](train::RunConfig& c) { c.training.epochs = epochs; }, "epochs");
    EXPECT_EQ(document.undoStack().count(), 1);
    document.undoStack().undo();
    EXPECT_EQ(document.config().training.epochs, 3);
}

TEST(Document, SelectionLosesRemovedLayers) {
    Document document;
    document.setProject(test::smallProject("/data"));
    document.select({"hidden", "classes"});
    document.edit("Delete", [](train::RunConfig& c) { removeLayers(c.model, {"hidden"}); });
    EXPECT_EQ(document.selection(), QStringList{"classes"});
}

TEST(Document, SavedProjectOpensTheSame) {
    QTemporaryDir folder;
    Document document;
    document.setProject(test::smallProject(folder.path()));
    document.edit("Epochs", [](train::RunConfig& c) { c.training.epochs = 7; });
    const QString path = folder.filePath("a project.strata");
    document.save(path);
    EXPECT_FALSE(document.isModified());
    EXPECT_EQ(document.title(), "a project");
    Document other;
    other.open(path);
    EXPECT_EQ(other.config().training.epochs, 7);
    EXPECT_EQ(other.model().to_json(), document.model().to_json());
}

// The files that a project names, wherever it stands.
class DocumentPaths : public testing::Test {
protected:
    void SetUp() override {
        QDir(m_folder.path()).mkpath("old/data");
        QDir(m_folder.path()).mkpath("new");
        train::RunConfig config = test::smallProject("/elsewhere");
        config.data.source["images"] = "data/images";
        config.data.test = config.data.source;
        config.training.initial_weights = "data/weights.h5";
        train::save_project(config, path("old/a.strata").toStdString());
        m_document.open(path("old/a.strata"));
    }
    QString path(const char* name) const { return m_folder.filePath(name); }
    QString file(const std::string& written) const {
        return QDir::cleanPath(QDir(QString::fromStdString(m_document.config().base))
                                   .absoluteFilePath(QString::fromStdString(written)));
    }
    void expectSameFiles() const {
        const auto& config = m_document.config();
        EXPECT_EQ(file(config.data.source["images"].get<std::string>()), path("old/data/images"));
        EXPECT_EQ(file(config.data.source["labels"].get<std::string>()), "/elsewhere/labels");
        EXPECT_EQ(file(config.data.test["images"].get<std::string>()), path("old/data/images"));
        EXPECT_EQ(file(config.training.initial_weights), path("old/data/weights.h5"));
    }

    QTemporaryDir m_folder;
    Document m_document;
};

TEST_F(DocumentPaths, SavedElsewhereItNamesTheSameFiles) {
    m_document.save(path("new/b.strata"));
    EXPECT_EQ(m_document.config().base, path("new").toStdString());
    expectSameFiles();
    m_document.open(path("new/b.strata"));
    expectSameFiles();
}

TEST_F(DocumentPaths, BelowTheNewFolderTheyStayRelative) {
    m_document.save(path("c.strata"));
    EXPECT_EQ(m_document.config().data.source["images"].get<std::string>(), "old/data/images");
    expectSameFiles();
}

TEST_F(DocumentPaths, UndoKeepsTheFolderOfTheSavedFile) {
    m_document.edit("Epochs", [](train::RunConfig& c) { c.training.epochs = 7; });
    m_document.save(path("new/b.strata"));
    m_document.undoStack().undo();
    EXPECT_EQ(m_document.config().base, path("new").toStdString());
    EXPECT_EQ(m_document.config().training.epochs, 3);
    expectSameFiles();
    m_document.undoStack().redo();
    EXPECT_EQ(m_document.config().training.epochs, 7);
    expectSameFiles();
}

TEST_F(DocumentPaths, AFirstSaveHoldsAfterUndo) {
    m_document.setProject(test::smallProject("/elsewhere"));
    m_document.edit("Epochs", [](train::RunConfig& c) { c.training.epochs = 7; });
    m_document.save(path("new/b.strata"));
    m_document.undoStack().undo();
    EXPECT_EQ(m_document.config().base, path("new").toStdString());
}

TEST_F(DocumentPaths, OpeningTellsThePathAtOnce) {
    Document other;
    QString seen;
    QObject::connect(&other, &Document::replaced, [&] { seen = other.path(); });
    other.open(path("old/a.strata"));
    EXPECT_EQ(seen, path("old/a.strata"));
}

}  // namespace
}  // namespace strata::ui
