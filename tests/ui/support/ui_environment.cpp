#include "tests/ui/support/ui_environment.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QSettings>
#include <QStandardPaths>

#include "resources/resources.h"

namespace strata::ui::test {
namespace {

QByteArray header(char type, std::initializer_list<quint32> extents) {
    QByteArray out{QByteArray(2, '\0')};
    out.append(type).append(static_cast<char>(extents.size()));
    for (const quint32 extent : extents)
        for (int shift = 24; shift >= 0; shift -= 8)
            out.append(static_cast<char>(extent >> shift & 0xFF));
    return out;
}

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

class Environment : public testing::Environment {
public:
    void SetUp() override {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        QStandardPaths::setTestModeEnabled(true);
        static int argc = 1;
        static char name[] = "ui-test";
        static char* argv[] = {name, nullptr};
        m_app = std::make_unique<QApplication>(argc, argv);
        QApplication::setOrganizationName("Strata Studio tests");
        QApplication::setApplicationName(QString("ui-test-%1").arg(QApplication::applicationPid()));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
        use_resources();
    }
    void TearDown() override { m_app.reset(); }

private:
    QTemporaryDir m_settings;
    std::unique_ptr<QApplication> m_app;
};

const auto* const environment = testing::AddGlobalTestEnvironment(new Environment);

}  // namespace

bool waitFor(const std::function<bool()>& done, int milliseconds) {
    QElapsedTimer timer;
    timer.start();
    while (!done()) {
        if (timer.elapsed() > milliseconds) return false;
        QApplication::processEvents(QEventLoop::AllEvents, 20);
    }
    return true;
}

void writeIdx(const QString& folder, int count) {
    const auto n = static_cast<quint32>(count);
    QByteArray images = header(0x08, {n, 4, 4}), labels = header(0x08, {n});
    for (int i = 0; i < count; ++i) {
        const bool upper = i % 2 == 0;
        for (int pixel = 0; pixel < 16; ++pixel)
            images.append(static_cast<char>((pixel < 8) == upper ? 200 + i % 50 : i % 30));
        labels.append(static_cast<char>(upper ? 0 : 1));
    }
    write(folder + "/images", images);
    write(folder + "/labels", labels);
}

train::RunConfig smallProject(const QString& folder) {
    const Json source = {{"type", "idx"},
                         {"images", (folder + "/images").toStdString()},
                         {"labels", (folder + "/labels").toStdString()}};
    const Json json = {
        {"strata", 1},
        {"name", "small"},
        {"model",
         {{"layers",
           {{{"name", "input"}, {"type", "InputLayer"}, {"config", {{"shape", {4, 4, 1}}}}},
            {{"name", "scale"}, {"type", "Rescaling"}, {"inputs", {"input"}}},
            {{"name", "flatten"}, {"type", "Flatten"}, {"inputs", {"scale"}}},
            {{"name", "hidden"},
             {"type", "Dense"},
             {"config", {{"units", 8}, {"activation", "relu"}}},
             {"inputs", {"flatten"}}},
            {{"name", "classes"},
             {"type", "Dense"},
             {"config", {{"units", 2}, {"activation", "softmax"}}},
             {"inputs", {"hidden"}}}}}}},
        {"data",
         {{"source", source},
          {"pipeline", {{{"stage", "shuffle"}}, {{"stage", "batch"}, {"batch_size", 8}}}}}},
        {"training", {{"epochs", 3}, {"seed", 1}}}};
    return train::project_from_json(json, "small.strata");
}

}  // namespace strata::ui::test
