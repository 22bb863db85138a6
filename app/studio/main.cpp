// strata-studio: reads the command line, then composes theme, language and window.
#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QSettings>
#include <cstdio>
#include <string_view>

#include "resources/resources.h"
#include "ui/widgets/theme.h"
#include "ui/window/language.h"
#include "ui/window/main_window.h"
#include "ui/window/screenshot.h"

namespace {

using strata::ui::ThemeChoice;

bool wantsVersion(int argc, char** argv) {
    for (int i = 1; i < argc; ++i)
        if (std::string_view(argv[i]) == "--version") return true;
    return false;
}

void addOptions(QCommandLineParser& parser) {
    parser.setApplicationDescription(
        "Build a neural network layer by layer, train it and watch it learn.");
    parser.addHelpOption();
    parser.addPositionalArgument("project", "Project file (.strata) to open.", "[project]");
    parser.addOptions(
        {{"version", "Print the version."},
         {"theme", "Colours: light, dark or system.", "theme"},
         {"language", "Language: en or bn.", "language"},
         {"train", "Start training at once."},
         {"size", "Size of the window, such as 1280x800.", "WxH"},
         {"screenshot", "Write a picture of the window to this file and quit.", "file"},
         {"after-ms", "Milliseconds to wait before the picture.", "n", "500"},
         {"after-state", "Wait for this state of the run before the picture: finished.", "state"}});
}

int usage(const char* message, const QString& value) {
    std::fprintf(stderr, "strata-studio: %s: %s\nTry strata-studio --help.\n", message,
                 qPrintable(value));
    return 2;
}

ThemeChoice chosenTheme(const QString& given) {
    if (given == "light") return ThemeChoice::light;
    if (given == "dark") return ThemeChoice::dark;
    if (given == "system") return ThemeChoice::system;
    return static_cast<ThemeChoice>(
        QSettings().value("theme", static_cast<int>(ThemeChoice::system)).toInt());
}

QSize sizeFrom(const QString& text) {
    const QStringList parts = text.split('x');
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

}  // namespace

int main(int argc, char** argv) {
    if (wantsVersion(argc, argv)) {
        std::puts("strata-studio " STRATA_VERSION);
        return 0;
    }
    QApplication app(argc, argv);
    QApplication::setOrganizationName("Strata Studio");
    QApplication::setApplicationName("Strata Studio");
    QApplication::setApplicationVersion(STRATA_VERSION);
    QApplication::setDesktopFileName("strata-studio");
    QCommandLineParser parser;
    addOptions(parser);
    parser.process(app);
    const QString theme = parser.value("theme"), language = parser.value("language");
    if (!theme.isEmpty() && theme != "light" && theme != "dark" && theme != "system")
        return usage("--theme takes light, dark or system, not", theme);
    if (!language.isEmpty() && language != "en" && language != "bn")
        return usage("--language takes en or bn, not", language);
    if (parser.isSet("after-state") && parser.value("after-state") != "finished")
        return usage("--after-state takes finished, not", parser.value("after-state"));
    if (parser.isSet("size") && sizeFrom(parser.value("size")).isEmpty())
        return usage("--size takes two numbers such as 1280x800, not", parser.value("size"));
    if (parser.positionalArguments().size() > 1)
        return usage("one project at a time, not also", parser.positionalArguments()[1]);

    strata::use_resources();
    QApplication::setWindowIcon(QIcon(":/icons/strata-studio.svg"));
    strata::ui::applyLanguage(language.isEmpty() ? QSettings().value("language").toString()
                                                 : language);
    strata::ui::Theme::instance().apply(app, chosenTheme(theme));
    strata::ui::MainWindow window;
    if (parser.isSet("size")) window.resize(sizeFrom(parser.value("size")));
    window.show();
    if (!parser.positionalArguments().isEmpty())
        window.openProject(parser.positionalArguments().first());
    if (parser.isSet("train")) window.train();
    if (parser.isSet("screenshot"))
        strata::ui::scheduleScreenshot(
            window, {parser.value("screenshot"), parser.value("after-ms").toInt(),
                     parser.isSet("after-state")});
    return QApplication::exec();
}
