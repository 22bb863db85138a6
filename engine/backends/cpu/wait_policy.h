// How long OpenMP's threads wait for each other before they let others work. Called by both
// programs' main() before anything else.
#pragma once

namespace strata::cpu {

// libgomp's threads turn for some milliseconds at each barrier. Beside any other work on the
// machine a step then costs time slices instead of microseconds: a small model trains ten to forty
// times slower. libgomp reads its settings only when it is loaded, so this sets GOMP_SPINCOUNT and
// starts the program anew; it returns where the user has set OMP_WAIT_POLICY or GOMP_SPINCOUNT, or
// where that fails.
void use_short_waits(char** argv);

}  // namespace strata::cpu
