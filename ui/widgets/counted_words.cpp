// Numbers with their nouns, which stand within the engine's sentences: the first part is a number
// and nothing else. Read by engine_text.
#include <QtGlobal>
#include <vector>

#include "ui/widgets/engine_text.h"

namespace strata::ui {

const std::vector<const char*>& countWords() {
    static const std::vector<const char*> all{
        QT_TRANSLATE_NOOP("Count", "%1 replica"),
        QT_TRANSLATE_NOOP("Count", "%1 replicas"),
        QT_TRANSLATE_NOOP("Count", "%1 stage"),
        QT_TRANSLATE_NOOP("Count", "%1 stages"),
        QT_TRANSLATE_NOOP("Count", "%1 layer"),
        QT_TRANSLATE_NOOP("Count", "%1 layers"),
        QT_TRANSLATE_NOOP("Count", "%1 device"),
        QT_TRANSLATE_NOOP("Count", "%1 devices"),
        QT_TRANSLATE_NOOP("Count", "%1 GPU"),
        QT_TRANSLATE_NOOP("Count", "%1 GPUs"),
        QT_TRANSLATE_NOOP("Count", "%1 CPU device"),
        QT_TRANSLATE_NOOP("Count", "%1 CPU devices"),
        QT_TRANSLATE_NOOP("Count", "%1 thread"),
        QT_TRANSLATE_NOOP("Count", "%1 threads"),
        QT_TRANSLATE_NOOP("Count", "%1 core"),
        QT_TRANSLATE_NOOP("Count", "%1 cores"),
        QT_TRANSLATE_NOOP("Count", "%1 unit"),
        QT_TRANSLATE_NOOP("Count", "%1 units"),
        QT_TRANSLATE_NOOP("Count", "%1 class"),
        QT_TRANSLATE_NOOP("Count", "%1 classes"),
        QT_TRANSLATE_NOOP("Count", "%1 sample"),
        QT_TRANSLATE_NOOP("Count", "%1 samples"),
        QT_TRANSLATE_NOOP("Count", "%1 process"),
        QT_TRANSLATE_NOOP("Count", "%1 processes"),
        QT_TRANSLATE_NOOP("Count", "%1 batch"),
        QT_TRANSLATE_NOOP("Count", "%1 batches"),
        QT_TRANSLATE_NOOP("Count", "%1 file"),
        QT_TRANSLATE_NOOP("Count", "%1 files"),
        QT_TRANSLATE_NOOP("Count", "%1 micro-batch"),
        QT_TRANSLATE_NOOP("Count", "%1 micro-batches"),
        QT_TRANSLATE_NOOP("Count", "%1 micro-batch is"),
        QT_TRANSLATE_NOOP("Count", "%1 micro-batches are"),
        QT_TRANSLATE_NOOP("Count", "%1 epoch is"),
        QT_TRANSLATE_NOOP("Count", "%1 epochs are"),
        QT_TRANSLATE_NOOP("Count", "%1 step in a row was skipped"),
        QT_TRANSLATE_NOOP("Count", "%1 steps in a row were skipped"),
    };
    return all;
}

}  // namespace strata::ui
