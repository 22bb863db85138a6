// A techniques panel over a small project, and hands to work its cards with.
#pragma once

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QTemporaryDir>

#include "tests/ui/support/ui_environment.h"
#include "ui/techniques/technique_card.h"
#include "ui/techniques/techniques_panel.h"

namespace strata::ui {

class PanelFixture : public testing::Test {
protected:
    PanelFixture() : panel(document) {
        test::writeIdx(folder.path(), 64);
        train::RunConfig project = test::smallProject(folder.path());
        project.base = folder.path().toStdString();
        document.setProject(project);
        panel.resize(320, 900);
    }

    TechniqueCard* card(const QString& key) const {
        for (TechniqueCard* each : panel.cards())
            if (each->hasRow(key)) return each;
        return nullptr;
    }
    template <typename Widget>
    Widget* field(const QString& key) const {
        TechniqueCard* owner = card(key);
        return owner == nullptr ? nullptr : qobject_cast<Widget*>(owner->editor(key));
    }
    void turn(const QString& key) const { field<QCheckBox>(key)->toggle(); }
    static void choose(QComboBox* box, const QString& value) {
        const int index = box->findData(value);
        ASSERT_GE(index, 0) << value.toStdString();
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
        Q_EMIT box->textActivated(box->itemText(index));
    }
    bool shows(const QString& text) const {
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (label->isVisibleTo(&panel) && label->text().contains(text)) return true;
        return false;
    }

    QTemporaryDir folder;
    Document document;
    TechniquesPanel panel;
};

}  // namespace strata::ui
