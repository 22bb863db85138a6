#include "ui/widgets/text.h"

#include <QCoreApplication>

namespace strata::ui {
namespace {

QString words(const char* text) { return QCoreApplication::translate("strata::ui::Text", text); }

}  // namespace

QString categoryText(layers::LayerCategory category) {
    using layers::LayerCategory;
    switch (category) {
        case LayerCategory::core: return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Core"));
        case LayerCategory::convolution: return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Convolution"));
        case LayerCategory::pooling: return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Pooling"));
        case LayerCategory::normalization: return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Normalisation"));
        case LayerCategory::regularization: return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Regularisation"));
        case LayerCategory::input: return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Input"));
        case LayerCategory::merging: return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Merging"));
        case LayerCategory::preprocessing: return words(QT_TRANSLATE_NOOP("strata::ui::Text", "Preprocessing"));
    }
    return {};
}

QString memoryText(device::Category category) {
    using device::Category;
    switch (category) {
        case Category::weights: return words(QT_TRANSLATE_NOOP("strata::ui::Text", "weights"));
        case Category::optimizer: return words(QT_TRANSLATE_NOOP("strata::ui::Text", "optimizer"));
        case Category::gradients: return words(QT_TRANSLATE_NOOP("strata::ui::Text", "gradients"));
        case Category::activations: return words(QT_TRANSLATE_NOOP("strata::ui::Text", "activations"));
        case Category::workspace: return words(QT_TRANSLATE_NOOP("strata::ui::Text", "workspace"));
        case Category::input: return words(QT_TRANSLATE_NOOP("strata::ui::Text", "input"));
    }
    return {};
}

QString errorText(const Error& error) {
    QString text = QString::fromStdString(error.message());
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    if (!error.where().empty()) text = QString::fromStdString(error.where()) + ": " + QString::fromStdString(error.message());
    if (!error.hint().empty()) text += ". " + QString::fromStdString(error.hint());
    return text.endsWith('.') ? text : text + '.';
}

}  // namespace strata::ui
