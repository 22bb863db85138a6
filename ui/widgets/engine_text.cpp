#include "ui/widgets/engine_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include "ui/widgets/format.h"

namespace strata::ui {
namespace {

constexpr const char* catalogueContext = "Catalogue";
constexpr const char* sentenceContext = "Engine";
constexpr const char* summaryContext = "Summary";
constexpr const char* nameContext = "Name";
constexpr const char* countContext = "Count";
constexpr int deepest = 4;  // sentences within sentences

struct Pattern {
    const char* english;
    QRegularExpression expression;
    std::vector<int> order;  // the number of the n-th part: 1 of %1
};

Pattern patternOf(const char* english) {
    Pattern pattern{english, {}, {}};
    const QString text = QString::fromLatin1(english);
    static const QRegularExpression part("%(\\d)");
    QString expression = "^";
    qsizetype at = 0;
    for (auto match = part.match(text); match.hasMatch(); match = part.match(text, at)) {
        expression += QRegularExpression::escape(text.mid(at, match.capturedStart() - at));
        expression += QStringLiteral("(.+?)");
        pattern.order.push_back(match.captured(1).toInt());
        at = match.capturedEnd();
    }
    expression += QRegularExpression::escape(text.mid(at)) + "$";
    pattern.expression.setPattern(expression);
    return pattern;
}

std::vector<Pattern> patternsOf(const std::vector<const char*>& texts) {
    std::vector<Pattern> made;
    made.reserve(texts.size());
    for (const char* english : texts) made.push_back(patternOf(english));
    return made;
}

const std::vector<Pattern>& sentences() {
    static const std::vector<Pattern> all = [] {
        std::vector<Pattern> made = patternsOf(engineSentences());
        for (Pattern& pattern : patternsOf(runSentences())) made.push_back(std::move(pattern));
        return made;
    }();
    return all;
}

const std::vector<Pattern>& summaries() {
    static const std::vector<Pattern> all = patternsOf(summaryWords());
    return all;
}

QString translated(const char* context, const QString& english) {
    const QByteArray source = english.toUtf8();
    return QCoreApplication::translate(context, source.constData());
}

bool isNumber(const QString& text) {
    static const QRegularExpression number("^[-+−]?[\\d., ×x()e%/-]+( (bytes?|B|[KMGTPE]iB))?$");
    return number.match(text).hasMatch();
}

QString said(const QString& english, int depth);

// The pattern's translation with its parts, all at once: a part may hold a "%1" of its own.
QString filled(const char* context, const Pattern& pattern, const QRegularExpressionMatch& match,
               int depth) {
    const QString text = translated(context, QString::fromLatin1(pattern.english));
    QString out;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool part = text[i] == '%' && i + 1 < text.size() && text[i + 1].isDigit();
        if (!part) {
            out += text[i];
            continue;
        }
        ++i;
        for (std::size_t n = 0; n < pattern.order.size(); ++n)
            if (pattern.order[n] == text[i].digitValue())
                out += said(match.captured(static_cast<int>(n) + 1), depth + 1);
    }
    return out;
}

QString said(const QString& english, int depth) {
    static const QRegularExpression time("^([\\d.]+) (µs|ms|s)$");
    if (const auto match = time.match(english); match.hasMatch())
        return formatSeconds(match.captured(1).toDouble() * (match.captured(2) == "µs"   ? 1e-6
                                                             : match.captured(2) == "ms" ? 1e-3
                                                                                         : 1.0));
    if (isNumber(english)) return localDigits(QString(english).replace(" bytes", " B"));
    if (QString known = translated(catalogueContext, english); known != english) return known;
    static const QRegularExpression counted("^([\\d.,]+) ([A-Za-z -]+)$");
    if (const auto match = counted.match(english); match.hasMatch()) {
        const QString words = QStringLiteral("%1 ") + match.captured(2);
        if (const QString known = translated(countContext, words); known != words)
            return known.arg(localDigits(match.captured(1)));
    }
    if (depth > deepest) return english;
    for (const Pattern& pattern : sentences())
        if (const auto match = pattern.expression.match(english); match.hasMatch())
            return filled(sentenceContext, pattern, match, depth);
    return english;
}

}  // namespace

QString engineText(const std::string& english) {
    const QString text = QString::fromStdString(english);
    return text.isEmpty() ? text : said(text, 0);
}

bool isTranslated(const std::string& english) {
    return engineText(english) != QString::fromStdString(english);
}

QString summaryText(const std::string& english) {
    QStringList parts = QString::fromStdString(english).split(QStringLiteral(" · "));
    for (QString& part : parts) {
        if (isNumber(part)) {
            if (!part.startsWith('(')) part = localDigits(part);  // shapes are written as in code
            continue;
        }
        for (const Pattern& pattern : summaries())
            if (const auto match = pattern.expression.match(part); match.hasMatch()) {
                part = filled(summaryContext, pattern, match, deepest);
                break;
            }
    }
    return parts.join(QStringLiteral(" · "));
}

QString nameText(const std::string& key) {
    return translated(nameContext, QString::fromStdString(key).replace('_', ' '));
}

}  // namespace strata::ui
