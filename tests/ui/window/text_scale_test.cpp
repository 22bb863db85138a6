// The window with the system's text made larger: everything grows with it and nothing is cut off.
#include <QLabel>
#include <QToolButton>

#include "tests/ui/window/window_fixture.h"
#include "ui/charts/chart_panel.h"

namespace strata::ui {
namespace {

class TextScaleTest : public MainWindowTest {
protected:
    void SetUp() override {
        m_before = QApplication::font();
        QFont large = m_before;
        large.setPixelSize(20);
        QApplication::setFont(large);
        MainWindowTest::SetUp();
        m_window->resize(1920, 1080);
    }
    void TearDown() override {
        MainWindowTest::TearDown();
        QApplication::setFont(m_before);
        Theme::instance().apply(*qApp, ThemeChoice::light);
    }
    // Texts that wrap are laid out in several rounds, and effects come from another thread.
    static void settle() {
        waitFor([] { return false; }, 200);
    }
    // What is shown in less room than its text needs.
    QStringList clipped() {
        QStringList names;
        for (QWidget* each : m_window->findChildren<QWidget*>()) {
            if (!each->isVisible()) continue;
            QString text;
            bool wraps = false;
            if (const auto* label = qobject_cast<QLabel*>(each)) {
                text = label->text();
                wraps = label->wordWrap();
            } else if (const auto* any = qobject_cast<QAbstractButton*>(each)) {
                text = any->text();
            }
            if (text.isEmpty()) continue;
            const QFontMetrics metrics(each->font());
            const int tall = wraps ? each->heightForWidth(each->width()) : metrics.height();
            const int wide = wraps ? 0 : metrics.horizontalAdvance(text);
            if (each->height() < tall || each->width() < wide) names << text;
        }
        return names;
    }

    QFont m_before;
};

TEST_F(TextScaleTest, TextFollowsTheSystemsFont) {
    EXPECT_NEAR(Theme::scale(), 20.0 / 13.0, 1e-9);
    EXPECT_EQ(Theme::text().pixelSize(), 20);
    ASSERT_TRUE(m_window->openProject(saveProject(1)));
    QApplication::processEvents();
    for (const QLabel* label : m_window->findChildren<QLabel*>()) {
        if (!label->isVisible()) continue;
        EXPECT_GE(label->font().pixelSize(), 18) << label->text().toStdString();
    }
    EXPECT_NEAR(m_window->canvas().transform().m11(), Theme::scale(), 1e-9);
    EXPECT_EQ(Theme::unscaled(Theme::text()).pixelSize(), 13);
}

TEST_F(TextScaleTest, NothingIsCutOff) {
    for (const char* language : {"en", "bn"}) {
        applyLanguage(language);
        ASSERT_TRUE(m_window->openProject(saveProject(1)));
        for (const int tab : {0, 1, 2, 3}) {
            if (tab == 1) m_window->showTrainingTab();
            if (tab == 2) m_window->showTechniquesTab();
            if (tab == 3) m_window->showDataTab();
            settle();
            EXPECT_EQ(clipped().join(" | ").toStdString(), "") << language;
        }
        m_window->train();
        ASSERT_TRUE(waitFor([&] { return !m_window->engine().isActive(); }));
        settle();
        EXPECT_EQ(clipped().join(" | ").toStdString(), "") << language << " after a run";
    }
}

TEST_F(TextScaleTest, TheWindowStillFitsASmallScreen) {
    m_window->resize(1280, 800);
    ASSERT_TRUE(m_window->openProject(saveProject(1)));
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return !m_window->engine().isActive(); }));
    QApplication::processEvents();
    EXPECT_LE(m_window->minimumSizeHint().width(), 1280);
    EXPECT_EQ(m_window->width(), 1280);
    const auto* bar = m_window->findChild<RunBar*>();
    ASSERT_NE(bar, nullptr);
    for (const QLabel* label : bar->findChildren<QLabel*>())
        EXPECT_TRUE(!label->isVisible() ||
                    bar->rect().contains(QRect(label->mapTo(bar, QPoint()), label->size())))
            << label->text().toStdString();
}

TEST_F(TextScaleTest, TheCurvesKeepTheirHeightOnASmallScreen) {
    for (const char* language : {"en", "bn"}) {
        applyLanguage(language);
        m_window->resize(1280, 800);
        ASSERT_TRUE(m_window->openProject(saveProject(1)));
        m_window->train();
        ASSERT_TRUE(waitFor([&] { return !m_window->engine().isActive(); }));
        settle();
        EXPECT_EQ(m_window->height(), 800);
        const PanelPage* page = nullptr;
        for (const PanelPage* each : m_window->findChildren<PanelPage*>())
            if (each->isVisible()) page = each;
        ASSERT_NE(page, nullptr);
        ASSERT_FALSE(page->shownPanels().empty());
        for (const ChartPanel* panel : page->shownPanels())
            EXPECT_GE(panel->axisRect()->height(), Theme::px(70)) << language;
        EXPECT_GE(page->viewport()->height(), page->shownPanels().front()->height()) << language;
    }
}

TEST_F(TextScaleTest, AFontChangedWhileItRunsIsFollowed) {
    QFont larger = QApplication::font();
    larger.setPixelSize(24);
    QApplication::setFont(larger);
    QEvent change(QEvent::ApplicationFontChange);  // comes by itself only while the program runs
    QApplication::sendEvent(m_window.get(), &change);
    EXPECT_EQ(Theme::text().pixelSize(), 24);
}

}  // namespace
}  // namespace strata::ui
