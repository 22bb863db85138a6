// The engine's words in Bengali: every name and sentence of the catalogue, with its numbers and
// parts; what is not known stays.
#include "ui/widgets/engine_text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLocale>
#include <QRegularExpression>
#include <QTranslator>
#include <set>

#include "engine/data/source_description.h"
#include "engine/layers/catalogue.h"
#include "engine/losses/loss.h"
#include "engine/metrics/metric.h"
#include "engine/optimizers/optimizer.h"
#include "engine/schedules/learning_rate.h"
#include "tests/ui/support/ui_environment.h"
#include "ui/widgets/text.h"

namespace strata::ui {
namespace {

class EngineTextTest : public testing::Test {
protected:
    EngineTextTest() {
        EXPECT_TRUE(m_translator.load(":/i18n/strata_bn.qm"));
        QCoreApplication::installTranslator(&m_translator);
        QLocale::setDefault(QLocale(QLocale::Bengali, QLocale::Bangladesh));
    }
    ~EngineTextTest() override {
        QCoreApplication::removeTranslator(&m_translator);
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }
    static bool hasEnglish(const QString& text) {
        return text.contains(QRegularExpression("[A-Za-z]{3}"));
    }

    QTranslator m_translator;
};

TEST_F(EngineTextTest, EverySentenceHasABengaliFormWithAllItsParts) {
    for (const auto& [context, list] :
         {std::pair("Engine", engineSentences()), std::pair("Summary", summaryWords())})
        for (const char* english : list) {
            const QString text = QCoreApplication::translate(context, english);
            EXPECT_NE(text, QString(english)) << "no Bengali for: " << english;
            for (const char* part : {"%1", "%2", "%3", "%4", "%5", "%6", "%7"})
                EXPECT_EQ(text.contains(part), QString(english).contains(part))
                    << part << " of: " << english;
        }
    EXPECT_GT(engineSentences().size(), 100U);
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
