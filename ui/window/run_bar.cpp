#include "ui/window/run_bar.h"

#include <QAction>
#include <QEvent>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <algorithm>

#include "ui/widgets/format.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/window/state_shape.h"

namespace strata::ui {
namespace {

constexpr int refreshMs = 100;
constexpr int progressSteps = 1000;
constexpr int leastChunk = 9;                   // pixels: that the style paints
constexpr int margin = 12, gap = 8;             // of the bar
constexpr int blockMargin = 10, blockGap = 12;  // of the block with the state

// Digits of equal width, whatever the face's default.
QFont numbers() {
    QFont font = Theme::text();
    font.setStyleHint(QFont::SansSerif);
    return font;
}

}  // namespace

RunBar::RunBar(const RunActions& actions, QWidget* parent) : QFrame(parent), m_actions(actions) {
    setProperty("bar", true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(margin, 8, margin, 8);
    layout->setSpacing(gap);
    m_train = makeButton(actions.train, "train");
    m_train->setProperty("primary", true);
    m_step = makeButton(actions.step, "step");
    m_stop = makeButton(actions.stop, "stop");
    m_save = makeButton(actions.save, "save_checkpoint");
    for (QPushButton* button : {m_train, m_step, m_stop, m_save}) layout->addWidget(button);
    layout->addSpacing(12);
    auto* block = new QFrame;
    block->setProperty("block", true);
    buildBlock(block);
    layout->addWidget(block, 1);
    m_refresh.setInterval(refreshMs);
    connect(&m_refresh, &QTimer::timeout, this, &RunBar::showNumbers);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        setWidths();
        syncButtons();
        setState(m_state);
    });
    for (QAction* action : {actions.train, actions.step, actions.stop, actions.save})
        connect(action, &QAction::changed, this, &RunBar::syncButtons);
    retranslate();
    setState(train::RunState::ready);
}

QPushButton* RunBar::makeButton(QAction* action, const char* icon) {
    auto* button = new QPushButton;
    button->setProperty("icon", icon);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    return button;
}

QLabel* RunBar::makeLabel(bool secondary) {
    auto* label = new QLabel;
    label->setProperty("secondary", secondary);
    label->setTextFormat(Qt::PlainText);
    return label;
}

void RunBar::buildBlock(QWidget* block) {
    auto* row = new QHBoxLayout(block);
    row->setContentsMargins(blockMargin, 0, blockMargin, 0);
    row->setSpacing(blockGap);
    m_shape = new StateShape;
    m_stateText = makeLabel(false);
    m_hint = makeLabel(true);
    m_epoch = makeLabel(true);
    m_update = makeLabel(true);
    m_progress = new QProgressBar;
    m_progress->setRange(0, progressSteps);
    m_progress->setTextVisible(false);
    m_progress->setMinimumWidth(40);
    m_elapsed = makeLabel(true);
    m_left = makeLabel(false);
    m_rate = makeLabel(true);
    m_device = makeLabel(true);
    auto* state = new QHBoxLayout;
    state->setSpacing(6);
    state->addWidget(m_shape);
    state->addWidget(m_stateText);
    row->addLayout(state);
    row->addWidget(m_hint);
    row->addWidget(m_epoch);
    row->addWidget(m_update);
    row->addWidget(m_progress, 1);
    row->addWidget(m_elapsed);
    row->addWidget(m_left);
    row->addWidget(m_rate);
    row->addWidget(m_device);
    row->addStretch(0);
}

void RunBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QFrame::changeEvent(event);
}

void RunBar::syncButtons() {
    const Colors& colors = Theme::instance().colors();
    const auto sync = [&](QPushButton* button, QAction* action, const QString& icon,
                          const QColor& ink) {
        QString text = action->text();
        button->setText(text.remove('&'));
        // Qt would hand the focus to any next widget.
        if (button->hasFocus() && !action->isEnabled()) Q_EMIT focusFreed();
        button->setEnabled(action->isEnabled());
        button->setToolTip(action->toolTip());
        button->setAccessibleName(button->text());
        button->setIcon(themedIcon(icon, ink, colors.secondary));
    };
    const bool pauses = m_state == train::RunState::running || m_state == train::RunState::pausing;
    sync(m_train, m_actions.train, pauses ? "pause" : "train", colors.onAccent);
    sync(m_step, m_actions.step, "step", colors.text);
    sync(m_stop, m_actions.stop, "stop", colors.text);
    sync(m_save, m_actions.save, "save_checkpoint", colors.text);
}

void RunBar::retranslate() {
    setProjectOpen(m_projectOpen);
    m_shape->setToolTip(tr("State of the run"));
    m_stateText->setToolTip(m_shape->toolTip());
    m_progress->setAccessibleName(tr("Progress of the run"));
    m_progress->setToolTip(tr("Updates done of all epochs"));
    m_epoch->setToolTip(tr("Epoch: one pass over the training data"));
    m_update->setToolTip(tr("Updates of the weights so far"));
    m_elapsed->setToolTip(tr("Time worked, without pauses"));
    m_left->setToolTip(tr("Time left at the present rate"));
    m_rate->setToolTip(tr("Training samples per second"));
    m_device->setToolTip(tr("Device that trains"));
    setWidths();
    syncButtons();
    setState(m_state);
}

void RunBar::setWidths() {
    const QFontMetrics text(numbers()), small(Theme::secondary()), bold(Theme::heading());
    const auto number = [&](int digits) {
        return formatCount(std::stoll(std::string(static_cast<std::size_t>(digits), '8')));
    };
    const auto width = [](const QFontMetrics& metrics, const QString& widest) {
        return metrics.horizontalAdvance(widest) + 4;
    };
    for (QPushButton* each : {m_train, m_step, m_stop, m_save}) {
        each->setFixedHeight(Theme::px(32));
        each->setIconSize(QSize(Theme::px(16), Theme::px(16)));
    }
    m_train->setFixedWidth(
        std::max({width(bold, tr("Train")), width(bold, tr("Pause")), width(bold, tr("Resume"))}) +
        56);
    int widest = 0;
    for (int state = 0; state <= static_cast<int>(train::RunState::failed); ++state)
        widest = std::max(widest, width(bold, stateText(static_cast<train::RunState>(state))));
    m_stateText->setFixedWidth(widest);
    m_epoch->setFixedWidth(width(small, tr("epoch %1 of %2").arg(number(2), number(2))));
    m_update->setFixedWidth(width(small, tr("update %1").arg(number(5))));
    m_elapsed->setFixedWidth(width(small, formatDuration(59 * 60 + 59)));
    m_left->setFixedWidth(width(text, tr("%1 left").arg(formatDuration(59 * 60 + 59))));
    m_rate->setFixedWidth(width(small, tr("%1 samples/s").arg(number(6))));
}

void RunBar::setProjectOpen(bool open) {
    m_projectOpen = open;
    m_hint->setText(open ? tr("Press Train to begin") : tr("Open or make a project"));
}

QString RunBar::hint() const {
    return m_begun ? QString() : m_hint->text();
}

QString RunBar::stateWords() const {
    return m_stateText->text();
}

void RunBar::setState(train::RunState state) {
    using train::RunState;
    const bool begins = state == RunState::preparing && m_state != RunState::preparing;
    m_state = state;
    if (begins) {
        m_clock.begin();
        m_begun = true;
        m_last = {};
        m_plan = {};
        setWidths();
    }
    m_clock.setState(state);
    m_shape->setState(state);
    m_stateText->setText(stateText(state));
    QPalette palette = m_stateText->palette();
    palette.setColor(QPalette::WindowText, StateShape::color(state));
    m_stateText->setPalette(palette);
    m_stateText->setFont(Theme::heading());
    m_hint->setVisible(!m_begun);
    m_progress->setVisible(m_begun);
    showParts();
    const bool active = state != RunState::ready && state != RunState::finished &&
                        state != RunState::stopped && state != RunState::failed;
    if (active && !m_refresh.isActive()) m_refresh.start();
    if (!active) m_refresh.stop();
    syncButtons();
    showNumbers();
}

int RunBar::fixedWidth() const {
    int width = 2 * margin + blockGap + 2 * blockMargin;
    for (const QPushButton* each : {m_train, m_step, m_stop, m_save})
        width += std::max(each->sizeHint().width(), each->minimumWidth()) + gap;
    return width + m_shape->sizeHint().width() + m_stateText->minimumWidth() + 3 * blockGap +
           m_progress->minimumWidth();
}

// Large text on a small screen: what matters least goes first.
void RunBar::showParts() {
    int room = width() - fixedWidth();
    for (QLabel* part : {m_left, m_epoch, m_update, m_rate, m_elapsed, m_device}) {
        room -= part->minimumWidth() + blockGap;
        part->setVisible(m_begun && (room >= 0 || part == m_left));
    }
}

void RunBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    showParts();
}

QSize RunBar::minimumSizeHint() const {
    return {fixedWidth() + m_left->minimumWidth() + blockGap, QFrame::minimumSizeHint().height()};
}

void RunBar::setPlan(const train::PlanEvent& plan) {
    m_plan = plan;
    m_clock.plan(plan);
    showNumbers();
}

void RunBar::addSteps(const QVector<train::StepEvent>& steps) {
    if (steps.isEmpty()) return;
    m_last = steps.last();
    m_clock.setSamples(m_last.samples);
}

void RunBar::showNumbers() {
    using train::RunState;
    bool grew = false;
    const auto set = [&grew](QLabel* label, const QString& text) {
        if (label->text() == text) return;
        label->setText(text);
        // Long runs need more room: it grows, and so the numbers do not jump.
        const int needed = label->sizeHint().width();
        if (needed <= label->minimumWidth()) return;
        label->setFixedWidth(needed);
        grew = true;
    };
    const bool known = m_plan.epochs > 0;  // not while the run is prepared
    set(m_epoch,
        known && m_last.epoch > 0
            ? tr("epoch %1 of %2").arg(formatCount(m_last.epoch), formatCount(m_plan.epochs))
            : QString());
    set(m_update, known ? tr("update %1").arg(formatCount(m_last.update)) : QString());
    // A chunk narrower than its round ends is not drawn: what has begun shows as a dot.
    const int width = std::max(m_progress->width(), leastChunk);
    const int least = m_last.update > 0 ? (progressSteps * leastChunk + width - 1) / width : 0;
    m_progress->setValue(std::max(least, static_cast<int>(m_clock.progress() * progressSteps)));
    set(m_elapsed, formatDuration(m_clock.elapsed()));
    const auto left = m_clock.left();
    const bool over = m_state == RunState::finished || m_state == RunState::stopped ||
                      m_state == RunState::failed;
    set(m_left, left && !over ? tr("%1 left").arg(formatDuration(*left)) : QString());
    set(m_rate, m_last.samples_per_s > 0
                    ? tr("%1 samples/s").arg(formatCount(std::llround(m_last.samples_per_s)))
                    : QString());
    set(m_device, QString::fromStdString(m_plan.device));
    if (grew) showParts();
}

}  // namespace strata::ui
