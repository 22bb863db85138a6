#include "ui/widgets/engine_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <optional>
#include <utility>

#include "ui/widgets/format.h"

namespace strata::ui {
namespace {

constexpr const char* catalogueContext = "Catalogue";
constexpr const char* sentenceContext = "Engine";
constexpr const char* summaryContext = "Summary";
constexpr const char* nameContext = "Name";
constexpr const char* countContext = "Count";
constexpr int deepest = 6;  // sentences within sentences

struct Pattern {
    const char* english;
    QRegularExpression expression;
    std::vector<int> order;  // the number of the n-th part: 1 of %1
};

// What stands for a part: a number where nothing else can, so that one sentence does not take the
// head of another, and what the brackets hold.
QString partBehind(const QString& before) {
    if (before.endsWith(QStringLiteral("rank ")) || before.endsWith('='))
        return QStringLiteral("(\\d+)");
    if (before.endsWith(QStringLiteral("(host "))) return QStringLiteral("([^()]+)");
    return QStringLiteral("(.+?)");
}

Pattern patternOf(const char* english) {
    Pattern pattern{english, {}, {}};
    const QString text = QString::fromLatin1(english);
    static const QRegularExpression part("%(\\d)");
    QString expression = "^";
    qsizetype at = 0;
    for (auto match = part.match(text); match.hasMatch(); match = part.match(text, at)) {
        expression += QRegularExpression::escape(text.mid(at, match.capturedStart() - at));
        expression += partBehind(text.left(match.capturedStart()));
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
        std::vector<Pattern> made;
        for (const auto& list : {logSentences(), engineSentences(), runSentences()})
            for (Pattern& pattern : patternsOf(list)) made.push_back(std::move(pattern));
        for (const StudioSentence& sentence : studioSentences())
            made.push_back(patternOf(sentence.studio));
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

// What is known as a whole: a number, a name of the catalogue, a count or a sentence.
std::optional<QString> known(const QString& text, int depth) {
    const QString english = studioText(text);
    static const QRegularExpression time("^([\\d.]+) (µs|ms|s)$");
    if (const auto match = time.match(english); match.hasMatch())
        return formatSeconds(match.captured(1).toDouble() * (match.captured(2) == "µs"   ? 1e-6
                                                             : match.captured(2) == "ms" ? 1e-3
                                                                                         : 1.0));
    if (isNumber(english)) return localDigits(QString(english).replace(" bytes", " B"));
    static const QRegularExpression setting("^[a-z_.]+=\\S+$");  // is written as in the project
    if (setting.match(english).hasMatch()) return english;
    if (QString name = translated(catalogueContext, english); name != english) return name;
    if (english.contains(' ')) {  // a sentence of the catalogue within another
        const QString upper = english.left(1).toUpper() + english.mid(1);
        if (QString name = translated(catalogueContext, upper); name != upper) return name;
    }
    static const QRegularExpression counted("^([\\d.,]+) ([A-Za-z -]+)$");
    if (const auto match = counted.match(english); match.hasMatch()) {
        const QString words = QStringLiteral("%1 ") + match.captured(2);
        if (const QString count = translated(countContext, words); count != words)
            return count.arg(localDigits(match.captured(1)));
    }
    if (depth > deepest) return std::nullopt;
    for (const Pattern& pattern : sentences())
        if (const auto match = pattern.expression.match(english); match.hasMatch())
            return filled(sentenceContext, pattern, match, depth);
    return std::nullopt;
}

// A list of what is known one by one: "rank 1 (host a), rank 2 (host b)".
std::optional<QString> listed(const QString& english, int depth) {
    for (const QString& separator : {QStringLiteral("; "), QStringLiteral(", ")}) {
        QStringList parts = english.split(separator);
        bool all = parts.size() > 1;
        for (QString& part : parts) {
            const std::optional<QString> words = all ? known(part, depth + 1) : std::nullopt;
            all = words.has_value();
            part = words.value_or(part);
        }
        if (all) return parts.join(separator);
    }
    return std::nullopt;
}

// An error in one text, "where: message. hint", as a log has it. All but its place must be known.
std::optional<QString> inParts(const QString& english, int depth) {
    const QString stop = translated("strata::ui::Text", QStringLiteral(".")) + " ";
    for (qsizetype begin = 0; begin >= 0;) {
        const QString place = english.left(std::max<qsizetype>(begin - 2, 0));
        for (qsizetype end = begin; end >= 0;) {
            end = english.indexOf(QStringLiteral(". "), end + 1);
            if (begin == 0 && end < 0) break;  // the whole, which is not known
            std::optional<QString> hint{QString()};
            if (end >= 0) hint = known(english.mid(end + 2), depth + 1);
            if (!hint) continue;
            const auto message = known(english.mid(begin, end < 0 ? -1 : end - begin), depth + 1);
            if (!message) continue;
            QString text = *message;
            if (end >= 0) text += stop + *hint;
            if (begin > 0) text.prepend(known(place, depth + 1).value_or(place) + ": ");
            return text;
        }
        const qsizetype colon = english.indexOf(QStringLiteral(": "), begin);
        begin = colon < 0 ? -1 : colon + 2;
    }
    return std::nullopt;
}

QString said(const QString& english, int depth) {
    if (const auto words = known(english, depth)) return *words;
    if (depth > deepest) return english;
    if (const auto words = listed(english, depth)) return *words;
    if (english.contains('\n'))
        return english;  // a launcher's own words: no sentence has two lines
    return inParts(english, depth).value_or(english);
}

}  // namespace

QString engineText(const std::string& english) {
    const QString text = QString::fromStdString(english);
    return text.isEmpty() ? text : said(text, 0);
}

QString studioText(const QString& english) {
    for (const StudioSentence& sentence : studioSentences())
        if (english == QLatin1String(sentence.engine)) return QString::fromLatin1(sentence.studio);
    if (!english.startsWith(QStringLiteral("It can go on with: ")) &&
        !english.startsWith(QStringLiteral("Start as many (")))
        return english;
    static const QRegularExpression one("mpirun (--oversubscribe )?-np 1\\b");
    static const QRegularExpression many("mpirun (--oversubscribe )?-np (\\d+)");
    return QString(english)
        .replace(one, QStringLiteral("1 process"))
        .replace(many, QStringLiteral("\\2 processes"))
        .remove(QStringLiteral("--set "));
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
