#include "ui/data/data_form.h"

#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>

#include "engine/data/dataset.h"
#include "engine/data/source_description.h"
#include "ui/data/source_params.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/text.h"

namespace strata::ui {
namespace {

constexpr const char* datasetName = "fashion-mnist";
constexpr const char* fileKeys[] = {"data.source.images", "data.source.labels", "data.test.images",
                                    "data.test.labels"};

// Shows a share without trailing zeros.
class ShareBox : public QDoubleSpinBox {
protected:
    QString textFromValue(double value) const override { return locale().toString(value, 'g', 4); }
};

Json dataset(const char* split) {
    return {{"type", "idx"}, {"dataset", datasetName}, {"split", split}};
}

QString textOf(const Json& source, const char* key) {
    const auto it = source.find(key);
    return it != source.end() && it->is_string() ? QString::fromStdString(it->get<std::string>())
                                                 : QString();
}

// Those that have no rows of their own on the form.
const std::vector<const data::SourceDescription*>& others() {
    static const auto list = [] {
        std::vector<const data::SourceDescription*> all = data::catalogue();
        std::erase_if(all, [](const auto* source) { return source->type == "idx"; });
        return all;
    }();
    return list;
}

// Computed data have a test set of the same kind, from other random numbers.
Json testOf(const data::SourceDescription& description, const Json& source) {
    for (const auto& param : description.params)
        if (data::is_path(param)) return {};
    Json test = source;
    test["seed"] = source.value("seed", std::int64_t{1}) + 1;
    return test;
}

}  // namespace

DataForm::DataForm(Document& document, QWidget* parent)
    : SettingsForm(document, parent),
      m_kind(new QComboBox),
      m_split(new ShareBox),
      m_params(new SourceParams) {
    addHeading("data");
    for (std::size_t i = 0; i < firstOther + others().size(); ++i) m_kind->addItem(QString());
    addRow("data.source", m_kind, true);
    for (int file = 0; file < fileCount; ++file) makeFileRow(static_cast<File>(file));
    addWidget(m_params);
    connect(m_params, &SourceParams::completed, this, &DataForm::applyOther);
    m_split->setRange(0.0, 0.99);
    m_split->setDecimals(4);
    m_split->setSingleStep(0.05);
    addRow("data.validation_split", m_split);
    connect(&m_document, &Document::replaced, this, [this] {
        m_choosing = m_draftTest = false;
        for (QLineEdit* path : m_paths) path->clear();
        refresh();
    });
    connect(m_kind, &QComboBox::activated, this, &DataForm::chooseKind);
    connect(m_split, &QDoubleSpinBox::valueChanged, this, [this](double share) {
        edit(
            "data.validation_split", tr("Change the validation share"),
            [&](auto& c) { c.data.validation_split = share; }, true);
    });
}

void DataForm::makeFileRow(File file) {
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    m_paths[file] = new QLineEdit;
    m_paths[file]->setObjectName(QString::fromLatin1(fileKeys[file]));
    m_browse[file] = new QPushButton;
    row->setFocusProxy(m_paths[file]);
    line->addWidget(m_paths[file], 1);
    line->addWidget(m_browse[file]);
    addRow(fileKeys[file], row, true);
    connect(m_paths[file], &QLineEdit::editingFinished, this, [this, file] {
        if (m_paths[file]->isModified()) useFile(file);
    });
    connect(m_browse[file], &QPushButton::clicked, this, [this, file] { browse(file); });
}

void DataForm::retranslate() {
    setHeading("data", tr("Data"));
    m_kind->setItemText(none, tr("No data chosen"));
    m_kind->setItemText(fashionMnist, tr("Fashion-MNIST (Debian package)"));
    m_kind->setItemText(files, tr("IDX files"));
    for (std::size_t i = 0; i < others().size(); ++i) {
        const int index = firstOther + static_cast<int>(i);
        m_kind->setItemText(index, catalogueText(others()[i]->title));
        m_kind->setItemData(index, catalogueText(others()[i]->doc), Qt::ToolTipRole);
    }
    m_params->retranslate();
    setText("data.source", tr("source"), tr("Where the samples come from"));
    const QString labels[] = {tr("train images"), tr("train labels"), tr("test images"),
                              tr("test labels")};
    const QString helps[] = {
        tr("IDX file of the images to learn from, plain or gzip"),
        tr("IDX file with a label for each of them"),
        tr("IDX file of the images for the test after training; may stay empty"),
        tr("IDX file with a label for each of the test images")};
    for (int file = 0; file < fileCount; ++file) {
        setText(fileKeys[file], labels[file], helps[file]);
        m_paths[file]->setAccessibleName(labels[file]);
        m_paths[file]->setToolTip(helps[file]);
        m_browse[file]->setText(tr("Browse…"));
        m_browse[file]->setAccessibleName(tr("Browse for %1").arg(labels[file]));
        m_browse[file]->setToolTip(tr("Choose the file"));
    }
    setText("data.validation_split", tr("validation share"),
            tr("Share of the training data, at its end, that only measures; 0 for none"));
}

void DataForm::refresh() {
    const auto quietly = [](auto* widget, auto show) {
        const QSignalBlocker quiet(widget);
        show(widget);
    };
    const train::DataConfig& shown = config().data;
    // Files half given are not in the project yet: they stay on the form until its data change.
    if (shown.source != m_seen.source || shown.test != m_seen.test)
        m_choosing = m_draftTest = false;
    m_seen = {shown.source, shown.test};
    const int kind = m_choosing ? m_chosen : kindOf(shown.source);
    quietly(m_kind, [&](auto* box) { box->setCurrentIndex(kind); });
    showKind(kind);
    if (kind == files && !m_choosing) {
        const Json test = shown.test.is_object() ? shown.test : Json::object();
        const QString paths[] = {textOf(shown.source, "images"), textOf(shown.source, "labels"),
                                 textOf(test, "images"), textOf(test, "labels")};
        for (int file = 0; file < (m_draftTest ? testImages : fileCount); ++file)
            if (!m_paths[file]->isModified()) m_paths[file]->setText(paths[file]);
    }
    if (kind >= firstOther && !m_choosing)
        m_params->setSource(*others()[static_cast<std::size_t>(kind - firstOther)], shown.source);
    quietly(m_split, [&](auto* box) { box->setValue(shown.validation_split); });
}

int DataForm::kindOf(const Json& source) const {
    if (!source.is_object()) return none;
    if (source.contains("dataset")) return fashionMnist;
    for (std::size_t i = 0; i < others().size(); ++i)
        if (source.value("type", std::string()) == others()[i]->type)
            return firstOther + static_cast<int>(i);
    return files;
}

void DataForm::showKind(int kind) {
    for (const char* key : fileKeys) setRowVisible(key, kind == files);
    m_params->setVisible(kind >= firstOther);
    m_kind->setToolTip(m_kind->itemData(kind, Qt::ToolTipRole).isValid()
                           ? m_kind->itemData(kind, Qt::ToolTipRole).toString()
                           : tr("Where the samples come from"));
    if (kind == fashionMnist) checkInstalled();
}

void DataForm::checkInstalled() {
    clearError("data.source");
    try {
        const data::Dataset& found = data::find_dataset(datasetName, {});
        for (const char* split : {"train", "test"})
            data::require_installed(found, data::dataset_files(found, split, {}), {});
    } catch (const Error& error) {
        setError("data.source", fieldText(error));
    }
}

void DataForm::chooseKind(int kind) {
    clearError("data.source");
    m_choosing = kind >= files && kindOf(config().data.source) != kind;
    m_chosen = kind;  // an edit when all files are given
    if (kind >= firstOther && m_choosing) {
        m_params->begin(*others()[static_cast<std::size_t>(kind - firstOther)]);
    } else if (kind == fashionMnist) {
        edit("data.source", tr("Use Fashion-MNIST"), [](auto& c) {
            c.data.source = dataset("train");
            c.data.test = dataset("test");
        });
    } else if (kind == none && config().data.source.is_object()) {
        edit("data.source", tr("Choose no data"),
             [](auto& c) { c.data.source = c.data.test = Json(); });
    }
    refresh();
}

void DataForm::browse(File file) {
    const QString at = m_paths[file]->text().isEmpty() ? QString::fromStdString(config().base)
                                                       : QFileInfo(m_paths[file]->text()).path();
    const QString path =
        QFileDialog::getOpenFileName(this, m_browse[file]->accessibleName(), at,
                                     tr("IDX files (*ubyte* *.idx *.gz);;All files (*)"));
    if (path.isEmpty()) return;
    m_paths[file]->setText(path);
    useFile(file);
}

void DataForm::useFile(File file) {
    m_paths[file]->setModified(false);
    m_paths[file]->setText(shortened(m_paths[file]->text().trimmed()));
    if (file == trainImages) suggestPartners(m_paths[file]->text());
    applyFiles();
}

// The usual names of a set's files: with the train images known, the others that stand beside them
// are filled in.
void DataForm::suggestPartners(const QString& images) {
    if (!images.contains("train-images")) return;
    const QDir base(QString::fromStdString(config().base));
    const auto partner = [&](const char* part, const char* what, const char* rank) {
        QString path = images;
        return path.replace("train-images", QString::fromLatin1(part) + QString::fromLatin1(what))
            .replace("idx3", QString::fromLatin1(rank));
    };
    const QString paths[] = {images, partner("train", "-labels", "idx1"),
                             partner("t10k", "-images", "idx3"),
                             partner("t10k", "-labels", "idx1")};
    for (int file = trainLabels; file < fileCount; ++file)
        if (m_paths[file]->text().isEmpty() && QFileInfo::exists(base.filePath(paths[file])))
            m_paths[file]->setText(paths[file]);
}

void DataForm::applyFiles() {
    for (const char* key : fileKeys) clearError(key);
    const auto pair = [this](File images, File labels) -> std::optional<Json> {
        const std::string i = m_paths[images]->text().toStdString(),
                          l = m_paths[labels]->text().toStdString();
        if (i.empty() && l.empty()) return Json();
        if (!i.empty() && !l.empty()) return Json{{"type", "idx"}, {"images", i}, {"labels", l}};
        setError(fileKeys[i.empty() ? images : labels],
                 i.empty() ? tr("Choose the file with the images, too.")
                           : tr("Choose the file with the labels, too."));
        return std::nullopt;
    };
    const std::optional<Json> source = pair(trainImages, trainLabels),
                              test = pair(testImages, testLabels);
    m_draftTest = !test;
    if (!source || source->is_null()) {
        m_choosing = true;
        return;
    }
    const QDir base(QString::fromStdString(config().base));
    for (int file = 0; file < fileCount; ++file)
        if (!m_paths[file]->text().isEmpty() &&
            !QFileInfo::exists(base.filePath(m_paths[file]->text())))
            setError(fileKeys[file], tr("There is no such file. Check its path."));
    train::DataConfig wanted = config().data;
    wanted.source = *source;
    if (test) wanted.test = *test;
    if (wanted.source == config().data.source && wanted.test == config().data.test) return;
    m_choosing = false;
    edit("data.source", tr("Choose the data files"), [&](auto& c) {
        c.data.source = wanted.source;
        c.data.test = wanted.test;
    });
}

void DataForm::applyOther(const Json& source) {
    const auto& description = *data::find_source(source.at("type").get<std::string>());
    Json wanted = source;
    for (const std::string& key : data::path_keys(source))
        wanted[key] = shortened(textOf(source, key.c_str())).toStdString();
    m_choosing = false;
    if (wanted == config().data.source) return;
    const bool another = kindOf(wanted) != kindOf(config().data.source);
    edit("data.source",
         (another ? tr("Choose the data: %1") : tr("Change the data: %1"))
             .arg(catalogueText(description.title)),
         [&](auto& c) {
             const Json test = testOf(description, wanted);
             if (another || test.is_object()) c.data.test = test;
             c.data.source = wanted;
         });
}

QString DataForm::shortened(const QString& path) const {
    const QString base = QString::fromStdString(config().base);
    if (base.isEmpty() || !path.startsWith(base + '/')) return path;
    return path.mid(base.size() + 1);
}

}  // namespace strata::ui
