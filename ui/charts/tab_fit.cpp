#include "ui/charts/tab_fit.h"

#include <QStyle>
#include <QTabBar>

namespace strata::ui {
namespace {

constexpr const char* property = "dense";  // read by the style sheet
constexpr const char *usual = "true", *closer = "tight";
constexpr int spared = 4;  // pixels of a title, by the style sheet

}  // namespace

void fitTabs(QTabBar& tabs, int width) {
    const bool tight = tabs.property(property) == closer;
    const int wanted = tabs.sizeHint().width() + (tight ? spared * tabs.count() : 0);
    const char* now = wanted > width ? closer : usual;
    if (tabs.property(property) == now) return;
    tabs.setProperty(property, now);
    tabs.style()->unpolish(&tabs);
    tabs.style()->polish(&tabs);
}

}  // namespace strata::ui
