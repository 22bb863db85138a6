// The engine's words in Bengali: every name and sentence of the catalogue, with its numbers and
// parts; what is not known stays.
#include "ui/widgets/engine_text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLocale>
#include <QRegularExpression>
#include <set>

#include "engine/core/time_text.h"
#include "engine/data/source_description.h"
#include "engine/layers/catalogue.h"
#include "engine/losses/loss.h"
#include "engine/metrics/metric.h"
#include "engine/optimizers/optimizer.h"
#include "engine/schedules/learning_rate.h"
#include "tests/ui/support/ui_environment.h"
#include "tests/ui/widgets/in_bengali.h"
#include "ui/widgets/format.h"
#include "ui/widgets/text.h"

namespace strata::ui {
namespace {

class EngineTextTest : public InBengali {
protected:
    static bool hasEnglish(const QString& text) {
        return text.contains(QRegularExpression("[A-Za-z]{3}"));
    }
};

TEST_F(EngineTextTest, EverySentenceHasABengaliFormWithAllItsParts) {
    for (const auto& [context, list] :
         {std::pair("Engine", engineSentences()), std::pair("Engine", runSentences()),
          std::pair("Engine", logSentences()), std::pair("Count", countWords()),
          std::pair("Summary", summaryWords())})
        for (const char* english : list) {
            const QString text = QCoreApplication::translate(context, english);
            EXPECT_NE(text, QString(english)) << "no Bengali for: " << english;
            for (const char* part : {"%1", "%2", "%3", "%4", "%5", "%6", "%7"})
                EXPECT_EQ(text.contains(part), QString(english).contains(part))
                    << part << " of: " << english;
        }
    for (const StudioSentence& sentence : studioSentences())
        EXPECT_NE(QCoreApplication::translate("Engine", sentence.studio), QString(sentence.studio))
            << "no Bengali for: " << sentence.studio;
    EXPECT_GT(engineSentences().size(), 100U);
}

TEST_F(EngineTextTest, TimesAreWrittenInOneWay) {
    EXPECT_EQ(engineText("2 replicas of 1 stage: 4.63 µs a sample; the best way of another "
                         "shape, one device, 12.3 ms"),
              "১ পর্যায়ের ২টি প্রতিলিপি: নমুনাপিছু ৪.৬৩ মাইক্রোসে; অন্য গড়নের সেরা উপায়, এক যন্ত্র, "
              "১২.৩ মিসে");
    for (const double seconds : {4.627e-6, 111.2e-6, 12.34e-3, 1.2})
        EXPECT_EQ(engineText(time_text(seconds)), formatSeconds(seconds));
    sayEnglish();
    for (const double seconds : {4.627e-6, 111.2e-6, 12.34e-3, 1.2, 0.0})
        EXPECT_EQ(formatSeconds(seconds), QString::fromStdString(time_text(seconds)));
}

TEST_F(EngineTextTest, EveryParameterLossAndMetricHasABengaliName) {
    std::set<std::string> keys;
    const auto take = [&](const std::vector<layers::ParamSpec>& params) {
        for (const auto& param : params) keys.insert(param.key);
    };
    for (const auto* layer : layers::catalogue()) take(layer->spec.params);
    for (const auto* optimizer : optimizers::catalogue()) take(optimizer->params);
    for (const auto* schedule : schedules::catalogue()) take(schedule->params);
    take(schedules::ReduceLROnPlateau::params());
    for (const auto* source : data::catalogue()) take(source->params);
    for (const auto* loss : losses::catalogue()) keys.insert(loss->name);
    for (const auto* metric : metrics::catalogue()) keys.insert(metric->name);
    for (const std::string& key : keys)
        EXPECT_NE(nameText(key), QString::fromStdString(key).replace('_', ' '))
            << "no Bengali for: " << key;
    EXPECT_GT(keys.size(), 60U);
}

TEST_F(EngineTextTest, EverySourceIsDescribedInBengali) {
    for (const auto* source : data::catalogue()) {
        EXPECT_NE(catalogueText(source->doc), QString::fromStdString(source->doc)) << source->type;
        for (const auto& param : source->params)
            EXPECT_NE(catalogueText(param.doc), QString::fromStdString(param.doc)) << param.doc;
    }
}

TEST_F(EngineTextTest, NumbersAndPartsStandInTheirPlaces) {
    const QString text =
        engineText("at least 41 of 128 units gave 0 for all of 512 samples, 3 times in a row");
    EXPECT_FALSE(hasEnglish(text)) << text.toStdString();
    for (const char* part : {"অন্তত ৪১", "১২৮", "৫১২", "৩"})
        EXPECT_TRUE(text.contains(part)) << part << " in " << text.toStdString();
    EXPECT_EQ(engineText("layer 'hidden', units"), "স্তর 'hidden', units");
    EXPECT_EQ(engineText("must be at least 1 and at most 5, found 7"),
              "হতে হবে অন্তত ১ ও সর্বোচ্চ ৫, আছে ৭");
    // What the engine says of a run's end, whole.
    for (const char* said :
         {"The weights of epoch 3 are the best, but are lost: nothing was put back",
          "10 steps in a row were skipped and nothing was learnt: gradients overflow float16 at "
          "the fixed loss scale 65536, first in loss. Set training.loss_scale to \"dynamic\", or "
          "to a smaller number"})
        EXPECT_FALSE(engineText(said).contains(QRegularExpression("weights|steps|first in")))
            << engineText(said).toStdString();
    EXPECT_EQ(summaryText("128 units · relu"), "১২৮ একক · relu");
    EXPECT_EQ(summaryText("32 filters · 3 × 3"), "৩২ ফিল্টার · ৩ × ৩");
}

TEST_F(EngineTextTest, WhatAPlanFindsIsSaidInBengaliWithItsFigures) {
    EXPECT_EQ(engineText("needs 4.2 MiB, 1.2 MiB more than its 3.0 MiB; 2.0 MiB of it are input"),
              "লাগে ৪.২ MiB, যা এর ৩.০ MiB-এর চেয়ে ১.২ MiB বেশি; তার ২.০ MiB হলো ইনপুট");
    const QString layer = engineText("'input' has no weights to share");
    EXPECT_TRUE(layer.contains("‘input’")) << "a layer keeps its name: " << layer.toStdString();
    const QString rank = engineText("rank 1: there is not enough memory");
    EXPECT_FALSE(hasEnglish(rank)) << rank.toStdString();
    EXPECT_EQ(engineText("does 70 % of the work of 1 device; other places balance them better"),
              "কাজের ৭০ % একাই করে (মোট ১টি যন্ত্র); অন্য বিন্যাসে ভারসাম্য ভালো হয়");
    EXPECT_FALSE(isTranslated("more devices")) << "only a number is counted";
    EXPECT_FALSE(isTranslated("rank 1 said something else"));
}

TEST_F(EngineTextTest, CountsAreToldInBengali) {
    EXPECT_EQ(engineText("names 1 device for 2 replicas of 1 device each"),
              "প্রতিটি ১টি যন্ত্রের ২টি প্রতিলিপির জন্য ১টি যন্ত্র আছে");
    for (const char* text :
         {"2 CPU devices of 2 processes with 4 threads share 1 core and take turns there",
          "the run took 36 samples at a time, and 5 processes of 7 would take 35",
          "all 5 epochs are done already; set training.epochs higher to go on"}) {
        const QString said = engineText(text);
        EXPECT_TRUE(isTranslated(text));
        for (const char* word : {"device", "process", "core", "sample", "epochs are"})
            EXPECT_FALSE(said.contains(word)) << said.toStdString();
    }
    EXPECT_FALSE(isTranslated("no such devices")) << "only numbers are counted";
}

TEST_F(EngineTextTest, ManyBytesAreToldInUnits) {
    const Error error(
        ErrorCode::out_of_memory,
        "1335744 bytes wanted, 900 bytes of 1113120 bytes are free (weights 279616 "
        "B, optimizer 0 B, gradients 0 B, activations 0 B, workspace 0 B, input 64 B)",
        "cpu:1");
    EXPECT_EQ(errorText(error),
              "cpu:1: চাওয়া হয়েছে ১.৩ MiB, ১.১ MiB-এর মধ্যে খালি ৯০০ B (ওজন ২৭৩.১ KiB, "
              "অপ্টিমাইজার ০ B, গ্রেডিয়েন্ট ০ B, সক্রিয়তা ০ B, কাজের জায়গা ০ B, ইনপুট ৬৪ B)।");
    sayEnglish();
    const QString english = errorText(error);
    EXPECT_TRUE(english.startsWith("cpu:1: 1.3 MiB wanted, 900 B of 1.1 MiB"))
        << english.toStdString();
}

TEST_F(EngineTextTest, WhatIsNotKnownStays) {
    EXPECT_EQ(engineText("nobody ever said this 12 times"), "nobody ever said this 12 times");
    EXPECT_EQ(engineText(""), "");
    EXPECT_EQ(nameText("no_such_key"), "no such key");
}

TEST_F(EngineTextTest, AnErrorIsSaidInBengali) {
    const QString text = errorText(Error(ErrorCode::invalid_argument, "takes one input, found 0",
                                         "layer 'hidden'", "Connect a layer to it"));
    EXPECT_FALSE(hasEnglish(QString(text).remove("hidden"))) << text.toStdString();
    EXPECT_TRUE(text.endsWith("।"));
}

TEST_F(EngineTextTest, WhatIsNotTranslatedKeepsItsOwnFullStop) {
    const auto told = [](const char* what, const char* hint) {
        return errorText(Error(ErrorCode::invalid_argument, what, "layer 'hidden'", hint));
    };
    EXPECT_EQ(told("nobody said this", "Nor this"), "layer 'hidden': nobody said this. Nor this.");
    EXPECT_EQ(told("nobody said this", ""), "layer 'hidden': nobody said this.");
    EXPECT_EQ(sentenceText("nobody said this"), "Nobody said this.");
    EXPECT_TRUE(sentenceText("no training data are chosen").endsWith("।"));
    // One half is known: the message stays in one language.
    EXPECT_EQ(told("takes one input, found 0", "Nor this"),
              "layer 'hidden': takes one input, found 0. Nor this.");
    EXPECT_EQ(told("nobody said this", "Connect a layer to it"),
              "layer 'hidden': nobody said this. Connect a layer to it.");
    EXPECT_EQ(errorTextAtLayer(Error(ErrorCode::invalid_argument, "nobody said this",
                                     "layer 'hidden', units", "Connect a layer to it")),
              "units: nobody said this. Connect a layer to it.");
}

}  // namespace
}  // namespace strata::ui
