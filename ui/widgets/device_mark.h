// How a device is told: by its name and its colour; from the seventh on also by a pattern. Used
// wherever a device is painted.
#pragma once

#include <QBrush>
#include <QIcon>
#include <QPainter>
#include <QString>

namespace strata::ui {

// Its place in the row of colours. Processors count from the first colour, others from the fourth.
int deviceIndex(const QString& device);

// A dot; from the seventh device on a ring, from the thirteenth a ring with a dot.
void paintDeviceDot(QPainter& painter, QPointF centre, double radius, const QString& device);
QIcon deviceIcon(const QString& device);

// The device's colour over a large part of a ground, such as a lane's; striped from the seventh on.
void paintDeviceWash(QPainter& painter, const QPainterPath& area, const QString& device, int alpha);

}  // namespace strata::ui
