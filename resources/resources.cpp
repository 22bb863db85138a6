#include "resources/resources.h"

#include <QDir>  // Q_INIT_RESOURCE
#include <QtGlobal>

// The macro declares functions and must stand outside every namespace.
static void init_resources() {
    Q_INIT_RESOURCE(strata_files);
    Q_INIT_RESOURCE(strata_translations);
}

namespace strata {

void use_resources() {
    init_resources();
}

}  // namespace strata
