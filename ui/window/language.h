// The language of all texts and numbers, switched while the program runs: widgets get
// LanguageChange and set theirs anew.
#pragma once

#include <QString>
#include <QStringList>

namespace strata::ui {

struct LanguageChoice {
    const char* code;  // "en", "bn"
    const char* name;  // in itself: "English", "বাংলা"
};
const QList<LanguageChoice>& languages();

// "" = the system's, English where there is no translation. Sets QLocale's default before the
// widgets are told.
void applyLanguage(const QString& code);
QString currentLanguage();  // "en" or "bn"

}  // namespace strata::ui
