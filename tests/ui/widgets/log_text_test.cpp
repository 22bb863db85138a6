// What the engine says when ranks end, in a run's log and of files, in Bengali; and hints that name
// the terminal, in words for the studio.
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/json.h"
#include "engine/data/source.h"
#include "tests/ui/support/ui_environment.h"
#include "tests/ui/widgets/in_bengali.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/text.h"

namespace strata::ui {
namespace {

class LogTextTest : public InBengali {
protected:
    // No word of two letters or more and no digit is left, but for names and paths.
    static void expectBengali(const std::string& english, const QStringList& names = {}) {
        const QString text = engineText(english);
        QString rest = text;
        rest.remove(QRegularExpression("\\S*/\\S*"));
        for (const QString& name : names)
            rest.remove(QRegularExpression("\\b" + QRegularExpression::escape(name)));
        EXPECT_FALSE(rest.contains(QRegularExpression("[A-Za-z]{2}|[0-9]")))
            << english << "\n  " << text.toStdString();
    }
};

TEST_F(LogTextTest, TheEndOfARankIsToldInBengali) {
    EXPECT_EQ(engineText("rank 1 (host node-7) has not answered for 6.67 s"),
              "প্রক্রিয়া ১ (কম্পিউটার node-7) গত ৬.৬৭ সে ধরে সাড়া দেয়নি");
    EXPECT_EQ(engineText("rank 0 (host a), rank 2 (host b) have not come for 12.5 s to where the "
                         "others wait"),
              "অন্যরা যেখানে অপেক্ষায়, প্রক্রিয়া ০ (কম্পিউটার a), প্রক্রিয়া ২ (কম্পিউটার b) গত ১২.৫ সে ধরে "
              "সেখানে আসেনি");
    EXPECT_EQ(
        engineText("rank 1 (host node-7) has ended: layer 'hidden': there is not enough "
                   "memory. Use a smaller batch or close other programs"),
        "প্রক্রিয়া ১ (কম্পিউটার node-7) শেষ হয়ে গেছে: স্তর 'hidden': যথেষ্ট স্মৃতি নেই। ছোট ব্যাচ নিন "
        "বা অন্য প্রোগ্রাম বন্ধ করুন");
    const std::string killed =
        "rank 1 (host node.site) has ended without a word: it was killed, or its machine is gone";
    for (const std::string& english : std::vector<std::string>{
             killed,
             "rank 2: " + killed,
             "the others gave this rank up: " + killed,
             "rank 0: the others gave this rank up: " + killed,
             "rank 1 (host node.site), rank 2 (host node.site) have not answered for 20 s",
             "rank 3 (host node.site) has not come for 10 s to where the others wait",
             "this rank stood still for 12.5 s, stopped or without a processor, and the others "
             "gave it up",
             "rank 1 (host node.site) has ended: it has not finished its work",
             "rank 1 (host node.site) has ended: an error on a device",
             "rank 1 has ended: an error on another device",
         })
        expectBengali(english, {"node.site"});
    EXPECT_FALSE(isTranslated("rank x (host a) has ended without a word"));
}

TEST_F(LogTextTest, TheLinesOfALogAreBengali) {
    EXPECT_EQ(engineText("Training data: 60,000 images 28 x 28, 10 classes; 54,000 to train, "
                         "6,000 to validate"),
              "প্রশিক্ষণের ডেটা: ৬০,০০০টি ছবি ২৮ x ২৮, ১০টি শ্রেণি; প্রশিক্ষণে ৫৪,০০০, যাচাইয়ে ৬,০০০");
    EXPECT_EQ(engineText("2 processes train together; a batch of all has 256 samples"),
              "২টি প্রক্রিয়া একসঙ্গে প্রশিক্ষণ দেয়; সবার ব্যাচে মোট ২৫৬টি নমুনা");
    for (const char* english :
         {"The run took 16 samples at a time, and now takes 24", "Going on from /runs/1/last.h5",
          "The learning rate is scaled for 4 replicas now; before, for 2",
          "Training data: 200 images 32 x 32 x 3, 2 classes; 2 files left out; 180 to train, 20 "
          "to validate",
          "Not changed: learning rate: must be at least 0, found -1. It is the size of the step "
          "that each update takes; too large and the loss jumps, too small and it crawls"})
        expectBengali(english);
    expectBengali(
        "placement.memory_limit has no effect on cpu:3: this placement uses other devices",
        {"placement.memory_limit", "cpu:3"});
    expectBengali(
        "1 step in a row was skipped and nothing was learnt: gradients overflow float16 at the "
        "fixed loss scale 65536, first in layer 'hidden', in its gradient. Set "
        "training.loss_scale to \"dynamic\", or to a smaller number",
        {"float16", "hidden", "training.loss_scale", "dynamic"});
}

TEST_F(LogTextTest, EveryFusionIsBengali) {
    EXPECT_EQ(engineText("Planned: conv_1: relu inside the convolution"),
              "পরিকল্পিত: conv_1: relu কনভোলিউশনের ভেতরেই হয়");
    for (const char* english :
         {"Planned: one: relu inside the matrix product",
          "Planned: one: gradient of relu inside that of two",
          "Planned: one: softmax inside the loss",
          "Planned: one: reads the 8-bit input, without a cast before it",
          "Planned: one: computed again in the backward pass, to fit the memory"})
        expectBengali(english, {"one", "two", "relu", "softmax"});
}

TEST_F(LogTextTest, WhatASourceIsOfIsBengali) {
    QTemporaryDir folder;
    test::writeIdx(folder.path(), 64);
    const Json idx = {{"type", "idx"},
                      {"images", folder.filePath("images").toStdString()},
                      {"labels", folder.filePath("labels").toStdString()}};
    const Json moons = {{"type", "moons"}}, sine = {{"type", "noisy_sine"}};
    for (const Json& config : {idx, moons, sine}) {
        const auto source = data::open_source(config, "", "data.source");
        expectBengali("Training data: " + source->description() +
                      "; 1,000 to train, 20 to validate");
    }
}

TEST_F(LogTextTest, AFaultOfAFileIsBengaliWithItsPlace) {
    EXPECT_EQ(
        engineText("The last update was not saved: /runs/1/last.h5: cannot write: No space "
                   "left on device; 3.0 MiB are needed, 1.0 MiB were written. Free some "
                   "space, or choose a directory on another disk"),
        "শেষ হালনাগাদ সংরক্ষণ হয়নি: /runs/1/last.h5: লেখা যায়নি: ডিস্কে জায়গা নেই; লাগে ৩.০ MiB, "
        "লেখা হয়েছে ১.০ MiB। কিছু জায়গা খালি করুন, কিংবা অন্য ডিস্কের ফোল্ডার নিন");
    expectBengali(
        "/runs/1: cannot make the directory: Permission denied. Check the permissions of "
        "the file and its directory");
    EXPECT_FALSE(isTranslated("/runs/1: nobody said this. Check the path"));
}

TEST_F(LogTextTest, TheStudioNamesNoOptionOfTheTerminal) {
    const QRegularExpression terminal("--\\w|`|strata |mpirun");
    const auto told = [](const std::string& hint) {
        return errorText(Error(ErrorCode::interrupted, "a rank has ended", "", hint));
    };
    std::vector<std::string> hints{
        "It can go on with: --set placement.replicas=2; --set "
        "training.gradient_accumulation_steps=4",
        "It can go on with: mpirun --oversubscribe -np 1; mpirun -np 4 and --set "
        "data.pipeline.batch.batch_size=8"};
    for (const StudioSentence& sentence : studioSentences()) hints.emplace_back(sentence.engine);
    for (const std::string& hint : hints) {
        EXPECT_FALSE(told(hint).contains(terminal)) << told(hint).toStdString();
        EXPECT_FALSE(told(hint).contains("has ended")) << told(hint).toStdString();
    }
    EXPECT_EQ(told("--resume goes on from the last checkpoint"),
              "একটি প্রক্রিয়া শেষ হয়ে গেছে। সেখান থেকে চালাতে “শেষ চেকপয়েন্ট থেকে চালিয়ে যান” বাছুন।");
    EXPECT_EQ(
        engineText(hints[1]),
        "এভাবে চালিয়ে যাওয়া যায়: ১টি প্রক্রিয়া; ৪টি প্রক্রিয়া ও data.pipeline.batch.batch_size=৮");
    for (const auto& list : {engineSentences(), runSentences(), logSentences()})
        for (const char* english : list)
            EXPECT_TRUE(QString(english).contains("srun") ||
                        !QString(english).contains(QRegularExpression("--\\w|`")))
                << english;
    sayEnglish();
    for (const std::string& hint : hints)
        EXPECT_FALSE(told(hint).contains(terminal)) << told(hint).toStdString();
    EXPECT_EQ(told("--resume goes on from the last checkpoint"),
              "A rank has ended. Choose Go on from last checkpoint to train on from there.");
    EXPECT_EQ(engineText("/runs/1: no run is active in this directory. Start one with `strata "
                         "train`, or name the directory of one that runs"),
              "/runs/1: no run is active in this directory. Choose Train to start one");
}

}  // namespace
}  // namespace strata::ui
