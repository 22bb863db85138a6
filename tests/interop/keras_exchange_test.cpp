// The exchange of whole models with Keras itself: it loads our files, we load its files, and both
// predict the same. Left out where the build knows no Python with Keras (STRATA_PYTHON).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "engine/checkpoint/checkpoint.h"
#include "engine/interop/keras_h5.h"
#include "engine/io/bounded_reader.h"
#include "engine/io/idx.h"
#include "engine/io/npy.h"
#include "tests/engine/graph/models.h"
#include "tests/support/temporary_directory.h"

namespace strata::interop {
namespace {

namespace fs = std::filesystem;
using graph::Executor;
using graph::testing::layer;
using graph::testing::model_of;
using graph::testing::options_of;
using graph::testing::setup_of;

constexpr std::int64_t count = 256, batch = 64, pixels = 784, classes = 10;
constexpr double tolerance = 1e-5;
const fs::path dataset = "/usr/share/datasets/fashion-mnist";

struct Case {
    std::string name;
    graph::Model model;
    std::string optimizer;
    Json config;
    bool trains;       // one more step in Keras; not with dropout, whose masks differ
    double ema = 0.0;  // momentum of the weights' moving average; 0: none
};

class KerasExchange : public ::testing::Test {
protected:
    void SetUp() override {
        if (std::strlen(STRATA_PYTHON) == 0)
            GTEST_SKIP() << "no Python with Keras: configure with -DSTRATA_PYTHON=PATH";
        if (!fs::exists(dataset)) GTEST_SKIP() << dataset << " is missing";
        const io::Idx images = io::read_idx(dataset / "t10k-images-idx3-ubyte.gz");
        const io::Idx labels = io::read_idx(dataset / "t10k-labels-idx1-ubyte.gz");
        for (std::int64_t i = 0; i < count * pixels; ++i)
            images_.push_back(
                std::to_integer<std::uint8_t>(images.bytes[static_cast<std::size_t>(i)]));
        for (std::int64_t i = 0; i < count; ++i)
            labels_.push_back(
                std::to_integer<std::int32_t>(labels.bytes[static_cast<std::size_t>(i)]));
        io::write_npy(folder_ / "images.npy", DType::float32, {count, 28, 28, 1},
                      std::as_bytes(std::span(images_)));
        io::write_npy(folder_ / "labels.npy", DType::int32, {count},
                      std::as_bytes(std::span(labels_)));
    }

    void run_keras(const std::string& verb) const {
        const std::string log = (folder_ / "log.txt").string();
        const std::string command = std::string("'") + STRATA_PYTHON + "' '" + STRATA_SOURCE_DIR +
                                    "/tests/references/keras_exchange.py' " + verb + " '" +
                                    folder_.path().string() + "' >'" + log + "' 2>&1";
        ASSERT_EQ(std::system(command.c_str()), 0) << io::read_text_file(log);
    }

    std::vector<float> predict(Executor& executor) const {
        std::vector<float> outputs(static_cast<std::size_t>(count * classes));
        for (std::int64_t i = 0; i < count; i += batch)
            executor.predict(images_.data() + i * pixels, batch, outputs.data() + i * classes);
        return outputs;
    }

    // Keras's averages after its step: momentum * what the file held + (1 - momentum) * weights.
    void expect_averages(const Case& c, const Executor& executor) const {
        const KerasFile file = read_keras_h5((folder_ / (c.name + ".h5")).string());
        EXPECT_EQ(file.compile["ema"]["momentum"], c.ema);
        std::size_t averages = 0;
        for (const graph::HostTensor& before : file.optimizer) {
            if (before.slot != "average") continue;
            ++averages;
            const std::string name = before.layer + "." + before.role;
            const io::Npy after =
                io::read_npy(folder_ / (c.name + ".after") / (name + ".average.npy"));
            for (const graph::HostTensor& now : executor.snapshot(false)) {
                if (now.layer != before.layer || now.role != before.role) continue;
                ASSERT_EQ(after.shape, now.shape);
                double most = 0;
                for (std::size_t e = 0; e < now.values.size(); ++e)
                    most =
                        std::max(most, std::abs(c.ema * static_cast<double>(before.values[e]) +
                                                (1 - c.ema) * static_cast<double>(now.values[e]) -
                                                static_cast<double>(after.as<float>()[e])));
                EXPECT_LT(most, 2e-5) << name;
            }
        }
        EXPECT_EQ(averages, executor.snapshot(false).size());
    }

    // The largest difference from the predictions that Keras wrote for `name`.
    double difference(const std::string& name, const std::vector<float>& ours) const {
        const io::Npy keras = io::read_npy(folder_ / (name + ".predictions.npy"));
        EXPECT_EQ(keras.shape, (Shape{count, classes}));
        double most = 0;
        for (std::size_t i = 0; i < ours.size(); ++i)
            most = std::max(most, std::abs(static_cast<double>(ours[i]) -
                                           static_cast<double>(keras.as<float>()[i])));
        return most;
    }

    strata::testing::TemporaryDirectory folder_;
    std::vector<float> images_;
    std::vector<std::int32_t> labels_;
};

graph::Model every_layer() {
    return model_of(
        {layer("input", "InputLayer", {{"shape", {28, 28, 1}}}), layer("rescaling", "Rescaling"),
         layer("stem", "Conv2D", {{"filters", 4}, {"kernel_size", {3, 5}}}),
         layer("norm", "BatchNormalization"), layer("act", "Activation", {{"activation", "silu"}}),
         layer("late", "Conv2D", {{"filters", 4}, {"kernel_size", 3}, {"padding", "same"}},
               {"stem"}),
         layer("sum", "Add", Json::object(), {"act", "late"}),
         layer("cat", "Concatenate", Json::object(), {"sum", "stem", "late"}),
         layer("pool", "AveragePooling2D", {{"pool_size", 3}, {"padding", "same"}}, {"cat"}),
         layer("drop", "Dropout", {{"rate", 0.3}}, {"pool"}),
         layer("mean", "GlobalAveragePooling2D", Json::object(), {"cat"}),
         layer("flat", "Flatten", Json::object(), {"drop"}),
         layer("joined", "Concatenate", Json::object(), {"mean", "flat"}),
         layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}}, {"joined"})});
}

// The two branches have variables of equal shape, and the file's order is not the order of the
// depth: only Keras's own order puts each where it belongs.
graph::Model twins() {
    return model_of(
        {layer("input", "InputLayer", {{"shape", {28, 28, 1}}}), layer("rescaling", "Rescaling"),
         layer("flat", "Flatten"), layer("short", "Dense", {{"units", 16}, {"activation", "tanh"}}),
         layer("long_1", "Dense", {{"units", 16}, {"activation", "relu"}}, {"flat"}),
         layer("long_2", "Dense", {{"units", 16}, {"activation", "relu"}}, {"long_1"}),
         layer("cat", "Concatenate", Json::object(), {"short", "long_2"}),
         layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}}, {"cat"})});
}

// A layer in a row and beside, nearer to the output than its variables' place in Keras's order
// says; "late" has variables of the same shapes.
graph::Model tied() {
    const Json tanh{{"units", 16}, {"activation", "tanh"}};
    const auto sharing = [](const char* name, const char* input) {
        return graph::testing::sharing(name, "Dense", "shared", input);
    };
    return model_of(
        {layer("input", "InputLayer", {{"shape", {28, 28, 1}}}), layer("rescaling", "Rescaling"),
         layer("flat", "Flatten"), layer("narrow", "Dense", tanh),
         layer("late", "Dense", tanh, {"narrow"}), sharing("first_use", "narrow"),
         layer("shared", "Dense", tanh, {"first_use"}), sharing("third_use", "late"),
         layer("cat", "Concatenate", Json::object(), {"third_use", "shared", "first_use"}),
         layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}}, {"cat"})});
}

std::vector<Case> cases() {
    return {{"ours_classic", graph::testing::classic(), "Adam", {{"learning_rate", 0.002}}, true},
            {"ours_cnn",
             graph::testing::cnn(),
             "SGD",
             {{"learning_rate", 0.02}, {"momentum", 0.9}},
             true},
            {"ours_twins", twins(), "AdamW", {{"learning_rate", 0.002}, {"weight_decay", 5}}, true},
            {"ours_decay",
             graph::testing::classic(),
             "SGD",
             {{"learning_rate", 0.02}, {"weight_decay", 0.5}},
             true},
            {"ours_average", twins(), "Adam", {{"learning_rate", 0.002}}, true, 0.75},
            {"ours_plain_average", twins(), "SGD", {{"learning_rate", 0.02}}, true, 0.9},
            {"ours_tied", tied(), "Adam", {{"learning_rate", 0.002}}, true, 0.8},
            {"ours_graph", every_layer(), "Adam", Json::object(), false}};
}

// Some average of each weight, so that one in a wrong place shows: half of it.
std::vector<graph::HostTensor> averages_of(const Executor& executor) {
    std::vector<graph::HostTensor> averages = executor.snapshot(false);
    for (graph::HostTensor& tensor : averages) {
        tensor.slot = "average";
        for (float& value : tensor.values) value *= 0.5F;
    }
    return averages;
}

float learning_rate_of(const graph::TrainingSetup& setup) {
    return static_cast<float>(setup.optimizer_config.number("learning_rate"));
}

ops::StepScalars scalars_of(const graph::TrainingSetup& setup, std::int64_t update) {
    ops::StepScalars scalars = graph::testing::scalars_of(learning_rate_of(setup), update);
    scalars.weight_decay = static_cast<float>(optimizers::weight_decay(setup.optimizer_config));
    return scalars;
}

TEST_F(KerasExchange, KerasLoadsOurFilesPredictsAndTrainsOn) {
    std::vector<Case> all = cases();
    std::vector<graph::TrainingSetup> setups;
    std::vector<std::unique_ptr<Executor>> executors;
    std::ofstream trained(folder_ / "train.txt");
    for (const Case& c : all) setups.push_back(setup_of(c.optimizer, c.config));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Case& c = all[i];
        auto executor = std::make_unique<Executor>(c.model, &setups[i], options_of(batch));
        executor->initialize(11);
        for (int update = 1; update <= 3; ++update)
            executor->train_step(images_.data() + update * batch * pixels % (count * pixels),
                                 labels_.data() + update * batch % count, batch,
                                 scalars_of(setups[i], update));
        checkpoint::TrainingState state;
        state.update = 3;
        Json compile = {{"optimizer", {{"type", c.optimizer}, {"config", c.config}}},
                        {"loss", "sparse_categorical_crossentropy"},
                        {"metrics", {"accuracy"}}};
        checkpoint::Snapshot snapshot{c.model, executor->snapshot(true), state, compile};
        if (c.ema > 0.0) {
            snapshot.compile["ema"] = {{"momentum", c.ema}};
            for (graph::HostTensor average : averages_of(*executor))
                snapshot.tensors.push_back(std::move(average));
        }
        checkpoint::write(snapshot, (folder_ / (c.name + ".h5")).string());
        if (c.trains) trained << c.name << "\n";
        executors.push_back(std::move(executor));
    }
    trained.close();
    run_keras("load");
    if (HasFatalFailure()) return;
    for (std::size_t i = 0; i < all.size(); ++i) {
        SCOPED_TRACE(all[i].name);
        Executor& executor = *executors[i];
        EXPECT_LT(difference(all[i].name, predict(executor)), tolerance);
        const Json info = parse_json(io::read_text_file(folder_ / (all[i].name + ".json")), "info");
        const auto layers = std::count_if(all[i].model.layers.begin(), all[i].model.layers.end(),
                                          [](const auto& node) { return node.shares.empty(); });
        EXPECT_EQ(info["layers"].size(), static_cast<std::size_t>(layers));
        EXPECT_EQ(info["optimizer"], all[i].optimizer);
        EXPECT_EQ(info["iterations"], 3);
        EXPECT_NEAR(info["learning_rate"].get<double>(),
                    static_cast<double>(learning_rate_of(setups[i])), 1e-9);
        EXPECT_EQ(info["loss"], "sparse_categorical_crossentropy");
        if (!all[i].trains) continue;
        executor.train_step(images_.data(), labels_.data(), batch, scalars_of(setups[i], 4));
        for (const graph::HostTensor& tensor : executor.snapshot(false)) {
            const io::Npy after = io::read_npy(folder_ / (all[i].name + ".after") /
                                               (tensor.layer + "." + tensor.role + ".npy"));
            ASSERT_EQ(after.shape, tensor.shape);
            double most = 0;
            for (std::size_t e = 0; e < tensor.values.size(); ++e)
                most = std::max(most, std::abs(static_cast<double>(tensor.values[e]) -
                                               static_cast<double>(after.as<float>()[e])));
            EXPECT_LT(most, 2e-5) << tensor.layer << "/" << tensor.role;
        }
        if (all[i].ema > 0.0) expect_averages(all[i], executor);
    }
}

TEST_F(KerasExchange, FilesOfKerasPredictTheSameHere) {
    run_keras("make");
    if (HasFatalFailure()) return;
    for (const std::string name :
         {"keras_sequential", "keras_functional", "keras_shared", "keras_two"}) {
        SCOPED_TRACE(name);
        const KerasFile file = read_keras_h5((folder_ / (name + ".h5")).string());
        graph::ExecutorOptions options = options_of(batch);
        options.training = false;
        Executor executor(file.model, nullptr, options);
        executor.restore(file.weights);
        EXPECT_LT(difference(name, predict(executor)), tolerance);
        EXPECT_TRUE(file.training_state.is_null());
        if (name == "keras_two") {
            EXPECT_TRUE(file.compile.is_null());
            continue;
        }
        const bool sequential = name == "keras_sequential";
        EXPECT_EQ(file.compile["optimizer"]["type"], sequential ? "SGD" : "AdamW");
        EXPECT_EQ(file.compile["optimizer"]["config"],
                  sequential ? Json({{"momentum", 0.9}})
                             : Json({{"learning_rate", 0.002}, {"weight_decay", 0.02}}));
        EXPECT_EQ(file.compile["loss"], "sparse_categorical_crossentropy");
        EXPECT_EQ(file.compile["metrics"], Json::array({"accuracy"}));
        // The state of two updates fits the optimizer that the file names.
        const graph::TrainingSetup setup =
            setup_of(file.compile["optimizer"]["type"], file.compile["optimizer"]["config"]);
        Executor trainer(file.model, &setup, options_of(batch));
        EXPECT_FALSE(file.optimizer.empty());
        EXPECT_NO_THROW(trainer.restore(file.optimizer, false));
    }
}

}  // namespace
}  // namespace strata::interop
