#include "ui/widgets/param_form.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/widgets/controls.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/format.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

using layers::ParamSpec;
using layers::ParamType;

QString rangeText(const ParamSpec& param) {
    const bool low = std::isfinite(param.minimum), high = std::isfinite(param.maximum);
    if (low && high)
        return ParamForm::tr("%1 to %2")
            .arg(formatNumber(param.minimum), formatNumber(param.maximum));
    if (low) return ParamForm::tr("%1 or more").arg(formatNumber(param.minimum));
    return {};
}

QString defaultText(const Json& value) {
    const QString text = QString::fromStdString(value.dump());
    return value.is_string() ? text : localDigits(text);
}

QString helpText(const ParamSpec& param) {
    QString text = catalogueText(param.doc);
    if (const QString range = rangeText(param); !range.isEmpty())
        text += "\n" + ParamForm::tr("Range: %1").arg(range);
    if (!param.default_value.is_null())
        text += "\n" + ParamForm::tr("Default: %1").arg(defaultText(param.default_value));
    return text;
}

// "3, 3", "28, 28, 1", "0.001": lists without brackets.
QString valueText(const Json& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return QString::fromStdString(value.get<std::string>());
    QString text = QString::fromStdString(value.dump());
    if (value.is_array()) text = text.mid(1, text.size() - 2).replace(",", ", ");
    return text;
}

bool isText(const ParamSpec& param) {
    return param.type == ParamType::text || param.type == ParamType::file ||
           param.type == ParamType::folder;
}

// What was typed as JSON: a text as it is; else a number, or a list where there are commas. Null
// where it is empty, a text where it is neither.
Json parsedText(const ParamSpec& param, const QString& typed) {
    if (isText(param)) return typed.isEmpty() ? Json() : Json(typed.toStdString());
    const QString text = plainDigits(typed.trimmed());
    if (text.isEmpty()) return nullptr;
    const bool list = text.contains(',') || param.type == ParamType::shape;
    const std::string source = (list ? "[" + text + "]" : text).toStdString();
    Json value = Json::parse(source, nullptr, false);
    if (value.is_discarded()) return text.toStdString();
    return value;
}

// Takes digits beyond its range, to say so instead of changing them.
class IntegerBox : public QSpinBox {
public:
    std::function<void()> onTyping;
    std::function<void(const QString&)> onRefused;

    IntegerBox() {
        setKeyboardTracking(false);  // else the digits before the one too many would count
        connect(lineEdit(), &QLineEdit::textEdited, this, [this] {
            if (onTyping) onTyping();
        });
    }

    QValidator::State validate(QString& text, int& position) const override {
        const QValidator::State state = QSpinBox::validate(text, position);
        return state == QValidator::Invalid && isWhole(text) ? QValidator::Intermediate : state;
    }

    void fixup(QString& text) const override {
        if (isWhole(text) && onRefused) onRefused(text);
    }

private:
    static bool isWhole(const QString& text) {
        const QString digits = text.startsWith('-') ? text.mid(1) : text;
        return !digits.isEmpty() && std::all_of(digits.begin(), digits.end(),
                                                [](QChar letter) { return letter.isDigit(); });
    }
};

}  // namespace

void alignRow(QWidget* label, QWidget* editor) {
    for (QWidget* part : {label, editor}) {
        part->setMinimumWidth(0);
        part->setSizePolicy(QSizePolicy::Ignored, part->sizePolicy().verticalPolicy());
    }
}

ParamForm::ParamForm(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
}

void ParamForm::setParams(const std::vector<ParamSpec>& params, const Json& values) {
    m_params = params;
    qDeleteAll(m_rows);
    m_rows.clear();
    m_editors.clear();
    m_errors.clear();
    for (const ParamSpec& param : m_params) {
        const QString key = QString::fromStdString(param.key);
        auto* row = new QWidget;
        auto* box = new QVBoxLayout(row);
        box->setContentsMargins(0, 0, 0, 4);
        box->setSpacing(2);
        auto* line = new QHBoxLayout;
        auto* label = new QLabel(nameText(param.key));
        label->setWordWrap(true);
        QWidget* editor = makeEditor(param);
        editor->setAccessibleName(label->text());
        editor->setAccessibleDescription(catalogueText(param.doc));
        editor->setToolTip(helpText(param));
        label->setToolTip(editor->toolTip());
        label->setBuddy(editor);
        alignRow(label, editor);
        guardWheel(editor);
        line->setSpacing(fieldGap);
        line->addWidget(label, 2);
        line->addWidget(editor, 3);
        box->addLayout(line);
        auto* help = new QLabel(catalogueText(param.doc));
        help->setProperty("secondary", true);
        help->setWordWrap(true);
        box->addWidget(help);
        auto* error = new QLabel;
        error->setProperty("bad", true);
        error->setWordWrap(true);
        error->hide();
        box->addWidget(error);
        layout()->addWidget(row);
        m_rows.insert(key, row);
        m_editors.insert(key, editor);
        m_errors.insert(key, error);
    }
    setValues(values);
}

QWidget* ParamForm::makeEditor(const ParamSpec& param) {
    const QString key = QString::fromStdString(param.key);
    if (param.type == ParamType::boolean) {
        auto* box = new QCheckBox;
        connect(box, &QCheckBox::toggled, this,
                [this, key](bool on) { Q_EMIT edited(key, Json(on)); });
        return box;
    }
    if (param.type == ParamType::choice) {
        auto* box = new QComboBox;
        for (const std::string& choice : param.choices)
            box->addItem(QString::fromStdString(choice));
        connect(box, &QComboBox::textActivated, this,
                [this, key](const QString& text) { Q_EMIT edited(key, Json(text.toStdString())); });
        return box;
    }
    if (param.type == ParamType::integer && !param.optional) return makeInteger(param);
    return makeText(param);
}

QWidget* ParamForm::makeInteger(const ParamSpec& param) {
    const QString key = QString::fromStdString(param.key);
    auto* box = new IntegerBox;
    box->setRange(
        std::isfinite(param.minimum) ? static_cast<int>(param.minimum) : -1000000,
        std::isfinite(param.maximum) ? static_cast<int>(std::min(param.maximum, 1e9)) : 1000000000);
    connect(box, &QSpinBox::valueChanged, this,
            [this, key](int value) { Q_EMIT edited(key, Json(static_cast<std::int64_t>(value))); });
    box->onTyping = [this, key] { setError(key, {}); };
    box->onRefused = [this, key, box](const QString& typed) {
        setError(key, tr("%1 is out of range: it can be %2 to %3.")
                          .arg(typed, formatCount(box->minimum()), formatCount(box->maximum())));
    };
    return box;
}

QWidget* ParamForm::makeText(const ParamSpec& param) {
    auto* field = new QLineEdit;
    if (param.optional) field->setPlaceholderText(tr("not set"));
    if (param.type == ParamType::file || param.type == ParamType::folder) addBrowser(param, field);
    connect(field, &QLineEdit::editingFinished, this, [this, param, field] {
        if (!field->isModified()) return;
        field->setModified(false);
        Q_EMIT edited(QString::fromStdString(param.key), parsedText(param, field->text()));
    });
    return field;
}

void ParamForm::addBrowser(const ParamSpec& param, QLineEdit* field) {
    const bool folder = param.type == ParamType::folder;
    QAction* browse =
        field->addAction(iconPixmap("open", Theme::px(16), Theme::instance().colors().secondary),
                         QLineEdit::TrailingPosition);
    browse->setText(folder ? tr("Choose the folder") : tr("Choose the file"));
    browse->setToolTip(browse->text());
    connect(browse, &QAction::triggered, this, [this, param, field, folder] {
        const QString at = QFileInfo(field->text()).path();
        const QString path = folder ? QFileDialog::getExistingDirectory(this, QString(), at)
                                    : QFileDialog::getOpenFileName(this, QString(), at);
        if (path.isEmpty()) return;
        field->setText(path);
        Q_EMIT edited(QString::fromStdString(param.key), Json(path.toStdString()));
    });
}

void ParamForm::setValues(const Json& values) {
    for (const ParamSpec& param : m_params) {
        const auto it = values.find(param.key);
        if (it != values.end())
            show(param, m_editors.value(QString::fromStdString(param.key)), *it);
    }
    updateVisibility(values);
}

void ParamForm::show(const ParamSpec& param, QWidget* editor, const Json& value) {
    const QSignalBlocker quiet(editor);
    if (auto* check = qobject_cast<QCheckBox*>(editor)) {
        check->setChecked(value.is_boolean() && value.get<bool>());
    } else if (auto* combo = qobject_cast<QComboBox*>(editor)) {
        combo->setCurrentText(valueText(value));
    } else if (auto* spin = qobject_cast<QSpinBox*>(editor)) {
        if (value.is_number()) spin->setValue(value.get<int>());
    } else if (auto* field = qobject_cast<QLineEdit*>(editor)) {
        const bool same = value.is_array() && param.type == ParamType::pair && value.size() == 2 &&
                          value[0] == value[1];
        const QString text = valueText(same ? value[0] : value);
        if (!field->isModified()) field->setText(value.is_string() ? text : localDigits(text));
    }
}

void ParamForm::updateVisibility(const Json& values) {
    for (const ParamSpec& param : m_params) {
        if (param.visible_when.empty()) continue;
        const auto split = param.visible_when.find('=');
        const auto it = values.find(param.visible_when.substr(0, split));
        const bool on = it != values.end() &&
                        valueText(*it).toStdString() == param.visible_when.substr(split + 1);
        m_rows.value(QString::fromStdString(param.key))->setVisible(on);
    }
}

void ParamForm::setError(const QString& key, const QString& message) {
    QLabel* label = m_errors.value(key);
    if (label == nullptr && !m_params.empty())
        label = m_errors.value(QString::fromStdString(m_params.front().key));
    if (label == nullptr) return;
    label->setText(message);
    label->setVisible(!message.isEmpty());
}

QString ParamForm::error(const QString& key) const {
    const QLabel* label = m_errors.value(key);
    return label == nullptr || label->isHidden() ? QString() : label->text();
}

void ParamForm::clearErrors() {
    for (QLabel* label : std::as_const(m_errors)) label->hide();
}

}  // namespace strata::ui
