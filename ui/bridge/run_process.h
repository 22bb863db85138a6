// A run of several processes: `mpirun -np N strata train` as a child process, followed by the
// events that its first rank prints. Used by EngineThread, which gives them on.
#pragma once

#include <QProcess>
#include <QTemporaryDir>
#include <functional>
#include <memory>
#include <optional>

#include "engine/train/control_file.h"
#include "engine/train/event_json.h"
#include "engine/train/run_config.h"

namespace strata::ui {

struct RunRequest;

// The command that starts a run; its project lies at `project`.
struct RunCommand {
    QString program;
    QStringList arguments;
};
// hosts: "host1:4, host2:4"; "": this machine. Throws Error{not_found} where there is no mpirun.
RunCommand runCommand(const QString& project, const RunRequest& request, int processes,
                      const QString& hosts);
// Of this user, for runs of several processes.
QString runHosts();
void setRunHosts(const QString& hosts);

class RunProcess : public QObject {
    Q_OBJECT

public:
    using Sink = std::function<void(const train::Event&)>;

    // sink: gets every event, an EndEvent as the last one; on this object's thread.
    explicit RunProcess(Sink sink, QObject* parent = nullptr);
    ~RunProcess() override;  // ends a run and waits for it

    // Throws Error where it cannot be started.
    void start(const train::RunConfig& config, const RunRequest& request);
    bool isRunning() const { return m_running; }
    // To the run, which answers by its events. What it does not take becomes a warning.
    void control(const train::ControlRequest& request);

private:
    void readLines();
    void take(const QByteArray& line);
    void finish(int code);
    void warn(const QString& text);

    Sink m_sink;
    QProcess m_process;
    std::unique_ptr<QTemporaryDir> m_folder;  // of the project as it is run
    train::EventReader m_reader;
    QByteArray m_errors;  // the end of what it wrote to stderr
    QString m_runDirectory;
    std::optional<train::EndEvent> m_end;
    bool m_running = false, m_planned = false, m_stopped = false, m_finished = false;
    int m_code = 0;
};

}  // namespace strata::ui
