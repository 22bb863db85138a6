// The inspector makes its fields from the specs and edits with undo.
#include "ui/inspector/inspector.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>

#include "tests/ui/support/ui_environment.h"
#include "ui/document/model_edits.h"
#include "ui/widgets/param_form.h"

namespace strata::ui {
namespace {

class InspectorTest : public testing::Test {
protected:
    void SetUp() override {
        m_document.setProject(test::smallProject("/data"));
        m_inspector.resize(320, 600);
        m_inspector.show();
        m_document.select({"hidden"});
    }
    std::int64_t units() { return m_document.model().layer("hidden").config.integer("units"); }

    Document m_document;
    Inspector m_inspector{m_document};
};

TEST_F(InspectorTest, ShowsAFieldForEachParameterOfTheSpec) {
    for (const auto& param : m_document.model().layer("hidden").type->spec.params)
        EXPECT_NE(m_inspector.form()->editor(QString::fromStdString(param.key)), nullptr)
            << param.key;
    const auto* spin = qobject_cast<QSpinBox*>(m_inspector.form()->editor("units"));
    ASSERT_NE(spin, nullptr);
    EXPECT_EQ(spin->value(), 8);
}

TEST_F(InspectorTest, AChangedParameterIsOneUndoableEdit) {
    auto* spin = qobject_cast<QSpinBox*>(m_inspector.form()->editor("units"));
    ASSERT_NE(spin, nullptr);
    spin->setValue(3);
    spin->setValue(32);
    EXPECT_EQ(units(), 32);
    EXPECT_EQ(m_document.undoStack().count(), 1);
    EXPECT_TRUE(m_document.undoStack().undoText().contains("units"));
    m_document.undoStack().undo();
    EXPECT_EQ(units(), 8);
    EXPECT_EQ(spin->value(), 8);
}

TEST_F(InspectorTest, AChoiceIsWritten) {
    auto* box = qobject_cast<QComboBox*>(m_inspector.form()->editor("activation"));
    ASSERT_NE(box, nullptr);
    EXPECT_EQ(box->currentText(), "relu");
    box->setFocus();
    const int index = box->findText("tanh");
    ASSERT_GE(index, 0);
    box->setCurrentIndex(index);
    Q_EMIT box->textActivated("tanh");
    EXPECT_EQ(m_document.model().layer("hidden").config.text("activation"), "tanh");
}

TEST_F(InspectorTest, ABadValueIsRefusedAtItsField) {
    m_document.edit("Insert",
                    [](train::RunConfig& c) { insertLayer(c.model, "Dropout", "hidden"); });
    m_document.select({"dropout"});
    auto* field = qobject_cast<QLineEdit*>(m_inspector.form()->editor("rate"));
    ASSERT_NE(field, nullptr);
    const double before = m_document.model().layer("dropout").config.number("rate");
    field->selectAll();
    QTest::keyClicks(field, "7");
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(m_document.model().layer("dropout").config.number("rate"), before);
    EXPECT_FALSE(m_inspector.form()->error("rate").isEmpty());
}

TEST_F(InspectorTest, ANumberOutOfRangeIsRefusedInWords) {
    auto* spin = qobject_cast<QSpinBox*>(m_inspector.form()->editor("units"));
    ASSERT_NE(spin, nullptr);
    for (const char* typed : {"0", "99999999999"}) {
        spin->selectAll();
        QTest::keyClicks(spin, typed);
        QTest::keyClick(spin, Qt::Key_Return);
        EXPECT_EQ(units(), 8) << typed;
        EXPECT_TRUE(m_inspector.form()->error("units").startsWith(typed)) << typed;
    }
    spin->selectAll();
    QTest::keyClicks(spin, "64");
    QTest::keyClick(spin, Qt::Key_Return);
    EXPECT_EQ(units(), 64);
    EXPECT_TRUE(m_inspector.form()->error("units").isEmpty());
}

TEST_F(InspectorTest, FractionsFollowTheLanguagesDigits) {
    m_document.edit("Insert",
                    [](train::RunConfig& c) { insertLayer(c.model, "Dropout", "hidden"); });
    QLocale::setDefault(QLocale("bn"));
    m_document.select({"dropout"});
    auto* field = qobject_cast<QLineEdit*>(m_inspector.form()->editor("rate"));
    ASSERT_NE(field, nullptr);
    EXPECT_EQ(field->text(), QString::fromUtf8("০.৫"));
    field->selectAll();
    field->insert(QString::fromUtf8("০.২৫"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(m_document.model().layer("dropout").config.number("rate"), 0.25);
    EXPECT_EQ(field->text(), QString::fromUtf8("০.২৫"));
    QLocale::setDefault(QLocale("en"));
}

TEST_F(InspectorTest, RenamingKeepsTheSelection) {
    auto* name = m_inspector.findChild<QLineEdit*>("layerName");
    ASSERT_NE(name, nullptr);
    name->setText("features");
    Q_EMIT name->editingFinished();
    EXPECT_GE(m_document.model().index_of("features"), 0);
    EXPECT_EQ(m_document.selection(), QStringList{"features"});
}

TEST_F(InspectorTest, ALayerSharesTheWeightsOfAnotherAndCannotChangeThemItself) {
    EXPECT_FALSE(m_inspector.sharesBox()->isEnabled()) << "no other Dense is like this one";
    EXPECT_FALSE(m_inspector.sharesBox()->toolTip().isEmpty());
    m_document.edit("Copies", [](train::RunConfig& c) {
        const Json part = copyLayers(c.model, {"hidden"});
        pasteLayers(c.model, part, "hidden");
        pasteLayers(c.model, part, "dense");
    });
    m_document.select({"dense_1"});
    QComboBox* box = m_inspector.sharesBox();
    ASSERT_TRUE(box->isVisibleTo(&m_inspector));
    ASSERT_EQ(box->count(), 2);
    EXPECT_TRUE(m_inspector.sharedNote().isEmpty());
    box->setCurrentIndex(1);
    Q_EMIT box->activated(1);
    EXPECT_EQ(m_document.model().layer("dense_1").shares, "dense");
    EXPECT_TRUE(m_document.undoStack().undoText().contains("dense"));
    EXPECT_FALSE(m_inspector.form()->isEnabled());
    EXPECT_TRUE(m_inspector.sharedNote().contains("those of dense"));
    m_document.select({"dense"});
    EXPECT_TRUE(m_inspector.form()->isEnabled());
    EXPECT_TRUE(m_inspector.sharedNote().contains("dense_1"));
    auto* activation = qobject_cast<QComboBox*>(m_inspector.form()->editor("activation"));
    ASSERT_NE(activation, nullptr);
    activation->setCurrentIndex(activation->findText("tanh"));
    Q_EMIT activation->textActivated("tanh");
    EXPECT_EQ(m_document.model().layer("dense_1").config.text("activation"), "tanh");
    EXPECT_FALSE(m_document.fault());
    m_document.undoStack().undo();
    m_document.undoStack().undo();
    m_document.select({"dense_1"});
    EXPECT_TRUE(m_inspector.form()->isEnabled());
    EXPECT_EQ(box->currentIndex(), 0);
}

TEST_F(InspectorTest, WhatHasNoWeightsOffersNoSharing) {
    m_document.select({"flatten"});
    EXPECT_FALSE(m_inspector.sharesBox()->isVisibleTo(&m_inspector));
}

TEST_F(InspectorTest, WithoutASelectionItShowsTheSummary) {
    m_document.select({});
    const auto* table = m_inspector.findChild<QTableWidget*>();
    ASSERT_NE(table, nullptr);
    ASSERT_EQ(table->rowCount(), 5);
    EXPECT_EQ(table->item(4, 0)->text(), "classes");
    EXPECT_EQ(table->item(4, 1)->text(), "(2,)");
    EXPECT_EQ(table->item(3, 2)->text(), "136");
}

}  // namespace
}  // namespace strata::ui
