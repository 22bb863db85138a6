#include "ui/bridge/run_process.h"

#include <unistd.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QPointer>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QThreadPool>
#include <QTimer>
#include <QtConcurrentRun>
#include <filesystem>
#include <utility>

#include "engine/io/atomic_file.h"
#include "engine/io/paths.h"
#include "ui/bridge/engine_thread.h"
#include "ui/document/rebase.h"

namespace strata::ui {
namespace {

constexpr const char* hostsSetting = "hosts";
constexpr int mostErrorBytes = 4096, patienceMs = 10000, sliceMs = 8;

std::string newRunDirectory(const train::RunConfig& config) {
    const std::filesystem::path runs =
        std::filesystem::path(config.base.empty() ? "." : config.base) / "runs";
    io::require_writable_directory(runs);
    return io::create_run_directory(runs, config.name).string();
}

// More processes than cores, each on any of them (by default Open MPI gives two processes a core
// each), and in a container as root.
QProcessEnvironment environment() {
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert("OMPI_MCA_rmaps_base_oversubscribe", "1");
    all.insert("OMPI_MCA_hwloc_base_binding_policy", "none");
    if (geteuid() == 0) {
        all.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
        all.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    }
    return all;
}

// What a process says of its end, without the launcher's lines around it; else all that was said.
Error faultOf(const QString& told) {
    static const QRegularExpression end("^strata: (?!warning: )([^\n]+)(?:\n  ([^\n]+))?",
                                        QRegularExpression::MultilineOption);
    const auto match = end.match(told);
    return {ErrorCode::interrupted, (match.hasMatch() ? match.captured(1) : told).toStdString(),
            "placement.ranks", match.captured(2).toStdString()};
}

// One request after the other, in the order in which they were made: a run takes one at a time. It
// outlives the run, which may end before it has taken the last, and ends with the application: what
// a request uses goes before the pool does.
QThreadPool& requestThread() {
    static QPointer<QThreadPool> pool;
    if (!pool) {
        pool = new QThreadPool(QCoreApplication::instance());
        pool->setMaxThreadCount(1);
    }
    return *pool;
}

}  // namespace

QString runHosts() {
    return QSettings().value(hostsSetting).toString();
}

void setRunHosts(const QString& hosts) {
    QSettings().setValue(hostsSetting, hosts.simplified());
}

RunCommand runCommand(const QString& project, const RunRequest& request, int processes,
                      const QString& hosts) {
    RunCommand command;
    command.program = QStandardPaths::findExecutable("mpirun");
    if (command.program.isEmpty())
        throw Error(ErrorCode::not_found, "mpirun was not found, which starts several processes",
                    "placement.ranks", "Install Open MPI, or turn Distributed off");
    command.arguments << "-np" << QString::number(processes);
    QString list = hosts;
    list.replace(' ', ',');
    const QStringList names = list.split(',', Qt::SkipEmptyParts);
    if (!names.isEmpty()) command.arguments << "--host" << names.join(',');
    command.arguments << QCoreApplication::applicationDirPath() + "/strata"
                      << "train" << project << "--json"
                      << "--run-dir" << request.runDirectory;
    if (request.resume) command.arguments << "--resume";
    if (request.startPaused) command.arguments << "--step";
    return command;
}

RunProcess::RunProcess(Sink sink, QObject* parent) : QObject(parent), m_sink(std::move(sink)) {
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &RunProcess::readLines);
    connect(&m_process, &QProcess::readyReadStandardError, this, [this] {
        m_errors = (m_errors + m_process.readAllStandardError()).right(mostErrorBytes);
    });
    connect(&m_process, &QProcess::finished, this, [this](int code) {
        m_finished = true;
        m_code = code;
        readLines();
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;
        m_errors = m_process.errorString().toUtf8();
        finish(-1);
    });
}

RunProcess::~RunProcess() {
    m_process.disconnect(this);
    if (m_process.state() == QProcess::NotRunning) return;
    m_process.terminate();
    if (m_process.waitForFinished(patienceMs)) return;
    m_process.kill();
    m_process.waitForFinished();
}

void RunProcess::start(const train::RunConfig& config, const RunRequest& request) {
    m_folder = std::make_unique<QTemporaryDir>();
    if (!m_folder->isValid())
        throw Error(ErrorCode::io, m_folder->errorString().toStdString(), "placement.ranks");
    m_runDirectory = request.runDirectory.isEmpty()
                         ? QString::fromStdString(newRunDirectory(config))
                         : QFileInfo(request.runDirectory).absoluteFilePath();
    train::RunConfig copy = config;
    rebase(copy, m_folder->path().toStdString());
    const QString project = m_folder->filePath("project.strata");
    train::save_project(copy, project.toStdString());
    const RunCommand command =
        runCommand(project, {m_runDirectory, request.resume, request.startPaused},
                   config.placement.ranks, runHosts());
    m_reader = {};
    m_errors.clear();
    m_end.reset();
    m_finished = m_planned = false;
    m_running = true;
    m_stopped = false;
    m_process.setProcessEnvironment(environment());
    m_process.start(command.program, command.arguments);
}

void RunProcess::control(const train::ControlRequest& request) {
    if (!m_planned) {  // nobody reads a request yet
        m_stopped = request.stop;
        if (request.stop) m_process.terminate();
        return;
    }
    const std::string directory = m_runDirectory.toStdString();
    auto sent = QtConcurrent::run(&requestThread(), [directory, request]() -> QString {
        try {
            train::send_control(directory, request);
            return {};
        } catch (const Error& error) {
            return QString::fromUtf8(error.what());
        }
    });
    sent.then(this, [this](const QString& fault) {
        if (!fault.isEmpty() && m_running) warn(fault);
    });
}

// In slices, so that the window stays awake.
void RunProcess::readLines() {
    QElapsedTimer clock;
    clock.start();
    while (m_process.canReadLine()) {
        take(m_process.readLine());
        if (clock.elapsed() < sliceMs) continue;
        QTimer::singleShot(0, this, &RunProcess::readLines);
        return;
    }
    if (m_finished && m_running) finish(m_code);
}

void RunProcess::take(const QByteArray& line) {
    if (line.trimmed().isEmpty()) return;
    try {
        const auto event = m_reader.read_line(line.toStdString());
        if (!event) return;
        if (const auto* end = std::get_if<train::EndEvent>(&*event)) {
            m_end = *end;  // told when the processes are gone
            return;
        }
        m_sink(*event);
        if (std::holds_alternative<train::PlanEvent>(*event)) m_planned = true;
    } catch (const Error&) {  // not the run's own: of mpirun, or of a library
        warn(QString::fromUtf8(line).trimmed());
    }
}

void RunProcess::warn(const QString& text) {
    m_sink(train::LogEvent{train::LogEvent::Level::warning, text.toStdString()});
}

void RunProcess::finish(int code) {
    m_running = false;
    if (!m_end) {
        m_end.emplace();
        m_end->state = m_stopped ? train::RunState::stopped : train::RunState::failed;
        m_end->run_directory = m_runDirectory.toStdString();
    }
    if (!m_end->error && m_end->state == train::RunState::failed) {
        const QString told = QString::fromUtf8(m_errors).trimmed();
        m_end->error =
            told.isEmpty()
                ? Error(ErrorCode::interrupted,
                        "the processes ended with code " + std::to_string(code), "placement.ranks")
                : faultOf(told);
    }
    m_folder.reset();
    m_sink(*m_end);
}

}  // namespace strata::ui
