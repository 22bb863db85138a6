// The studio's texts in Bengali, for as long as a test lasts.
#pragma once

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QLocale>
#include <QTranslator>

namespace strata::ui {

class InBengali : public testing::Test {
protected:
    InBengali() {
        EXPECT_TRUE(m_translator.load(":/i18n/strata_bn.qm"));
        QCoreApplication::installTranslator(&m_translator);
        QLocale::setDefault(QLocale(QLocale::Bengali, QLocale::Bangladesh));
    }
    ~InBengali() override { sayEnglish(); }

    void sayEnglish() {
        QCoreApplication::removeTranslator(&m_translator);
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }

private:
    QTranslator m_translator;
};

}  // namespace strata::ui
