// Numbers as the studio writes them: in the language's digits and separators.
#pragma once

#include <QString>
#include <cstdint>

#include "engine/core/shape.h"

class QFontMetricsF;

namespace strata::ui {

QString formatCount(std::int64_t count);             // "18 496" with the locale's grouping
QString formatBytes(std::uint64_t bytes);            // "1.18 GiB", "400 KiB"
QString formatShape(const Shape& shape);             // "(28, 28, 1)"
QString formatNumber(double value, int digits = 4);  // significant digits
QString formatSeconds(double seconds);               // "4.63 µs", "12.3 ms", "1.20 s"
QString formatDuration(double seconds);              // "1:12", "2:03:09"

// Digits of the studio's language for those of a text, and back: for what is no single number, such
// as "3, 3", and for what was typed.
QString localDigits(QString text);
QString plainDigits(QString text);

// "32 filters · 3 × 3 · relu" in this many pixels: whole facts, as many as find room, before
// letters are cut off.
QString elidedFacts(const QString& text, const QFontMetricsF& metrics, double room);

}  // namespace strata::ui
