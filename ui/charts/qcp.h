// QCustomPlot for files that are built with QT_NO_KEYWORDS: its header uses Qt's short keywords.
#pragma once

#include <QtCore/qforeach.h>

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach
