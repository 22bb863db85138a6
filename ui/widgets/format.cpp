#include "ui/widgets/format.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QStringList>
#include <array>
#include <cmath>

#include "engine/core/time_text.h"

namespace strata::ui {
namespace {

struct Units {
    Q_DECLARE_TR_FUNCTIONS(strata::ui::Units)
};

}  // namespace

QString formatCount(std::int64_t count) {
    return QLocale().toString(static_cast<qlonglong>(count));
}

QString formatBytes(std::uint64_t bytes) {
    static constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1024.0 && unit + 1 < units.size(); ++unit) value /= 1024.0;
    const int digits = unit == 0 || value >= 100.0 ? 0 : value >= 10.0 ? 1 : 2;
    return QLocale().toString(value, 'f', digits) + QChar(0x00A0) +
           QString::fromLatin1(units[unit]);
}

QString formatShape(const Shape& shape) {
    return QString::fromStdString(shape.text());
}

QString formatNumber(double value, int digits) {
    if (!std::isfinite(value))
        return std::isnan(value) ? QStringLiteral("NaN") : QStringLiteral("∞");
    constexpr double largestWhole = 1e12;
    if (value == std::floor(value) && std::abs(value) < largestWhole)
        return formatCount(static_cast<std::int64_t>(value));
    return QLocale().toString(value, 'g', digits);
}

// As the engine's time_text() writes them.
QString formatSeconds(double seconds) {
    using Unit = TimeInUnit::Unit;
    const TimeInUnit time = time_in_unit(seconds);
    return (time.unit == Unit::us   ? Units::tr("%1 µs")
            : time.unit == Unit::ms ? Units::tr("%1 ms")
                                    : Units::tr("%1 s"))
        .arg(QLocale().toString(time.value, 'f', time.digits));
}

QString localDigits(QString text) {
    const QChar zero = QLocale().zeroDigit().front();
    for (QChar& letter : text)
        if (letter >= '0' && letter <= '9')
            letter = QChar(zero.unicode() + (letter.unicode() - u'0'));
    return text;
}

QString plainDigits(QString text) {
    for (QChar& letter : text)
        if (letter.isDigit()) letter = QChar(u'0' + letter.digitValue());
    return text;
}

QString elidedFacts(const QString& text, const QFontMetricsF& metrics, double room) {
    const QString separator = QStringLiteral(" · ");
    QStringList facts = text.split(separator);
    if (metrics.horizontalAdvance(text) <= room) return text;
    while (facts.size() > 1) {
        facts.removeLast();
        const QString fewer = facts.join(separator) + separator + QChar(0x2026);
        if (metrics.horizontalAdvance(fewer) <= room) return fewer;
    }
    return metrics.elidedText(text, Qt::ElideRight, room);
}

QString formatDuration(double seconds) {
    const auto total = static_cast<qlonglong>(std::llround(std::max(seconds, 0.0)));
    const QLocale locale;
    const auto two = [&](qlonglong n) {
        return (n < 10 ? locale.toString(0) : QString()) + locale.toString(n);
    };
    const qlonglong hours = total / 3600, minutes = total / 60 % 60;
    if (hours > 0) return locale.toString(hours) + ":" + two(minutes) + ":" + two(total % 60);
    return locale.toString(minutes) + ":" + two(total % 60);
}

}  // namespace strata::ui
