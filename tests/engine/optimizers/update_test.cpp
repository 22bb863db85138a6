// Weight decay, clipping, moving average, accumulation and skipped steps against Keras and PyTorch
// (tests/references/updates.json), and the small cases of the rules.
#include <limits>
#include <set>

#include "tests/engine/core/reference.h"
#include "tests/engine/optimizers/update_chain.h"

namespace strata::optimizers {
namespace {

using strata::testing::distance;
using strata::testing::flat;
using testing::UpdateChain;
using Floats = std::vector<float>;

constexpr float infinity = std::numeric_limits<float>::infinity();

UpdateChain::Settings settings_of(const Json& entry) {
    UpdateChain::Settings settings;
    settings.type = entry.at("class_name").get<std::string>();
    settings.config = entry.at("config");
    if (const Json& clipping = entry.at("clipping"); !clipping.is_null()) {
        settings.clipping = clipping.at("type").get<std::string>();
        settings.limit = clipping.at("value").get<float>();
    }
    settings.segments = flat<std::int64_t>(entry.at("segments"));
    if (!entry.at("ema_momentum").is_null()) settings.ema = entry.at("ema_momentum").get<float>();
    return settings;
}

// The windows of a case: for each update the micro-batches' sums of gradients.
std::vector<std::vector<Floats>> windows_of(const Json& entry) {
    std::vector<std::vector<Floats>> windows;
    if (entry.contains("windows"))
        for (const Json& window : entry.at("windows")) {
            windows.emplace_back();
            for (const Json& part : window) windows.back().push_back(flat<float>(part));
        }
    for (const Json& gradient : entry.at("gradients")) windows.push_back({flat<float>(gradient)});
    return windows;
}

// loss_scale and samples multiply the gradients, as a run's own do, unless the case has samples.
void expect_reference(const Json& entry, double loss_scale, double tolerance) {
    const std::string name =
        entry.at("by").get<std::string>() + " " + entry.at("name").get<std::string>();
    const double samples = entry.value("samples", 1.0);
    const Json skipped = entry.value("skipped", Json::array());
    UpdateChain chain(settings_of(entry), flat<float>(entry.at("initial")));
    const auto windows = windows_of(entry);
    ASSERT_EQ(windows.size(), 20U) << name;
    for (std::size_t step = 0; step < windows.size(); ++step) {
        const bool overflows = std::find(skipped.begin(), skipped.end(), step) != skipped.end();
        for (Floats part : windows[step]) {
            for (float& g : part) g *= static_cast<float>(loss_scale);
            if (overflows) part[1] = infinity;
            chain.accumulate(part);
        }
        EXPECT_EQ(chain.update(1.0 / (loss_scale * samples)), !overflows) << name;
        ASSERT_LE(distance(chain.weights(), flat<double>(entry.at("weights")[step])), tolerance)
            << name << ", step " << step;
        if (entry.contains("averages")) {
            ASSERT_LE(distance(chain.average(), flat<double>(entry.at("averages")[step])),
                      tolerance)
                << name << ", average of step " << step;
        }
    }
}

TEST(Updates, AreKerassAndPyTorchs) {
    const Json cases = strata::testing::read_reference("updates.json");
    std::set<std::string> kinds;
    for (const Json& entry : cases) {
        kinds.insert(entry.at("by").get<std::string>());
        expect_reference(entry, 1.0, 3e-6);
        expect_reference(entry, 32768.0, 3e-6);
    }
    EXPECT_EQ(kinds.size(), 2U);
    EXPECT_GE(cases.size(), 20U);
}

// The gradient that an update with lr 1 takes from weights of 0.
Floats clipped(const std::string& kind, float limit, const std::vector<std::int64_t>& segments,
               const Floats& gradient, double gradient_scale = 1.0) {
    UpdateChain chain({"SGD", {{"learning_rate", 1.0}}, kind, limit, segments, {}},
                      Floats(gradient.size()));
    chain.accumulate(gradient);
    EXPECT_TRUE(chain.update(gradient_scale));
    Floats taken = chain.weights();
    for (float& value : taken) value = 0.0F - value;
    return taken;
}

using Doubles = std::vector<double>;

TEST(Clipping, HasTheRulesOwnNumbers) {
    const Floats g{3, 4, 12};
    const std::vector<std::int64_t> two{2, 1};
    EXPECT_LE(distance(clipped("global_clipnorm", 6.5F, two, g), Doubles{1.5, 2, 6}), 1e-6);
    EXPECT_LE(distance(clipped("clipnorm", 1.0F, two, g), Doubles{0.6, 0.8, 1}), 1e-6);
    EXPECT_LE(
        distance(clipped("global_clipnorm", 1.0F, two, g), Doubles{3.0 / 13, 4.0 / 13, 12.0 / 13}),
        1e-6);
    EXPECT_LE(distance(clipped("clipvalue", 3.5F, two, {3, -4, 12}), Doubles{3, -3.5, 3.5}), 1e-7);
    EXPECT_EQ(clipped("clipnorm", 12.5F, two, g), g) << "below the limit nothing changes";
    EXPECT_EQ(clipped("global_clipnorm", 13.0F, two, g), g);
    EXPECT_EQ(clipped("global_clipnorm", 0.0F, two, g), g) << "0 is no limit";
    EXPECT_EQ(clipped("clipvalue", 0.0F, two, g), g);
    EXPECT_EQ(clipped("clipnorm", 0.0F, two, g), g);
}

TEST(Clipping, ComesAfterUnscaling) {
    for (const char* kind : {"clipnorm", "global_clipnorm"})
        EXPECT_LE(distance(clipped(kind, 1.0F, {2}, {3072, 4096}, 1.0 / 1024), Doubles{0.6, 0.8}),
                  1e-6)
            << kind;
    EXPECT_LE(distance(clipped("clipvalue", 3.5F, {2}, {3072, 4096}, 1.0 / 1024), Doubles{3, 3.5}),
              1e-6);
}

TEST(Clipping, LeavesZerosAndBearsHugeNorms) {
    for (const char* kind : {"clipvalue", "clipnorm", "global_clipnorm"})
        EXPECT_EQ(clipped(kind, 1.0F, {3}, Floats(3)), Floats(3)) << kind;
    const Floats huge(128, 1e19F);
    for (const char* kind : {"clipnorm", "global_clipnorm"})
        EXPECT_LE(distance(clipped(kind, 1.0F, {128}, huge), Doubles(128, std::sqrt(1.0 / 128))),
                  1e-6)
            << kind;
    UpdateChain chain({"SGD", {{"learning_rate", 0.0}}, {}, 0.0F, {}, {}}, Floats(128));
    chain.accumulate(huge);
    chain.update(1.0);
    EXPECT_NEAR(chain.norm() / 1.1313708498984760e20, 1.0, 1e-6);
    chain.accumulate(huge);
    chain.update(1e-19 / 2.0);
    EXPECT_NEAR(chain.norm(), std::sqrt(128.0) / 2.0, 1e-5);
}

// [2,0] and [0,2] have the mean [1,1].
TEST(Clipping, SeesTheGradientOfTheWindow) {
    for (const char* kind : {"clipnorm", "global_clipnorm"}) {
        UpdateChain chain({"SGD", {{"learning_rate", 1.0}}, kind, 1.0F, {2}, {}}, Floats(2));
        chain.accumulate({2, 0});
        chain.accumulate({0, 2});
        EXPECT_TRUE(chain.update(0.5));
        EXPECT_LE(distance(chain.weights(), Doubles(2, -std::sqrt(0.5))), 1e-6) << kind;
        EXPECT_NEAR(chain.norm(), std::sqrt(2.0), 1e-12) << "the norm before clipping is reported";
    }
}

TEST(Accumulation, DividesByTheSamplesOfTheWindow) {
    UpdateChain chain({"SGD", {{"learning_rate", 1.0}}, {}, 0.0F, {}, {}}, Floats(1));
    for (const float sum : {4 * 1.0F, 4 * 1.0F, 2 * 4.0F}) chain.accumulate({sum});
    EXPECT_TRUE(chain.update(1.0 / 10));
    EXPECT_NEAR(static_cast<double>(chain.weights()[0]), -1.6, 1e-6);
    chain.accumulate({10});
    chain.accumulate({10});
    EXPECT_TRUE(chain.update(1.0 / 10));
    EXPECT_NEAR(static_cast<double>(chain.weights()[0]), -1.6 - 2.0, 1e-6)
        << "a new window starts from nothing";
}

TEST(SkippedSteps, DoNotAdvanceAdam) {
    UpdateChain chain({"Adam", {{"learning_rate", 0.1}}, {}, 0.0F, {}, {}}, Floats(1));
    chain.accumulate({infinity});
    EXPECT_FALSE(chain.update(1.0));
    EXPECT_EQ(chain.next_update(), 1);
    chain.accumulate({1.0F});
    EXPECT_TRUE(chain.update(1.0));
    EXPECT_NEAR(static_cast<double>(chain.weights()[0]), -0.1, 1e-6);
}

TEST(SkippedSteps, ChangeNothing) {
    const Floats initial{1.0F, -2.0F, 3.0F};
    for (const char* kind : {"", "clipvalue", "clipnorm", "global_clipnorm"})
        for (const Json& optimizer :
             {Json{{"type", "SGD"}}, Json{{"type", "SGD"}, {"momentum", 0.9}},
              Json{{"type", "SGD"}, {"momentum", 0.9}, {"nesterov", true}},
              Json{{"type", "AdamW"}}}) {
            Json config = optimizer;
            config.erase("type");
            config["weight_decay"] = 0.5;
            UpdateChain chain(
                {optimizer.at("type").get<std::string>(), config, kind, 1.0F, {2, 1}, 0.5F},
                initial);
            chain.accumulate({0.5F, 1.0F, -1.0F});
            EXPECT_TRUE(chain.update(1.0));
            const Floats weights = chain.weights(), average = chain.average();
            for (const float bad : {infinity, -infinity, std::nanf("")}) {
                // An overflow anywhere in the window skips all of it.
                chain.accumulate({1.0F, 1.0F, bad});
                chain.accumulate({1.0F, 1.0F, 1.0F});
                EXPECT_FALSE(chain.update(1.0));
                EXPECT_EQ(chain.weights(), weights) << optimizer << kind;
                EXPECT_EQ(chain.average(), average);
            }
            chain.accumulate({0.5F, 1.0F, -1.0F});
            EXPECT_TRUE(chain.update(1.0)) << "the accumulators start anew";
            EXPECT_TRUE(std::isfinite(chain.weights()[2]));
            EXPECT_NE(chain.weights(), weights);
        }
}

TEST(MovingAverage, StartsAtTheWeights) {
    UpdateChain chain({"SGD", {{"learning_rate", 1.0}}, {}, 0.0F, {}, 0.75F}, Floats{0.0F});
    Doubles averages;
    for (int i = 0; i < 3; ++i) {
        chain.accumulate({-1.0F});
        chain.update(1.0);
        averages.push_back(static_cast<double>(chain.average()[0]));
    }
    EXPECT_EQ(averages, (Doubles{1.0, 0.75 * 1 + 0.25 * 2, 0.75 * 1.25 + 0.25 * 3}));
}

// In float16 each update would round away: 1 - 6e-4 is nearer to 1 - 2^-11 than a hundred updates
// would bear.
TEST(Updates, AddUpInFloat32) {
    UpdateChain chain({"SGD", {{"learning_rate", 1.0}}, {}, 0.0F, {}, {}}, Floats{1.0F});
    for (int i = 0; i < 100; ++i) {
        chain.accumulate({6e-4F});
        chain.update(1.0);
    }
    EXPECT_NEAR(static_cast<double>(chain.weights()[0]), 0.94, 1e-5);
}

TEST(WeightDecay, IsDecoupledFromTheGradient) {
    UpdateChain chain({"Adam", {{"learning_rate", 0.1}, {"weight_decay", 0.2}}, {}, 0, {}, {}},
                      Floats{5.0F});
    chain.accumulate({0.0F});
    chain.update(1.0);
    EXPECT_NEAR(static_cast<double>(chain.weights()[0]), 5.0 * (1 - 0.1 * 0.2), 1e-6);
    const auto decay = [](const char* type, const Json& config) {
        return weight_decay(layers::Config::checked(find_optimizer(type).params, config));
    };
    EXPECT_EQ(decay("AdamW", Json::object()), 0.004);
    EXPECT_EQ(decay("Adam", Json::object()), 0.0);
    EXPECT_EQ(decay("SGD", {{"weight_decay", nullptr}}), 0.0);
    EXPECT_EQ(decay("sgd", {{"weight_decay", 0.01}}), 0.01);
}

}  // namespace
}  // namespace strata::optimizers
