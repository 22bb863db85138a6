// Numbers with their nouns, which stand within the engine's sentences: the first part is a number
// and nothing else. Read by engine_text.
#include <QtGlobal>
#include <vector>

#include "ui/widgets/engine_text.h"

namespace strata::ui {

const std::vector<const char*>& countedWords() {
    static const std::vector<const char*> all{
        QT_TRANSLATE_NOOP("Engine", "%1 GPU"),
        QT_TRANSLATE_NOOP("Engine", "%1 GPUs"),
        QT_TRANSLATE_NOOP("Engine", "%1 device"),
        QT_TRANSLATE_NOOP("Engine", "%1 devices"),
        QT_TRANSLATE_NOOP("Engine", "%1 CPU devices"),
        QT_TRANSLATE_NOOP("Engine", "%1 CPU devices of %2"),
        QT_TRANSLATE_NOOP("Engine", "%1 replica"),
        QT_TRANSLATE_NOOP("Engine", "%1 replicas"),
        QT_TRANSLATE_NOOP("Engine", "%1 stage"),
        QT_TRANSLATE_NOOP("Engine", "%1 stages"),
        QT_TRANSLATE_NOOP("Engine", "%1 layer"),
        QT_TRANSLATE_NOOP("Engine", "%1 layers"),
        QT_TRANSLATE_NOOP("Engine", "%1 micro-batch is"),
        QT_TRANSLATE_NOOP("Engine", "%1 micro-batches are"),
        QT_TRANSLATE_NOOP("Engine", "%1 thread"),
        QT_TRANSLATE_NOOP("Engine", "%1 threads"),
        QT_TRANSLATE_NOOP("Engine", "%1 core"),
        QT_TRANSLATE_NOOP("Engine", "%1 cores"),
        QT_TRANSLATE_NOOP("Engine", "%1 process"),
        QT_TRANSLATE_NOOP("Engine", "%1 processes"),
        QT_TRANSLATE_NOOP("Engine", "%1 sample"),
        QT_TRANSLATE_NOOP("Engine", "%1 samples"),
        QT_TRANSLATE_NOOP("Engine", "%1 batches"),
        QT_TRANSLATE_NOOP("Engine", "%1 unit"),
        QT_TRANSLATE_NOOP("Engine", "%1 units"),
        QT_TRANSLATE_NOOP("Engine", "%1 class"),
        QT_TRANSLATE_NOOP("Engine", "%1 classes"),
        QT_TRANSLATE_NOOP("Engine", "%1 epoch is"),
        QT_TRANSLATE_NOOP("Engine", "%1 epochs are"),
    };
    return all;
}

}  // namespace strata::ui
