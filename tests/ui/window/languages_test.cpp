// The whole window: languages, names of all controls, help and colours.
#include "tests/ui/window/window_fixture.h"

#include <QRegularExpression>

namespace strata::ui {
namespace {

TEST_F(MainWindowTest, LanguageChangesWhileItRuns) {
    ASSERT_TRUE(m_window->openProject(saveProject(3)));
    EXPECT_NE(button("Train"), nullptr);
    applyLanguage("bn");
    QApplication::processEvents();
    EXPECT_EQ(button("Train"), nullptr);
    EXPECT_NE(button("প্রশিক্ষণ"), nullptr);
    EXPECT_TRUE(m_window->windowTitle().contains("স্ট্রাটা"));
    EXPECT_TRUE(m_window->actions().fileMenu->title().contains("ফাইল"));
    // Numbers follow: 136 parameters in Bengali digits.
    EXPECT_EQ(m_window->canvas().card("hidden")->data().count, "১৩৬");
    applyLanguage("en");
    QApplication::processEvents();
    EXPECT_NE(button("Train"), nullptr);
    EXPECT_EQ(m_window->canvas().card("hidden")->data().count, "136");
}

// All that the engine and the window write into it, but for names and paths.
TEST_F(MainWindowTest, TheLogOfARunIsBengali) {
    applyLanguage("bn");
    ASSERT_TRUE(m_window->openProject(saveProject(1)));
    bool ended = false;
    QObject::connect(m_window.get(), &MainWindow::runEnded, [&] { ended = true; });
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return ended; }));
    const QStringList lines = m_window->log().split('\n');
    EXPECT_GT(lines.size(), 4) << qPrintable(m_window->log());
    const QRegularExpression names("\\S*/\\S*|\\b(scale|hidden|classes|relu|softmax)\\b");
    for (const QString& line : lines)
        EXPECT_FALSE(QString(line).remove(names).contains(QRegularExpression("[A-Za-z]{3}")))
            << qPrintable(line);
}

// Every text of the catalogue that the studio shows has a Bengali form.
TEST_F(MainWindowTest, TheCatalogueIsTranslated) {
    applyLanguage("bn");
    std::vector<std::string> texts;
    const auto take = [&](const std::vector<layers::ParamSpec>& params) {
        for (const auto& param : params) texts.push_back(param.doc);
    };
    for (const auto* layer : layers::catalogue()) {
        texts.push_back(layer->spec.doc);
        take(layer->spec.params);
    }
    for (const auto* optimizer : optimizers::catalogue()) {
        texts.push_back(optimizer->doc);
        take(optimizer->params);
    }
    for (const auto* schedule : schedules::catalogue()) {
        texts.push_back(schedule->doc);
        take(schedule->params);
    }
    take(schedules::ReduceLROnPlateau::params());
    for (const auto* loss : losses::catalogue()) texts.push_back(loss->doc);
    for (const auto* metric : metrics::catalogue()) texts.push_back(metric->doc);
    for (const auto& entry : train::templates()) texts.push_back(entry.doc);
    for (const std::string& text : texts)
        EXPECT_FALSE(catalogueText(text) == QString::fromStdString(text))
            << "no Bengali for: " << text;
    EXPECT_GT(texts.size(), 40U);
}

bool isControl(const QWidget* widget) {
    if (qobject_cast<const QAbstractButton*>(widget) != nullptr ||
        qobject_cast<const QComboBox*>(widget) != nullptr ||
        qobject_cast<const QAbstractSpinBox*>(widget) != nullptr)
        return true;
    // The field inside a spin box or combo box belongs to it.
    const auto* field = qobject_cast<const QLineEdit*>(widget);
    return field != nullptr && !isControl(widget->parentWidget());
}

// Qt's own parts: the buttons that scroll a bar of tabs, the button that clears a field, a table's
// corner.
bool isInternal(const QWidget* widget) {
    const QString name = widget->metaObject()->className();
    return widget->objectName().startsWith("qt_") || name == "QTableCornerButton" ||
           name == "QLineEditIconButton" ||
           QString(widget->parentWidget()->metaObject()->className()) == "QTabBar";
}

TEST_F(MainWindowTest, EveryControlHasANameAndATooltip) {
    ASSERT_TRUE(m_window->openProject(saveProject(3)));
    int controls = 0;
    for (const QString& layer : {QString(), QString("hidden"), QString("input")}) {
        m_window->document().select(layer.isEmpty() ? QStringList() : QStringList{layer});
        for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
            if (!isControl(widget) || isInternal(widget)) continue;
            ++controls;
            const std::string what = std::string(widget->metaObject()->className()) + " " +
                                     widget->objectName().toStdString() + " in " +
                                     widget->parentWidget()->metaObject()->className();
            EXPECT_FALSE(widget->accessibleName().isEmpty() && [&] {
                const auto* press = qobject_cast<const QAbstractButton*>(widget);
                return press == nullptr || press->text().isEmpty();
            }()) << what;
            EXPECT_FALSE(widget->toolTip().isEmpty()) << what;
        }
    }
    EXPECT_GT(controls, 30);
}

TEST_F(MainWindowTest, HelpExplainsTheSelection) {
    HelpWindow help;
    help.showLayer(layers::find_layer("Dropout"));
    EXPECT_TRUE(help.text().contains("Dropout"));
    EXPECT_TRUE(help.text().contains("rate"));
}

TEST(ThemeColors, TextHasContrastInBothThemes) {
    for (const Colors& colors : {Theme::lightColors(), Theme::darkColors()})
        for (const QColor& ground : {colors.window, colors.panel, colors.canvas})
            for (const QColor& ink : {colors.text, colors.secondary, colors.accent, colors.good,
                                      colors.warning, colors.bad})
                EXPECT_GE(contrast(ink, ground), 4.5)
                    << ink.name().toStdString() << " on " << ground.name().toStdString();
}

}  // namespace
}  // namespace strata::ui
