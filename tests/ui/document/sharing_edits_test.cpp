// Layers with one set of weights stay whole through renaming, deleting, copying and undo.
#include "ui/document/sharing_edits.h"

#include <gtest/gtest.h>

#include "tests/ui/support/ui_environment.h"
#include "ui/document/document.h"
#include "ui/document/model_edits.h"

namespace strata::ui {
namespace {

using Names = std::vector<std::string>;

// input, scale, flatten, hidden (16 -> 8), twin and triplet (8 -> 8), classes. twin and triplet can
// share, hidden cannot: its input has another size.
graph::Model chain() {
    graph::Model model = test::smallProject("/data").model;
    Json part = copyLayers(model, {"hidden"});
    pasteLayers(model, part, "hidden");
    pasteLayers(model, part, "dense");
    renameLayer(model, "dense", "twin");
    renameLayer(model, "dense_1", "triplet");
    return model;
}

graph::Model tied() {
    graph::Model model = chain();
    shareWeights(model, "triplet", "twin");
    return model;
}

bool isWhole(const graph::Model& model) {
    return !graph::analyze(model).first_error(model).has_value();
}

TEST(SharingEdits, AnOwnerHasTypeParametersAndShapes) {
    graph::Model model = chain();
    EXPECT_EQ(ownersFor(model, "triplet"), Names{"twin"});
    EXPECT_EQ(ownersFor(model, "hidden"), Names{}) << "its weights have another shape";
    EXPECT_EQ(ownersFor(model, "flatten"), Names{});
    shareWeights(model, "triplet", "twin");
    EXPECT_TRUE(isWhole(model));
    EXPECT_EQ(sharersOf(model, "twin"), Names{"triplet"});
    EXPECT_EQ(ownersFor(model, "triplet"), Names{"twin"}) << "the present one is a choice";
    EXPECT_EQ(ownersFor(model, "twin"), Names{}) << "the other has no weights of its own";
    shareWeights(model, "triplet", "");
    EXPECT_EQ(sharersOf(model, "twin"), Names{});
}

TEST(SharingEdits, AChainOfSharersHasOneOwner) {
    graph::Model model = tied();
    pasteLayers(model, copyLayers(model, {"twin"}), "triplet");
    shareWeights(model, "dense", "triplet");
    EXPECT_EQ(model.layer("dense").shares, "twin") << "triplet's are twin's";
    shareWeights(model, "dense", "");
    shareWeights(model, "twin", "dense");
    EXPECT_EQ(sharersOf(model, "dense"), (Names{"twin", "triplet"}));
    shareWeights(model, "dense", "twin");
    EXPECT_EQ(model.layer("dense").shares, "") << "nobody shares with itself";
    EXPECT_TRUE(isWhole(model));
}

TEST(SharingEdits, SharersFollowTheOwnersNameAndParameters) {
    graph::Model model = tied();
    renameLayer(model, "twin", "owner");
    EXPECT_EQ(model.layer("triplet").shares, "owner");
    graph::LayerNode& owner = model.layers[static_cast<std::size_t>(model.index_of("owner"))];
    Json values = owner.config.json();
    values["activation"] = "tanh";
    owner.config = layers::Config::checked(owner.type->spec.params, values);
    EXPECT_FALSE(isWhole(model));
    followOwner(model, "owner");
    EXPECT_EQ(model.layer("triplet").config.json(), values);
    EXPECT_TRUE(isWhole(model));
}

TEST(SharingEdits, ADeletedOwnerLeavesItsWeightsToTheFirstThatStays) {
    graph::Model model = tied();
    pasteLayers(model, copyLayers(model, {"triplet"}), "triplet");
    EXPECT_EQ(sharersOf(model, "twin"), (Names{"triplet", "dense"}));
    graph::Model less = model;
    removeLayers(less, {"twin"});
    EXPECT_EQ(less.layer("triplet").shares, "");
    EXPECT_EQ(less.layer("dense").shares, "triplet");
    EXPECT_TRUE(isWhole(less));
    removeLayers(model, {"triplet", "twin"});
    EXPECT_EQ(model.layer("dense").shares, "");
    EXPECT_TRUE(isWhole(model));
}

TEST(SharingEdits, AMovedOwnerKeepsItsWeights) {
    graph::Model model = tied();
    moveLayer(model, "twin", "triplet", "classes");
    EXPECT_EQ(model.layer("twin").inputs, Names{"triplet"});
    EXPECT_EQ(model.layer("triplet").shares, "twin");
    EXPECT_EQ(model.layer("twin").shares, "");
    EXPECT_TRUE(isWhole(model));
}

TEST(SharingEdits, CopiesShareAmongEachOtherOrWithTheOwner) {
    graph::Model model = tied();
    const Names pair = duplicateLayers(model, {"twin", "triplet"});
    EXPECT_EQ(model.layer(pair[0]).shares, "");
    EXPECT_EQ(model.layer(pair[1]).shares, pair[0]);
    const Names one = duplicateLayers(model, {"triplet"});
    EXPECT_EQ(model.layer(one[0]).shares, "twin");
    EXPECT_TRUE(isWhole(model));
}

TEST(SharingEdits, PastedElsewhereALayerHasWeightsOfItsOwn) {
    const Json part = copyLayers(tied(), {"triplet"});
    graph::Model other = test::smallProject("/data").model;
    const Names made = pasteLayers(other, part, "hidden");
    EXPECT_EQ(other.layer(made[0]).shares, "");
    EXPECT_EQ(other.layer(made[0]).config.json(), other.layer("hidden").config.json());
    EXPECT_TRUE(isWhole(other));
    graph::Model same = tied();
    EXPECT_EQ(same.layer(pasteLayers(same, part, "flatten")[0]).shares, "")
        << "there its weights have another shape";
}

TEST(SharingEdits, UndoGivesTheOwnerBack) {
    Document document;
    train::RunConfig project = test::smallProject("/data");
    project.model = tied();
    document.setProject(project);
    const Json before = document.model().to_json();
    document.edit("Delete", [](train::RunConfig& c) { removeLayers(c.model, {"twin"}); });
    EXPECT_EQ(document.model().layer("triplet").shares, "");
    document.undoStack().undo();
    EXPECT_EQ(document.model().to_json(), before);
    EXPECT_FALSE(document.fault());
}

}  // namespace
}  // namespace strata::ui
