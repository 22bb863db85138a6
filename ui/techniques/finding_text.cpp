#include "ui/techniques/finding_text.h"

#include <QCoreApplication>

#include "ui/widgets/text.h"

namespace strata::ui {
namespace {

struct Findings {
    Q_DECLARE_TR_FUNCTIONS(strata::ui::Findings)
};

}  // namespace

QString findingName(train::FindingEvent::Kind kind) {
    using Kind = train::FindingEvent::Kind;
    switch (kind) {
        case Kind::overfitting:
            return Findings::tr("overfitting");
        case Kind::plateau:
            return Findings::tr("plateau");
        case Kind::dead_units:
            return Findings::tr("dead units");
        case Kind::exploding_gradients:
            return Findings::tr("exploding gradients");
        case Kind::vanishing_gradients:
            return Findings::tr("vanishing gradients");
        case Kind::learning_rate_too_high:
            return Findings::tr("learning rate too high");
        case Kind::starved_of_data:
            return Findings::tr("the device waits for data");
    }
    return {};
}

QString findingTitle(const train::FindingEvent& finding) {
    QString text = findingName(finding.kind);
    if (!finding.layer.empty())
        text = Findings::tr("%1 (%2)", "finding, layer")
                   .arg(text, QString::fromStdString(finding.layer));
    text[0] = text[0].toUpper();
    return text;
}

QString findingReason(const train::FindingEvent& finding) {
    const QString advice = sentenceText(finding.advice);
    return sentenceText(finding.evidence) + (advice.isEmpty() ? QString() : " " + advice);
}

QString findingText(const train::FindingEvent& finding) {
    return findingTitle(finding) + ": " + findingReason(finding);
}

}  // namespace strata::ui
