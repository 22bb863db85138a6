#include "ui/techniques/run_cards.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QLineEdit>
#include <QSpinBox>

#include "ui/widgets/format.h"

namespace strata::ui {
namespace {

constexpr const char* stopMonitor = "training.early_stopping.monitor";
constexpr const char* stopMode = "training.early_stopping.mode";
constexpr const char* patienceKey = "training.early_stopping.patience";
constexpr const char* deltaKey = "training.early_stopping.min_delta";
constexpr const char* baselineKey = "training.early_stopping.baseline";
constexpr const char* restoreKey = "training.early_stopping.restore_best_weights";
constexpr const char* startKey = "training.early_stopping.start_from_epoch";
constexpr const char* bestMonitor = "training.checkpoint.monitor";
constexpr const char* bestMode = "training.checkpoint.mode";
constexpr const char* bestOnlyKey = "training.checkpoint.save_best_only";
constexpr const char* everyKey = "training.checkpoint.save_freq";
constexpr const char* minutesKey = "training.checkpoint.save_minutes";
constexpr const char* keepKey = "training.checkpoint.keep_last";
constexpr const char* nameKey = "training.checkpoint.filename";
const QStringList& modes() {
    static const QStringList all{"auto", "min", "max"};
    return all;
}

// Early stopping and checkpoints choose the better of two values alike.
struct MonitorMode {
    Q_DECLARE_TR_FUNCTIONS(strata::ui::MonitorMode)
};

QString modeLabel() {
    return MonitorMode::tr("better is");
}

QString modeHelp() {
    return MonitorMode::tr("Which of two values counts as better");
}

void nameModes(QComboBox* box) {
    box->setItemText(0, MonitorMode::tr("chosen by its name"));
    box->setItemText(1, MonitorMode::tr("lower"));
    box->setItemText(2, MonitorMode::tr("higher"));
}

}  // namespace

EarlyStoppingCard::EarlyStoppingCard(Document& document)
    : TechniqueCard(document, "training.early_stopping", Technique::earlyStopping) {
    m_monitor = addMonitor(stopMonitor, [](Config& c, const std::string& v) {
        c.training.early_stopping.monitor = v;
    });
    m_patience = addSpin(patienceKey, 0, 1000000,
                         [](Config& c, int v) { c.training.early_stopping.patience = v; });
    m_restore = addCheck(restoreKey, [](Config& c, bool on) {
        c.training.early_stopping.restore_best_weights = on;
    });
    m_mode = addChoice(stopMode, modes(),
                       [](Config& c, const std::string& v) { c.training.early_stopping.mode = v; });
    m_minDelta = addNumber(deltaKey, [](Config& c, std::optional<double> v) {
        c.training.early_stopping.min_delta = v.value_or(0.0);
    });
    m_baseline = addNumber(
        baselineKey,
        [](Config& c, std::optional<double> v) { c.training.early_stopping.baseline = v; }, true);
    m_start = addSpin(startKey, 0, 1000000,
                      [](Config& c, int v) { c.training.early_stopping.start_from_epoch = v; });
    finish();
}

void EarlyStoppingCard::retranslate() {
    TechniqueCard::retranslate();
    setText(stopMonitor, tr("watch"), tr("The value that must get better"));
    setText(patienceKey, tr("patience"), tr("Epochs without a better value before the run ends"));
    setText(restoreKey, tr("restore the best"),
            tr("Put the weights of the best epoch back at the end"));
    setText(stopMode, modeLabel(), modeHelp());
    nameModes(m_mode);
    setText(deltaKey, tr("least gain"), tr("A smaller change does not count as better"));
    setText(baselineKey, tr("baseline"), tr("The value that must be beaten; may stay empty"));
    m_baseline->setPlaceholderText(tr("not set"));
    setText(startKey, tr("from epoch"), tr("The first epoch that counts, from 0"));
}

void EarlyStoppingCard::showOptions(const train::RunConfig& config) {
    const train::EarlyStoppingConfig& stopping = config.training.early_stopping;
    showMonitor(m_monitor, stopping.monitor);
    showChoice(m_mode, stopping.mode);
    showSpin(m_patience, stopping.patience);
    showSpin(m_start, stopping.start_from_epoch);
    showNumber(m_minDelta, stopping.min_delta);
    showNumber(m_baseline, stopping.baseline);
    showCheck(m_restore, stopping.restore_best_weights);
}

QString EarlyStoppingCard::effect() const {
    if (!on()) return {};
    return tr("ends after %1 epochs without a better value, or after all")
        .arg(formatCount(config().training.early_stopping.patience));
}

CheckpointCard::CheckpointCard(Document& document)
    : TechniqueCard(document, "training.checkpoint", Technique::checkpoints) {
    m_monitor = addMonitor(
        bestMonitor, [](Config& c, const std::string& v) { c.training.checkpoint.monitor = v; });
    m_mode = addChoice(bestMode, modes(),
                       [](Config& c, const std::string& v) { c.training.checkpoint.mode = v; });
    m_bestOnly = addCheck(bestOnlyKey,
                          [](Config& c, bool on) { c.training.checkpoint.save_best_only = on; });
    m_every = addSpin(everyKey, 0, 1000000000,
                      [](Config& c, int v) { c.training.checkpoint.save_freq = v; });
    m_minutes = addNumber(minutesKey, [](Config& c, std::optional<double> v) {
        c.training.checkpoint.save_minutes = v.value_or(0.0);
    });
    m_keep =
        addSpin(keepKey, 1, 10000, [](Config& c, int v) { c.training.checkpoint.keep_last = v; });
    m_name = addText(nameKey,
                     [](Config& c, const std::string& v) { c.training.checkpoint.filename = v; });
    finish();
}

void CheckpointCard::retranslate() {
    TechniqueCard::retranslate();
    setText(bestMonitor, tr("best by"),
            tr("The value whose best epoch is kept as the best checkpoint"));
    setText(bestMode, modeLabel(), modeHelp());
    nameModes(m_mode);
    setText(bestOnlyKey, tr("best only"),
            tr("Write a checkpoint only after the best epoch so far, and at the end"));
    setText(everyKey, tr("every … updates"), tr("Updates from one to the next; 0: each epoch"));
    m_every->setSpecialValueText(tr("epoch"));
    setText(minutesKey, tr("every … minutes"),
            tr("At the latest after so many minutes, too; 0: never"));
    setText(keepKey, tr("keep the last"),
            tr("How many of them stay; 1 writes the same file over and over"));
    setText(nameKey, tr("file name"),
            tr("Pattern such as run-{epoch:02d}-{val_loss:.3f}.h5; empty for the usual names"));
    m_name->setPlaceholderText(tr("usual names"));
}

void CheckpointCard::showOptions(const train::RunConfig& config) {
    const train::CheckpointConfig& checkpoint = config.training.checkpoint;
    showMonitor(m_monitor, checkpoint.monitor);
    showChoice(m_mode, checkpoint.mode);
    showCheck(m_bestOnly, checkpoint.save_best_only);
    showSpin(m_every, checkpoint.save_freq);
    showNumber(m_minutes, checkpoint.save_minutes);
    showSpin(m_keep, checkpoint.keep_last);
    showText(m_name, checkpoint.filename);
}

// A file holds the weights and the optimizer's state.
QString CheckpointCard::effect() const {
    const auto& memory = prediction().memory;
    if (!on() || !memory) return {};
    return tr("about %1 a file").arg(formatBytes(memory->checkpoint));
}

}  // namespace strata::ui
