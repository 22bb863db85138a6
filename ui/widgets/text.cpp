#include "ui/widgets/text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "engine/io/file.h"
#include "ui/widgets/engine_text.h"

namespace strata::ui {
namespace {

QString words(const char* text) {
    return QCoreApplication::translate("strata::ui::Text", text);
}

}  // namespace

QString categoryText(layers::LayerCategory category) {
    using layers::LayerCategory;
    switch (category) {
        case LayerCategory::core:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Core"));
        case LayerCategory::convolution:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Convolution"));
        case LayerCategory::pooling:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Pooling"));
        case LayerCategory::normalization:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Normalisation"));
        case LayerCategory::regularization:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Regularisation"));
        case LayerCategory::input:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Input"));
        case LayerCategory::merging:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Merging"));
        case LayerCategory::preprocessing:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Preprocessing"));
    }
    return {};
}

QString memoryText(device::Category category) {
    using device::Category;
    switch (category) {
        case Category::weights:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "weights"));
        case Category::optimizer:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "optimizer"));
        case Category::gradients:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "gradients"));
        case Category::activations:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "activations"));
        case Category::workspace:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "workspace"));
        case Category::input:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "input"));
    }
    return {};
}

QString stateText(train::RunState state) {
    using train::RunState;
    switch (state) {
        case RunState::ready:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Ready"));
        case RunState::preparing:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Preparing"));
        case RunState::running:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Running"));
        case RunState::pausing:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Pausing after this step"));
        case RunState::paused:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Paused"));
        case RunState::stopping:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Stopping after this step"));
        case RunState::finished:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Finished"));
        case RunState::stopped:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Stopped"));
        case RunState::failed:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Failed"));
    }
    return {};
}

QString scheduleText(parallel::ScheduleKind kind) {
    using parallel::ScheduleKind;
    switch (kind) {
        case ScheduleKind::naive:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "naive"));
        case ScheduleKind::gpipe:
            return QStringLiteral("GPipe");
        case ScheduleKind::one_f_one_b:
            return QStringLiteral("1F1B");
        case ScheduleKind::interleaved:
            return words(QT_TRANSLATE_NOOP("strata::ui::Text", "interleaved"));
    }
    return {};
}

QString catalogueText(const std::string& english) {
    return QCoreApplication::translate("Catalogue", english.c_str());
}

QString layerOf(const Error& error) {
    static const QRegularExpression pattern("layer '([^']+)'");
    const QString text = QString::fromStdString(error.where());
    if (const auto match = pattern.match(text); match.hasMatch()) return match.captured(1);
    return pattern.match(QString::fromStdString(error.message())).captured(1);
}

namespace {

QString fullStop() {
    return words(QT_TRANSLATE_NOOP("strata::ui::Text", "."));
}

bool isEnded(const QString& text) {
    return text.endsWith(fullStop()) || text.endsWith('.') || text.endsWith('?');
}

bool canBeSaid(const std::string& english) {
    return english.empty() || isTranslated(english);
}

// "1335744 bytes" as "1.3 MiB".
std::string withReadableBytes(const std::string& english) {
    static const QRegularExpression many("\\b(\\d{4,}) (bytes|B)\\b");
    QString text = QString::fromStdString(english);
    for (auto match = many.match(text); match.hasMatch(); match = many.match(text))
        text.replace(match.capturedStart(), match.capturedLength(),
                     QString::fromStdString(io::byte_text(match.captured(1).toULongLong())));
    return text.toStdString();
}

// Where the catalogue lacks the message or its hint, both are told as the engine wrote them.
QString sentences(const Error& error, const std::string& place) {
    const std::string hint = studioText(QString::fromStdString(error.hint())).toStdString();
    const bool own = canBeSaid(error.message()) && canBeSaid(hint);
    const auto say = [own](const std::string& english) {
        return own ? engineText(english) : QString::fromStdString(english);
    };
    const QString stop = own ? fullStop() : QStringLiteral(".");
    const QString where = say(place);
    QString text = say(withReadableBytes(error.message()));
    if (!where.isEmpty()) {
        text = where + ": " + text;
    } else if (!text.isEmpty()) {
        text[0] = text[0].toUpper();
    }
    if (!hint.empty()) text += (isEnded(text) ? " " : stop + " ") + say(hint);
    return isEnded(text) ? text : text + stop;
}

}  // namespace

QString sentenceText(const std::string& english) {
    QString text = engineText(english);
    if (text.isEmpty()) return text;
    text[0] = text[0].toUpper();
    if (isEnded(text)) return text;
    return text + (isTranslated(english) ? fullStop() : QStringLiteral("."));
}

QString errorText(const Error& error) {
    return sentences(error, error.where());
}

QString errorTextAtLayer(const Error& error) {
    static const QRegularExpression name("^layer '[^']+'(, )?");
    return sentences(error, QString::fromStdString(error.where()).remove(name).toStdString());
}

}  // namespace strata::ui
