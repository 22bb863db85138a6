#include "ui/inspector/inspector.h"

#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/document/model_edits.h"
#include "ui/document/placement_edits.h"
#include "ui/document/sharing_edits.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/device_mark.h"
#include "ui/widgets/format.h"
#include "ui/widgets/param_form.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

namespace strata::ui {

Inspector::Inspector(Document& document, QWidget* parent)
    : QScrollArea(parent),
      m_document(document),
      m_layerPage(new QWidget),
      m_title(makeLabel("heading")),
      m_doc(makeLabel("secondary")),
      m_nameLabel(new QLabel),
      m_deviceLabel(new QLabel),
      m_sharesLabel(new QLabel),
      m_sharedNote(makeLabel("secondary")),
      m_error(makeLabel("bad")),
      m_costs(makeLabel("secondary")),
      m_name(new QLineEdit),
      m_device(new QComboBox),
      m_shares(new QComboBox),
      m_form(new ParamForm),
      m_summaryPage(new QWidget),
      m_summaryTitle(makeLabel("heading")),
      m_summaryTotals(makeLabel("secondary")),
      m_table(new QTableWidget) {
    m_name->setObjectName("layerName");
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    auto* pages = new QVBoxLayout(content);
    pages->setContentsMargins(14, 12, 14, 12);
    auto* layer = new QVBoxLayout(m_layerPage);
    layer->setContentsMargins(0, 0, 0, 0);
    layer->setSpacing(8);
    auto* nameRow = new QHBoxLayout;
    nameRow->setSpacing(fieldGap);
    nameRow->addWidget(m_nameLabel, 2);
    nameRow->addWidget(m_name, 3);
    alignRow(m_nameLabel, m_name);
    layer->addWidget(m_title);
    layer->addWidget(m_doc);
    layer->addLayout(nameRow);
    for (const auto& [label, box] :
         {std::pair(m_deviceLabel, m_device), std::pair(m_sharesLabel, m_shares)}) {
        auto* row = new QHBoxLayout;
        row->setSpacing(fieldGap);
        row->addWidget(label, 2);
        row->addWidget(box, 3);
        alignRow(label, box);
        guardWheel(box);
        layer->addLayout(row);
    }
    m_sharesLabel->setWordWrap(true);
    layer->addWidget(m_sharedNote);
    layer->addWidget(m_error);
    layer->addWidget(m_form);
    layer->addWidget(m_costs);
    auto* summary = new QVBoxLayout(m_summaryPage);
    summary->setContentsMargins(0, 0, 0, 0);
    summary->setSpacing(8);
    summary->addWidget(m_summaryTitle);
    summary->addWidget(m_table);
    summary->addWidget(m_summaryTotals);
    summary->addStretch(1);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    pages->addWidget(m_layerPage);
    pages->addWidget(m_summaryPage, 1);
    pages->addStretch(0);
    setWidget(content);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->setFrameShape(QFrame::NoFrame);
    connect(m_form, &ParamForm::edited, this, &Inspector::applyParam);
    connect(m_device, &QComboBox::activated, this, &Inspector::applyDevice);
    connect(m_shares, &QComboBox::activated, this, &Inspector::applyShares);
    connect(m_name, &QLineEdit::editingFinished, this, &Inspector::applyName);
    connect(&m_document, &Document::selectionChanged, this, &Inspector::showSelection);
    connect(&m_document, &Document::changed, this, &Inspector::refresh);
    retranslate();
    showSelection();
}

void Inspector::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        showSelection();
    }
    QScrollArea::changeEvent(event);
}

void Inspector::retranslate() {
    m_nameLabel->setText(tr("name"));
    m_nameLabel->setBuddy(m_name);
    m_name->setAccessibleName(tr("Name of the layer"));
    m_name->setToolTip(tr("The layer's name in the project, in checkpoints and in messages (F2)"));
    m_deviceLabel->setText(tr("device"));
    m_deviceLabel->setBuddy(m_device);
    m_device->setAccessibleName(tr("Device of the layer"));
    m_device->setToolTip(
        tr("Where the layer's work is done; layers on several devices make a pipeline"));
    m_sharesLabel->setText(tr("shares weights with"));
    m_sharesLabel->setBuddy(m_shares);
    m_shares->setAccessibleName(tr("Layer whose weights this one uses"));
    m_shares->setToolTip(tr("Both layers then compute with one set of weights, which both train"));
    m_table->setAccessibleName(tr("Summary of the model"));
    m_table->setToolTip(
        tr("Each layer with its output shape, parameters and operations of one sample"));
}

void Inspector::focusName() {
    m_name->setFocus();
    m_name->selectAll();
}

void Inspector::showSelection() {
    m_layer = m_document.selection().size() == 1 ? m_document.selection().first() : QString();
    m_layerPage->setVisible(!m_layer.isEmpty());
    m_summaryPage->setVisible(m_layer.isEmpty());
    if (!m_layer.isEmpty()) {
        const graph::LayerNode& node = m_document.model().layer(m_layer.toStdString());
        m_title->setText(QString::fromStdString(node.type->spec.type));
        m_doc->setText(catalogueText(node.type->spec.doc));
        m_form->setParams(node.type->spec.params, node.config.json());
    }
    refresh();
}

void Inspector::refresh() {
    if (m_layer.isEmpty()) {
        showSummary();
        return;
    }
    const int index = m_document.model().index_of(m_layer.toStdString());
    if (index < 0) return;
    const graph::LayerNode& node = m_document.model().layers[static_cast<std::size_t>(index)];
    const graph::LayerReport& report = m_document.report().layers[static_cast<std::size_t>(index)];
    m_name->setText(m_layer);
    showDevice(node.device);
    showShares(node, report);
    m_form->clearErrors();
    m_form->setValues(node.config.json());
    m_error->setVisible(report.error.has_value());
    if (report.error) {
        m_error->setText(errorText(*report.error));
        const QString key = QString::fromStdString(report.error->where());
        if (m_form->editor(key) != nullptr) {
            m_form->setError(key, errorText(*report.error));
            m_error->hide();
        }
    }
    showCosts(node, report);
}

void Inspector::showDevice(const std::string& device) {
    const QSignalBlocker quiet(m_device);
    m_device->clear();
    for (const std::string& each : devicesOf(m_document.model())) {
        const QString name = QString::fromStdString(each);
        m_device->addItem(deviceIcon(name), name, name);
    }
    const std::string next = nextDevice(m_document.model());
    const QString fresh = QString::fromStdString(next);
    m_device->addItem(deviceIcon(fresh),
                      isOfCopy(m_document.config(), next) ? tr("%1, now a copy's").arg(fresh)
                                                          : tr("%1, new").arg(fresh),
                      fresh);
    m_device->setCurrentIndex(m_device->findData(QString::fromStdString(device)));
}

void Inspector::applyDevice(int index) {
    const QString device = m_device->itemData(index).toString();
    const std::string layer = m_layer.toStdString();
    if (m_layer.isEmpty() || m_document.model().layer(layer).device == device.toStdString()) return;
    m_document.edit(tr("Place %1 on %2").arg(m_layer, device), [&](train::RunConfig& config) {
        placeLayers(config, {layer}, device.toStdString());
    });
}

// Layers without weights have nothing to share.
void Inspector::showShares(const graph::LayerNode& node, const graph::LayerReport& report) {
    const QSignalBlocker quiet(m_shares);
    const bool shares = !node.shares.empty();
    for (QWidget* part : std::initializer_list<QWidget*>{m_sharesLabel, m_shares})
        part->setVisible(shares || canBeShared(report));
    m_shares->clear();
    m_shares->addItem(tr("none: weights of its own"), QString());
    std::vector<std::string> owners = ownersFor(m_document.model(), node.name);
    if (shares && std::find(owners.begin(), owners.end(), node.shares) == owners.end())
        owners.push_back(node.shares);  // a fault, which is told
    for (const std::string& each : owners)
        m_shares->addItem(QString::fromStdString(each), QString::fromStdString(each));
    m_shares->setCurrentIndex(m_shares->findData(QString::fromStdString(node.shares)));
    m_shares->setEnabled(m_shares->count() > 1);
    m_shares->setToolTip(
        m_shares->isEnabled()
            ? tr("Both layers then compute with one set of weights, which both train")
            : tr("No other layer has this one's type, parameters and input size"));
    m_form->setEnabled(!shares);
    QStringList users;
    for (const std::string& each : sharersOf(m_document.model(), node.name))
        users << QString::fromStdString(each);
    m_sharedNote->setVisible(shares || !users.isEmpty());
    m_sharedNote->setText(
        shares ? tr("Its parameters are those of %1: change them there.")
                     .arg(QString::fromStdString(node.shares))
               : tr("Used by %1, too: a change here goes for all.").arg(users.join(", ")));
}

QString Inspector::sharedNote() const {
    return m_sharedNote->isHidden() ? QString() : m_sharedNote->text();
}

void Inspector::applyShares(int index) {
    const QString owner = m_shares->itemData(index).toString();
    const std::string layer = m_layer.toStdString(), named = owner.toStdString();
    if (m_layer.isEmpty() || m_document.model().layer(layer).shares == named) return;
    m_document.edit(owner.isEmpty() ? tr("Give %1 weights of its own").arg(m_layer)
                                    : tr("Share the weights of %1 with %2").arg(owner, m_layer),
                    [&](train::RunConfig& config) { shareWeights(config.model, layer, named); });
}

void Inspector::showCosts(const graph::LayerNode& node, const graph::LayerReport& report) {
    QStringList lines;
    if (report.output) lines << tr("Output: %1").arg(formatShape(*report.output));
    lines << (node.shares.empty()
                  ? tr("Parameters: %1").arg(formatCount(report.parameters))
                  : tr("Parameters: those of %1").arg(QString::fromStdString(node.shares)));
    lines << tr("Operations a sample: %1 FLOP").arg(formatCount(report.flops));
    lines << tr("Output memory a sample: %1")
                 .arg(formatBytes(static_cast<std::uint64_t>(report.activation_bytes)));
    m_costs->setText(lines.join('\n'));
}

void Inspector::showSummary() {
    const graph::Model& model = m_document.model();
    const graph::ModelReport& report = m_document.report();
    m_summaryTitle->setText(QString::fromStdString(m_document.config().name));
    m_table->setColumnCount(3);
    m_table->setHorizontalHeaderLabels({tr("Layer"), tr("Output"), tr("Parameters")});
    m_table->setRowCount(static_cast<int>(model.layers.size()));
    m_table->verticalHeader()->setDefaultSectionSize(Theme::px(30));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const auto i = static_cast<std::size_t>(row);
        const auto put = [&](int column, const QString& text, Qt::Alignment alignment) {
            auto* item = new QTableWidgetItem(text);
            item->setTextAlignment(alignment | Qt::AlignVCenter);
            item->setToolTip(text);
            if (column == 1) item->setFont(Theme::mono());
            m_table->setItem(row, column, item);
        };
        put(0, QString::fromStdString(model.layers[i].name), Qt::AlignLeft);
        put(1,
            report.layers[i].output ? formatShape(*report.layers[i].output) : QStringLiteral("?"),
            Qt::AlignLeft);
        const QString owner = QString::fromStdString(model.layers[i].shares);
        put(2,
            owner.isEmpty() ? formatCount(report.layers[i].parameters)
                            : tr("as %1", "shares weights").arg(owner),
            Qt::AlignRight);
    }
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeaderItem(2)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    int height = m_table->horizontalHeader()->sizeHint().height() + 4;
    for (int row = 0; row < m_table->rowCount(); ++row) height += m_table->rowHeight(row);
    m_table->setFixedHeight(height);  // the panel scrolls, not the table in it
    QString totals = tr("Parameters: %1 (trainable: %2)\nOperations a sample: %3 FLOP")
                         .arg(formatCount(report.parameters),
                              formatCount(report.trainable_parameters), formatCount(report.flops));
    if (const auto error = report.first_error(model)) totals += "\n\n" + errorText(*error);
    m_summaryTotals->setText(totals);
}

void Inspector::applyParam(const QString& key, const Json& value) {
    const std::string layer = m_layer.toStdString();
    try {
        m_document.edit(
            tr("Change %1 of %2").arg(key, m_layer),
            [&](train::RunConfig& config) {
                auto& node =
                    config.model.layers[static_cast<std::size_t>(config.model.index_of(layer))];
                Json values = node.config.json();
                values[key.toStdString()] = value;
                node.config = layers::Config::checked(node.type->spec.params, values);
                followOwner(config.model, layer);
            },
            m_layer + "/" + key);
    } catch (const Error& error) {
        m_form->setError(key, errorText(error));
    }
}

void Inspector::applyName() {
    const QString wanted = m_name->text().trimmed();
    if (m_layer.isEmpty() || wanted == m_layer) return;
    const QString before = m_layer;
    try {
        m_layer = wanted;
        m_document.edit(tr("Rename %1").arg(before), [&](train::RunConfig& config) {
            renameLayer(config.model, before.toStdString(), wanted.toStdString());
        });
        m_document.select({wanted});
    } catch (const Error& error) {
        m_layer = before;
        m_name->setText(before);
        m_error->setText(errorText(error));
        m_error->show();
    }
}

}  // namespace strata::ui
