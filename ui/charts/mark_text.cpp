#include "ui/charts/mark_text.h"

#include <QCoreApplication>

#include "ui/widgets/format.h"

namespace strata::ui {
namespace {

QString words(const char* text) {
    return QCoreApplication::translate("strata::ui::Charts", text);
}

QString withValue(const char* text, double value) {
    return words(text).arg(formatNumber(value));
}

QString rateText(double value) {
    return withValue(QT_TRANSLATE_NOOP("strata::ui::Charts", "learning rate %1"), value);
}
QString clipText(double value) {
    return withValue(QT_TRANSLATE_NOOP("strata::ui::Charts", "clipping limit %1"), value);
}
QString decayText(double value) {
    return withValue(QT_TRANSLATE_NOOP("strata::ui::Charts", "weight decay %1"), value);
}
QString earlyText() {
    return words(QT_TRANSLATE_NOOP("strata::ui::Charts", "early stop"));
}
QString resumedText() {
    return words(QT_TRANSLATE_NOOP("strata::ui::Charts", "resumed"));
}

}  // namespace

QString markText(const Mark& mark) {
    switch (mark.kind) {
        case Mark::Kind::checkpoint:
            return words(QT_TRANSLATE_NOOP("strata::ui::Charts", "checkpoint saved"));
        case Mark::Kind::best:
            return words(QT_TRANSLATE_NOOP("strata::ui::Charts", "best saved"));
        case Mark::Kind::failed:
            return words(QT_TRANSLATE_NOOP("strata::ui::Charts", "checkpoint failed"));
        case Mark::Kind::resumed:
            return resumedText();
        case Mark::Kind::skipped:
            return words(QT_TRANSLATE_NOOP("strata::ui::Charts", "step skipped for an overflow"));
        case Mark::Kind::learningRate:
            return rateText(mark.value);
        case Mark::Kind::clipLimit:
            return clipText(mark.value);
        case Mark::Kind::weightDecay:
            return decayText(mark.value);
        case Mark::Kind::earlyStop:
            return earlyText();
    }
    return {};
}

QString markText(const train::MarkEvent& mark) {
    using Kind = train::MarkEvent::Kind;
    switch (mark.kind) {
        case Kind::resumed:
            return resumedText();
        case Kind::learning_rate:
            return rateText(mark.value);
        case Kind::clip_limit:
            return clipText(mark.value);
        case Kind::weight_decay:
            return decayText(mark.value);
        case Kind::loss_scale:
            return withValue(QT_TRANSLATE_NOOP("strata::ui::Charts", "loss scale %1"), mark.value);
        case Kind::early_stop:
            return earlyText();
        case Kind::paused:
            return words(QT_TRANSLATE_NOOP("strata::ui::Charts", "paused"));
    }
    return {};
}

}  // namespace strata::ui
