#include "ui/window/language.h"

#include <QApplication>
#include <QLocale>
#include <QTranslator>
#include <QWidget>

namespace strata::ui {
namespace {

QString& current() {
    static QString code = "en";
    return code;
}

QTranslator& translator() {
    static QTranslator translator;
    return translator;
}

}  // namespace

const QList<LanguageChoice>& languages() {
    static const QList<LanguageChoice> all{{"en", "English"}, {"bn", "বাংলা"}};
    return all;
}

void applyLanguage(const QString& code) {
    const QString wanted = code.isEmpty() ? QLocale::system().name().section('_', 0, 0) : code;
    const bool bengali = wanted == "bn";
    if (current() == (bengali ? "bn" : "en") && !translator().isEmpty() == bengali) return;
    current() = bengali ? "bn" : "en";
    QLocale::setDefault(bengali ? QLocale(QLocale::Bengali, QLocale::Bangladesh)
                                : QLocale(QLocale::English, QLocale::UnitedKingdom));
    // Both send LanguageChange to every window.
    QCoreApplication::removeTranslator(&translator());
    if (bengali && translator().load(":/i18n/strata_bn.qm"))
        QCoreApplication::installTranslator(&translator());
    for (QWidget* window : QApplication::topLevelWidgets()) window->setLocale(QLocale());
}

QString currentLanguage() {
    return current();
}

}  // namespace strata::ui
