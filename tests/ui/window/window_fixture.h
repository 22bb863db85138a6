// The window on a small project in a folder of its own. Used by the window's tests.
#pragma once

#include "ui/window/main_window.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTimer>

#include "engine/layers/catalogue.h"
#include "engine/losses/loss.h"
#include "engine/metrics/metric.h"
#include "engine/optimizers/optimizer.h"
#include "engine/schedules/learning_rate.h"
#include "tests/ui/support/ui_environment.h"
#include "ui/canvas/canvas.h"
#include "ui/canvas/card_item.h"
#include "ui/canvas/edge_item.h"
#include "ui/charts/charts.h"
#include "ui/charts/panel_page.h"
#include "ui/charts/run_store.h"
#include "ui/document/model_edits.h"
#include "ui/techniques/control_deck.h"
#include "ui/techniques/techniques_panel.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/help_window.h"
#include "ui/window/language.h"
#include "ui/window/memory_strip.h"
#include "ui/window/run_bar.h"

namespace strata::ui {

using test::waitFor;
using train::RunState;

class MainWindowTest : public testing::Test {
protected:
    void SetUp() override {
        applyLanguage("en");
        Theme::instance().apply(*qApp, ThemeChoice::light);
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1280, 800);
        m_window->show();
        test::writeIdx(m_folder.path(), 64);
    }
    void TearDown() override {
        m_window.reset();
        applyLanguage("en");
    }
    QString saveProject(int epochs, bool checkpoints = true) {
        train::RunConfig config = test::smallProject(m_folder.path());
        config.training.epochs = epochs;
        config.training.checkpoint.enabled = checkpoints;
        const QString path = m_folder.filePath("small.strata");
        train::save_project(config, path.toStdString());
        return path;
    }
    QPushButton* button(const QString& text) {
        for (QPushButton* each : m_window->findChildren<QPushButton*>())
            if (each->text() == text) return each;
        return nullptr;
    }
    // Answers the next message box by the button of this text.
    void answer(const QString& text) {
        QTimer::singleShot(50, [text] {
            QWidget* box = QApplication::activeModalWidget();
            ASSERT_NE(box, nullptr);
            for (QAbstractButton* each : box->findChildren<QAbstractButton*>())
                if (each->text() == text) return each->click();
            ADD_FAILURE() << "no button " << text.toStdString();
        });
    }

    std::size_t rows() { return m_window->charts().store().steps().rows(); }
    double lastUpdate() { return m_window->charts().store().steps().axis(XAxis::update).last(); }
    bool stopRun() {
        m_window->stop();
        return waitFor([&] { return !m_window->engine().isActive(); });
    }
    QStringList runs() {
        return QDir(m_folder.filePath("runs")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    }

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
};

}  // namespace strata::ui
