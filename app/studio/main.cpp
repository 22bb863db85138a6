// strata-studio: reads the command line, then composes theme, language and window.
#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QSettings>
#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string_view>

#include "app/studio/signals.h"
#include "engine/backends/cpu/wait_policy.h"
#include "resources/resources.h"
#include "ui/widgets/theme.h"
#include "ui/window/language.h"
#include "ui/window/main_window.h"
#include "ui/window/screenshot.h"

namespace {

using strata::ui::ThemeChoice;

bool given(int argc, char** argv, std::initializer_list<std::string_view> options) {
    return std::any_of(argv + 1, argv + argc, [&](const char* argument) {
        return std::find(options.begin(), options.end(), argument) != options.end();
    });
}

bool hasDisplay(int argc, char** argv) {
#if defined(__linux__)
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (!qEnvironmentVariableIsEmpty(name)) return true;
    return given(argc, argv, {"-platform", "--platform"});
#else
    return argc > 0 && argv != nullptr;
#endif
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

// Needs no display.
int help(int argc, char** argv) {
    const QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    addOptions(parser);
    std::fputs(qPrintable(parser.helpText()), stdout);
    return 0;
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
    if (given(argc, argv, {"--version"})) {
        std::puts("strata-studio " STRATA_VERSION);
        return 0;
    }
    if (given(argc, argv, {"-h", "--help", "--help-all"})) return help(argc, argv);
    if (!hasDisplay(argc, argv)) {
        std::fputs(
            "strata-studio: There is no display to show the window on; train in the terminal with "
            "'strata train'.\n",
            stderr);
        return 1;
    }
    strata::cpu::use_short_waits(argv);
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
    const strata::studio::SignalWatch signalWatch(window);
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
