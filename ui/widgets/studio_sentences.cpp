// What the studio says in place of the engine's hints that name a command or an option of the
// terminal. Read by engine_text.
#include <QtGlobal>
#include <vector>

#include "ui/widgets/engine_text.h"

namespace strata::ui {

const std::vector<StudioSentence>& studioSentences() {
    static const std::vector<StudioSentence> all{
        {"--resume goes on from the last checkpoint",
         QT_TRANSLATE_NOOP("Engine", "Choose Go on from last checkpoint to train on from there")},
        {"Make room for it; --resume goes on from the last checkpoint that was written",
         QT_TRANSLATE_NOOP("Engine",
                           "Make room for it; Go on from last checkpoint takes up the last one "
                           "that was written")},
        {"Train without --resume to begin a new run",
         QT_TRANSLATE_NOOP("Engine", "Choose Train to begin a new run")},
        {"Go on with it by --resume, or choose another",
         QT_TRANSLATE_NOOP("Engine", "Choose Go on from last checkpoint, or another directory")},
        {"Stop it, and go on with --resume --set training.clipping=...",
         QT_TRANSLATE_NOOP(
             "Engine",
             "Stop it, switch Gradient clipping on, and choose Go on from last checkpoint")},
        {"Start all ranks with the same project and the same --set",
         QT_TRANSLATE_NOOP("Engine", "Start all processes with the same project")},
        {"Put the files of then back to go on with this run, or begin a new one; `strata import` "
         "makes a project that starts from its weights",
         QT_TRANSLATE_NOOP(
             "Engine", "Put the files of then back to go on with this run, or begin a new one")},
        {"Make one with `strata new classic -o project.strata`",
         QT_TRANSLATE_NOOP("Engine", "Make one with New from template")},
        {"Start one with `strata train`, or name the directory of one that runs",
         QT_TRANSLATE_NOOP("Engine", "Choose Train to start one")},
        {"Use cpu:0, or see 'strata devices'", QT_TRANSLATE_NOOP("Engine", "Use cpu:0")},
        {"Start one process for each GPU of a machine, or let the launcher show each process one "
         "of its own (srun --gpus-per-task=1)",
         QT_TRANSLATE_NOOP("Engine", "Start one process for each GPU of a machine")},
        {"Try again; a run that the studio started is controlled there",
         QT_TRANSLATE_NOOP("Engine", "Try again")},
        {"It may be stopped, or busy reading its data; a run that the studio started is controlled "
         "there",
         QT_TRANSLATE_NOOP("Engine", "It may be stopped, or busy reading its data")},
    };
    return all;
}

}  // namespace strata::ui
