// Room beside the titles of a tab bar. Used by the charts, which have many.
#pragma once

class QTabBar;

namespace strata::ui {

// Titles that would not all be seen within `width` stand closer than usual, and no longer than
// needed; where that is not enough, the bar's arrows lead to them.
void fitTabs(QTabBar& tabs, int width);

}  // namespace strata::ui
