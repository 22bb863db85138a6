// Edits keep a model's wiring whole; the document undoes, redoes and saves them.
#include "ui/document/model_edits.h"

#include <gtest/gtest.h>

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
    moveLayer(model, "scale", "flatten");
    EXPECT_EQ(namesOf(model), (Names{"input", "flatten", "scale", "hidden", "classes"}));
    EXPECT_EQ(model.layer("flatten").inputs, Names{"input"});
    EXPECT_EQ(model.layer("hidden").inputs, Names{"scale"});
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

}  // namespace
}  // namespace strata::ui
