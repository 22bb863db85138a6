// Makes the program's icons, examples and translations available as ":/...". Called once by each
// program that shows a window, before the first icon.
#pragma once

namespace strata {

void use_resources();

}  // namespace strata
