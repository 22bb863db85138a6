#include "ui/data/preview_view.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>
#include <QtConcurrentRun>
#include <algorithm>

#include "engine/graph/model.h"
#include "ui/data/class_bars.h"
#include "ui/data/sample_grid.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/format.h"
#include "ui/widgets/text.h"

namespace strata::ui {
namespace {

constexpr int delayMs = 300, tableRows = 12;

// Batches, shuffling and reading ahead do not change what the samples are.
std::string keyOf(const train::RunConfig& config) {
    const Json project = train::project_to_json(config);
    Json key{{"base", config.base},         {"source", config.data.source},
             {"test", config.data.test},    {"split", config.data.validation_split},
             {"cache", config.data.cache},  {"after", config.data.pipeline.cache_after_map},
             {"seed", config.training.seed}};
    for (const Json& stage : project["data"].value("pipeline", Json::array()))
        if (stage.value("stage", std::string()) == "map") key["map"] = stage;
    for (const graph::LayerNode& layer : config.model.layers) {
        key["types"].push_back(layer.type->spec.type);
        if (layer.type->spec.type == "InputLayer") key["input"] = layer.config.json();
    }
    return key.dump();
}

}  // namespace

PreviewView::PreviewView(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_message = addLabel("secondary");
    m_error = addLabel("bad");
    m_warnings = addLabel("warning");
    m_facts = new QWidget;
    m_factGrid = new QGridLayout(m_facts);
    m_factGrid->setContentsMargins(0, 0, 0, 0);
    m_factGrid->setHorizontalSpacing(12);
    m_factGrid->setVerticalSpacing(2);
    m_factGrid->setColumnStretch(1, 1);
    column->addWidget(m_facts);
    m_samplesHead = addLabel("heading");
    column->addWidget(m_grid = new SampleGrid);
    column->addWidget(m_table = new QTableWidget);
    m_mapHead = addLabel("heading");
    column->addWidget(m_augmented = new SampleGrid);
    m_augmented->setRows(1);
    m_classesHead = addLabel("heading");
    m_classesNote = addLabel("secondary");
    column->addWidget(m_bars = new ClassBars);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->verticalHeader()->hide();
    m_table->setShowGrid(false);
    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMs);
    connect(&m_delay, &QTimer::timeout, this, &PreviewView::ask);
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &PreviewView::take);
    connect(&m_document, &Document::changed, this, &PreviewView::refresh);
    connect(&m_document, &Document::replaced, this, &PreviewView::refresh);
    retranslate();
}

// What is still being read ends by itself; nobody waits for it.
PreviewView::~PreviewView() {
    if (m_cancelled) *m_cancelled = true;
}

QLabel* PreviewView::addLabel(const char* property) {
    QLabel* label = makeLabel(property);
    label->setTextFormat(Qt::PlainText);
    layout()->addWidget(label);
    return label;
}

void PreviewView::retranslate() {
    m_samplesHead->setText(tr("First samples"));
    m_grid->setAccessibleName(m_samplesHead->text());
    m_table->setAccessibleName(m_samplesHead->text());
    m_table->setToolTip(tr("The first samples as numbers, one a row"));
    m_mapHead->setText(tr("The first one, augmented, epoch by epoch"));
    m_augmented->setAccessibleName(m_mapHead->text());
    m_classesHead->setText(tr("Classes"));
    m_bars->setAccessibleName(m_classesHead->text());
    showState();
}

void PreviewView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void PreviewView::refresh() {
    if (!isVisible() || keyOf(m_document.config()) == m_key) return;
    if (m_cancelled) *m_cancelled = true;
    m_delay.start();
}

void PreviewView::ask() {
    m_key = keyOf(m_document.config());
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    if (!m_document.config().data.source.is_object()) {
        m_watcher.setFuture({});
        m_preview.reset();
        m_fault.reset();
        setState(State::empty);
        return;
    }
    setState(State::reading);
    m_watcher.setFuture(
        QtConcurrent::run([config = m_document.config(), cancelled = m_cancelled]() -> Result {
            try {
                return {previewData(config, *cancelled), {}};
            } catch (const Error& error) {
                return {{}, error};
            } catch (const std::exception& error) {
                return {{}, Error(ErrorCode::internal, error.what(), "data.source")};
            }
        }));
}

void PreviewView::take() {
    if (m_watcher.future().resultCount() == 0) return;
    Result result = m_watcher.result();
    if (!result.preview && !result.fault) return;  // cancelled: another is on its way
    m_preview = std::move(result.preview);
    m_fault = std::move(result.fault);
    setState(m_fault ? State::failed : State::shown);
}

void PreviewView::setState(State state) {
    m_state = state;
    showState();
    Q_EMIT stateChanged();
}

void PreviewView::showState() {
    const bool any = m_preview && m_state != State::empty && m_state != State::failed;
    m_message->setVisible(m_state == State::empty || m_state == State::reading);
    m_message->setText(m_state == State::empty
                           ? tr("Choose a source above: its first samples, classes and values "
                                "are shown here.")
                           : tr("Reading the data…"));
    m_error->setVisible(m_state == State::failed);
    if (m_fault) m_error->setText(errorText(*m_fault));
    for (QWidget* part : std::initializer_list<QWidget*>{m_facts, m_warnings, m_samplesHead, m_grid,
                                                         m_table, m_mapHead, m_augmented,
                                                         m_classesHead, m_classesNote, m_bars})
        part->setVisible(any);
    if (!any) return;
    showFacts();
    showSamples();
    showClasses();
    showWarnings();
}

void PreviewView::showFacts() {
    while (QLayoutItem* item = m_factGrid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const DataPreview& seen = *m_preview;
    int row = 0;
    const auto add = [&](const QString& name, const QString& value) {
        QLabel* label = makeLabel("secondary");
        label->setWordWrap(false);
        label->setText(name);
        auto* text = new QLabel(value);
        text->setWordWrap(true);
        m_factGrid->addWidget(label, row, 0, Qt::AlignTop);
        m_factGrid->addWidget(text, row++, 1);
    };
    add(tr("samples"), formatCount(seen.size));
    QStringList split{tr("%1 train").arg(formatCount(seen.train)),
                      tr("%1 validation").arg(formatCount(seen.validation))};
    if (seen.test) split << tr("%1 test").arg(formatCount(*seen.test));
    add(tr("split"), split.join(QStringLiteral(" · ")));
    add(tr("shape"), localDigits(formatShape(seen.sample_shape)) + QStringLiteral(" · ") +
                         QString::fromLatin1(name_of(seen.dtype)));
    if (seen.looked > 0 && seen.range.least <= seen.range.largest)
        add(tr("values"),
            tr("%1 to %2")
                .arg(formatNumber(seen.range.least, 4), formatNumber(seen.range.largest, 4)));
    if (seen.labels)
        add(tr("classes"), formatCount(static_cast<std::int64_t>(seen.class_names.size())));
}

QString PreviewView::labelOf(const PreviewSample& sample) const {
    if (m_preview->labels) {
        const auto at = static_cast<std::size_t>(std::max(sample.label, 0));
        return sample.label >= 0 && at < m_preview->class_names.size()
                   ? engineText(m_preview->class_names[at])
                   : formatCount(sample.label);
    }
    QStringList numbers;
    for (const float value : sample.targets) numbers << formatNumber(static_cast<double>(value), 4);
    return numbers.join(", ");
}

void PreviewView::showSamples() {
    const DataPreview& seen = *m_preview;
    std::vector<SampleGrid::Cell> cells, augmented;
    if (seen.images)
        for (const PreviewSample& sample : seen.samples)
            cells.push_back({imageOf(sample.picture), labelOf(sample)});
    for (std::size_t i = 0; i < seen.augmented.size(); ++i)
        augmented.push_back(
            {imageOf(seen.augmented[i]), formatCount(static_cast<std::int64_t>(i) + 1)});
    m_mapHead->setVisible(!augmented.empty());
    m_grid->setCells(std::move(cells));
    m_augmented->setCells(std::move(augmented));
    m_table->setVisible(!seen.images && !seen.samples.empty());
    m_samplesHead->setVisible(!seen.samples.empty());
    if (seen.images || seen.samples.empty()) return;
    const int rows = std::min(tableRows, static_cast<int>(seen.samples.size()));
    const int values = static_cast<int>(seen.samples.front().values.size());
    QStringList heads;
    for (int i = 0; i < values; ++i)
        heads << QStringLiteral("x") + formatCount(i + 1) +
                     (i + 1 == values && values < seen.elements ? QStringLiteral(" …") : QString());
    heads << (seen.labels ? tr("class") : tr("target"));
    m_table->clear();
    m_table->setRowCount(rows);
    m_table->setColumnCount(values + 1);
    m_table->setHorizontalHeaderLabels(heads);
    for (int row = 0; row < rows; ++row) {
        const PreviewSample& sample = seen.samples[static_cast<std::size_t>(row)];
        for (int i = 0; i <= values; ++i) {
            const QString text =
                i < values ? formatNumber(
                                 static_cast<double>(sample.values[static_cast<std::size_t>(i)]), 4)
                           : labelOf(sample);
            auto* item = new QTableWidgetItem(text);
            if (i < values) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(row, i, item);
        }
    }
    m_table->resizeColumnsToContents();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->resizeRowsToContents();
    int tall = m_table->horizontalHeader()->sizeHint().height() + 4;
    for (int row = 0; row < rows; ++row) tall += m_table->rowHeight(row);
    if (values > 3) tall += 14;  // the bar that scrolls across
    m_table->setFixedHeight(tall);
}

void PreviewView::showClasses() {
    const DataPreview& seen = *m_preview;
    QStringList names;
    for (const std::string& name : seen.class_names) names << engineText(name);
    const bool any = seen.labels && !seen.counts.empty();
    m_classesHead->setVisible(any);
    m_bars->setCounts(names, any ? seen.counts : std::vector<std::int64_t>());
    m_classesNote->setVisible(any && seen.looked < seen.size);
    m_classesNote->setText(
        tr("Counted in %1 samples from all over the data").arg(formatCount(seen.looked)));
}

void PreviewView::showWarnings() {
    QStringList lines;
    for (const std::string& line : m_preview->warnings) lines << sentenceText(line);
    if (m_preview->test_fault) lines << errorText(*m_preview->test_fault);
    for (QString& line : lines)
        if (!line.isEmpty()) line = QStringLiteral("⚠ ") + line;
    m_warnings->setText(lines.join('\n'));
    m_warnings->setVisible(!lines.isEmpty());
}

}  // namespace strata::ui
