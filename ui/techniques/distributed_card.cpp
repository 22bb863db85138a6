#include "ui/techniques/distributed_card.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>
#include <QStandardPaths>
#include <cmath>

#include "ui/bridge/run_process.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/format.h"

namespace strata::ui {
namespace {

constexpr const char* ranksKey = "placement.ranks";
constexpr const char* processesKey = "placement.ranks.count";
constexpr const char* hostsKey = "placement.ranks.hosts";  // of the user, not of the project
constexpr const char* scalingKey = "training.scale_lr";
constexpr const char* warmupKey = "training.warmup_epochs";
constexpr int mostProcesses = 4096;

using train::ScaleRate;
constexpr ScaleRate scalings[] = {ScaleRate::none, ScaleRate::linear, ScaleRate::square_root};

}  // namespace

DistributedCard::DistributedCard(Document& document)
    : TechniqueCard(document, ranksKey, Technique::distributed), m_hosts(new QLineEdit) {
    m_processes =
        addSpin(processesKey, 2, mostProcesses, [](Config& c, int v) { c.placement.ranks = v; });
    addOption(hostsKey, m_hosts);
    connect(m_hosts, &QLineEdit::editingFinished, this, [this] { setRunHosts(m_hosts->text()); });
    QStringList names;
    for (const ScaleRate scale : scalings) names << QString::fromLatin1(train::name_of(scale));
    m_scaling = addChoice(scalingKey, names, [](Config& c, const std::string& v) {
        for (const ScaleRate scale : scalings)
            if (v == train::name_of(scale)) c.training.rate_scaling.scale = scale;
    });
    m_warmup = addNumber(warmupKey, [](Config& c, std::optional<double> v) {
        c.training.rate_scaling.warmup_epochs = v.value_or(0.0);
    });
    m_note = makeLabel("warning");
    addWidget(m_note);
    finish();
}

void DistributedCard::retranslate() {
    TechniqueCard::retranslate();
    setText(processesKey, tr("processes"), tr("Each takes a part of every batch"));
    setText(hostsKey, tr("hosts"),
            tr("Such as node1:4, node2:4; empty for this machine. Kept for this user, not in the "
               "project"));
    m_hosts->setPlaceholderText(tr("this machine"));
    setText(scalingKey, tr("learning rate"),
            tr("How it grows with the number of copies that train together"));
    m_scaling->setItemText(0, tr("as it is"));
    m_scaling->setItemText(1, tr("times the copies"));
    m_scaling->setItemText(2, tr("times their square root"));
    setText(warmupKey, tr("warm-up epochs"), tr("Epochs in which it rises to that"));
}

void DistributedCard::showOptions(const train::RunConfig& config) {
    if (on()) showSpin(m_processes, config.placement.ranks);
    if (!m_hosts->isModified()) m_hosts->setText(runHosts());
    showChoice(m_scaling, train::name_of(config.training.rate_scaling.scale));
    showNumber(m_warmup, config.training.rate_scaling.warmup_epochs);
    static const bool missing = QStandardPaths::findExecutable("mpirun").isEmpty();
    m_note->setVisible(on() && missing);
    m_note->setText(tr("mpirun was not found: install Open MPI to train so."));
}

QString DistributedCard::effect() const {
    if (!on()) return {};
    const std::int64_t batch = config().data.pipeline.batch_size *
                               config().training.gradient_accumulation_steps *
                               config().placement.replicas,
                       processes = config().placement.ranks;
    QStringList parts{
        tr("effective batch %1 × %2 = %3")
            .arg(formatCount(batch), formatCount(processes), formatCount(batch * processes))};
    if (prediction().epoch)
        parts << tr("%1 updates an epoch").arg(formatCount(prediction().epoch->updates));
    const auto copies = static_cast<double>(processes * config().placement.replicas);
    const auto scale = config().training.rate_scaling.scale;
    if (scale != ScaleRate::none)
        parts << tr("learning rate × %1")
                     .arg(formatNumber(scale == ScaleRate::linear ? copies : std::sqrt(copies), 3));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace strata::ui
