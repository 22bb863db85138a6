#include "ui/techniques/finding_text.h"

#include <QCoreApplication>

#include "ui/widgets/engine_text.h"

namespace strata::ui {
namespace {

struct Findings {
    Q_DECLARE_TR_FUNCTIONS(strata::ui::Findings)
};

QString sentence(const std::string& english) {
    QString text = engineText(english);
    if (text.isEmpty()) return text;
    text[0] = text[0].toUpper();
    const QString stop = Findings::tr(".", "end of a sentence");
    return text.endsWith(stop) ? text : text + stop;
}

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
    const QString advice = sentence(finding.advice);
    return sentence(finding.evidence) + (advice.isEmpty() ? QString() : " " + advice);
}

QString findingText(const train::FindingEvent& finding) {
    return findingTitle(finding) + ": " + findingReason(finding);
}

}  // namespace strata::ui
