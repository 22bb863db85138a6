#include "ui/window/welcome_page.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/widgets/theme.h"
#include "ui/window/template_card.h"

namespace strata::ui {
namespace {

constexpr int pageWidth = 980, pathWidth = 260;

QLabel* labelOf(const char* property) {
    auto* label = new QLabel;
    label->setProperty(property, true);
    return label;
}

}  // namespace

WelcomePage::WelcomePage(QWidget* parent)
    : QScrollArea(parent),
      m_title(labelOf("title")),
      m_intro(labelOf("secondary")),
      m_templates(labelOf("heading")),
      m_recentTitle(labelOf("heading")),
      m_none(labelOf("secondary")),
      m_recent(new QVBoxLayout),
      m_open(new QPushButton) {
    m_none->setWordWrap(true);
    setWidgetResizable(true);
    setProperty("page", true);
    auto* content = new QWidget;
    content->setProperty("page", true);
    auto* outer = new QHBoxLayout(content);
    auto* page = new QWidget;
    page->setMaximumWidth(Theme::px(pageWidth));
    outer->addStretch(1);
    outer->addWidget(page, 100);
    outer->addStretch(1);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(24, 40, 24, 24);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_intro);
    column->addSpacing(20);
    auto* parts = new QHBoxLayout;
    parts->setSpacing(40);
    auto* left = new QVBoxLayout;
    auto* right = new QVBoxLayout;
    for (QVBoxLayout* part : {left, right, m_recent}) part->setSpacing(4);
    parts->addLayout(left);
    parts->addLayout(right, 1);
    column->addLayout(parts, 1);
    addTemplates(left);
    right->addWidget(m_recentTitle);
    right->addSpacing(4);
    right->addLayout(m_recent);
    right->addWidget(m_none);
    right->addSpacing(12);
    right->addWidget(m_open, 0, Qt::AlignLeft);
    right->addStretch(1);
    setWidget(content);
    connect(m_open, &QPushButton::clicked, this, &WelcomePage::openRequested);
    retranslate();
}

void WelcomePage::addTemplates(QVBoxLayout* column) {
    column->addWidget(m_templates);
    column->addSpacing(4);
    auto* row = new QHBoxLayout;
    row->setSpacing(16);
    for (const train::Template& entry : train::templates()) {
        auto* card = new TemplateCard(entry);
        const QString name = QString::fromStdString(entry.name);
        connect(card, &TemplateCard::clicked, this, [this, name] { Q_EMIT templateChosen(name); });
        row->addWidget(card);
    }
    row->addStretch(1);
    column->addLayout(row);
    column->addStretch(1);
}

void WelcomePage::setRecent(const QStringList& paths) {
    m_paths = paths;
    fillRecent();
}

void WelcomePage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QScrollArea::changeEvent(event);
}

void WelcomePage::retranslate() {
    m_title->setText(tr("Strata Studio"));
    m_intro->setText(tr("Build a neural network layer by layer, press Train and watch it learn."));
    m_templates->setText(tr("Start from a template"));
    m_recentTitle->setText(tr("Recent projects"));
    m_none->setText(tr("Projects that you open or save appear here."));
    m_open->setText(tr("Open a project…"));
    m_open->setAccessibleName(m_open->text());
    m_open->setToolTip(tr("Choose a project file (Ctrl+O)"));
    fillRecent();
}

void WelcomePage::fillRecent() {
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const QString& path : std::as_const(m_paths)) {
        const QFileInfo file(path);
        auto* button = new QPushButton(file.completeBaseName());
        button->setProperty("link", true);
        button->setToolTip(path);
        button->setAccessibleName(tr("Open %1").arg(file.completeBaseName()));
        button->setCursor(Qt::PointingHandCursor);
        connect(button, &QPushButton::clicked, this, [this, path] { Q_EMIT projectChosen(path); });
        m_recent->addWidget(button, 0, Qt::AlignLeft);
        auto* place = labelOf("secondary");
        place->setToolTip(QDir::toNativeSeparators(file.path()));
        place->setText(QFontMetrics(Theme::secondary())
                           .elidedText(place->toolTip(), Qt::ElideMiddle, pathWidth));
        m_recent->addWidget(place);
        m_recent->addSpacing(6);
    }
    m_none->setVisible(m_paths.isEmpty());
}

}  // namespace strata::ui
