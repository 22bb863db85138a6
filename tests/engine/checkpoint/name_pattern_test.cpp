// Names of checkpoints: the texts that Python's str.format gives, and which files have such a name.
#include "engine/checkpoint/name_pattern.h"

#include <gtest/gtest.h>

#include <limits>

namespace strata::checkpoint {
namespace {

NamePattern pattern(const std::string& text) {
    return {text, {"epoch", "update"}, {"loss", "val_loss"}, "name"};
}

// Expected texts were printed by Python 3.11: "...".format(epoch=7, update=-12, loss=0.05, ...).
TEST(NamePattern, FormatsAsPythonDoes) {
    const NamePattern::Values values{
        {"epoch", 7}, {"update", -12}, {"loss", 0.05}, {"val_loss", -1234.5}};
    for (const auto& [text, wanted] : std::vector<std::pair<std::string, std::string>>{
             {"{epoch}.h5", "7.h5"},
             {"{epoch:02d}.h5", "07.h5"},
             {"{epoch:4d}.h5", "   7.h5"},
             {"{epoch:.2f}.h5", "7.00.h5"},
             {"{update:05d}.h5", "-0012.h5"},
             {"{loss:.3f}-{val_loss:.1f}.h5", "0.050--1234.5.h5"},
             {"{val_loss:010.2f}.h5", "-001234.50.h5"},
             {"{val_loss:.2e}.h5", "-1.23e+03.h5"},
             {"{loss:g}{loss}.h5", "0.050.05.h5"},
             {"{{{epoch}}}.h5", "{7}.h5"},
             {"plain.h5", "plain.h5"}})
        EXPECT_EQ(pattern(text).name(values), wanted) << text;
    EXPECT_EQ(pattern("{loss:.3f}.h5").name({{"loss", std::numeric_limits<double>::quiet_NaN()}}),
              "nan.h5");
}

TEST(NamePattern, KnowsItsOwnNames) {
    const NamePattern names = pattern("run-{epoch:02d}-{val_loss:.3f}.h5");
    for (const char* name : {"run-01-0.123.h5", "run-100--1.500.h5", "run-02-nan.h5"})
        EXPECT_TRUE(names.matches(name)) << name;
    for (const char* name : {"run-01.h5", "run-a-0.1.h5", "run-01-0.1.h5.tmp.3", "best.h5", ""})
        EXPECT_FALSE(names.matches(name)) << name;
    EXPECT_FALSE(pattern("{epoch}.h5").matches("best.h5"));
    EXPECT_FALSE(pattern("{epoch}.h5").matches("last.h5"));
    EXPECT_TRUE(pattern("last.h5").matches("last.h5"));
}

}  // namespace
}  // namespace strata::checkpoint
