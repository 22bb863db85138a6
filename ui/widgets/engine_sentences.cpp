// The engine's sentences that the studio can say in another language, and the words of a layer's
// short form. %1, %2, ... stand for what changes. Read by engine_text.
#include <QtGlobal>
#include <vector>

#include "ui/widgets/engine_text.h"

namespace strata::ui {

// A pattern that begins another one stands behind it.
// NOLINTBEGIN(readability-function-size,bugprone-suspicious-missing-comma): a table
const std::vector<const char*>& engineSentences() {
    static const std::vector<const char*> all{
        QT_TRANSLATE_NOOP("Engine", "no placement fits: the nearest, %1, needs %2 of the %3 there"),
        QT_TRANSLATE_NOOP("Engine", "these devices cannot be the stages of this model"),
        QT_TRANSLATE_NOOP(
            "Engine",
            "Use a smaller batch_size, mixed precision or recomputation, or more devices"),
        QT_TRANSLATE_NOOP("Engine",
                          "It fits on %1; for fewer, use a smaller batch_size, mixed precision or "
                          "recomputation"),
        QT_TRANSLATE_NOOP("Engine", "Use a smaller batch_size, mixed precision or recomputation"),
        QT_TRANSLATE_NOOP("Engine", "Ask for fewer stages"),
        QT_TRANSLATE_NOOP("Engine",
                          "%1: %2 a sample; the best way of another shape, %3, %4, is so near that "
                          "a measurement hardly tells it from this simpler one"),
        QT_TRANSLATE_NOOP("Engine", "%1: %2 a sample; the best way of another shape, %3, %4"),
        QT_TRANSLATE_NOOP("Engine", "%1: %2 a sample"),
        QT_TRANSLATE_NOOP("Engine",
                          "'%1' begins stage %2: %3 / %4 of the work; %5 cross in an update, and "
                          "as many bytes of gradients back; %6"),
        QT_TRANSLATE_NOOP("Engine",
                          "'%1' begins stage %2: %3 / %4 of the work; %5 cross in an update, and "
                          "as many bytes of gradients back"),
        QT_TRANSLATE_NOOP("Engine", "the devices' memory limits allow no better cut; %1"),
        QT_TRANSLATE_NOOP("Engine", "the devices' memory limits allow no better cut"),
        QT_TRANSLATE_NOOP("Engine",
                          "with '%1' as its first layer %2 / %3 and %4 x the bytes, %5 more time"),
        QT_TRANSLATE_NOOP("Engine", "with '%1' as its first layer %2 / %3 and %4 x the bytes"),
        QT_TRANSLATE_NOOP("Engine", "with '%1' as its first layer %2 / %3, %4 more time"),
        QT_TRANSLATE_NOOP("Engine", "with '%1' as its first layer %2 / %3"),
        QT_TRANSLATE_NOOP("Engine", "one device"),
        QT_TRANSLATE_NOOP("Engine", "%1 replica of %2 stage with %3 micro-batches"),
        QT_TRANSLATE_NOOP("Engine", "%1 replica of %2 stage"),
        QT_TRANSLATE_NOOP("Engine", "%1 replica of %2 stages with %3 micro-batches"),
        QT_TRANSLATE_NOOP("Engine", "%1 replica of %2 stages"),
        QT_TRANSLATE_NOOP("Engine", "%1 replicas of %2 stage with %3 micro-batches"),
        QT_TRANSLATE_NOOP("Engine", "%1 replicas of %2 stage"),
        QT_TRANSLATE_NOOP("Engine", "%1 replicas of %2 stages with %3 micro-batches"),
        QT_TRANSLATE_NOOP("Engine", "%1 replicas of %2 stages"),
        QT_TRANSLATE_NOOP("Engine", "arm %1"),
        QT_TRANSLATE_NOOP("Engine", "the loss rose from %1 to %2 (mean of 8 updates)"),
        QT_TRANSLATE_NOOP("Engine",
                          "from one update to the next the loss moves by %1 % of its mean, %2, and "
                          "it began with %3"),
        QT_TRANSLATE_NOOP("Engine", "Lower the learning rate, or let it warm up"),
        QT_TRANSLATE_NOOP("Engine", "the gradient's norm grew %1 times, from %2 to %3 (medians)"),
        QT_TRANSLATE_NOOP("Engine", "Lower the learning rate"),
        QT_TRANSLATE_NOOP("Engine", "Clip the gradients by their norm"),
        QT_TRANSLATE_NOOP("Engine", "the device waited for data %1 % of %2 seconds; %3"),
        QT_TRANSLATE_NOOP("Engine", "Give the stage 'map' more threads, or augment less"),
        QT_TRANSLATE_NOOP("Engine", "Cache the samples, or put them on a faster disk"),
        QT_TRANSLATE_NOOP("Engine", "Prepare more batches ahead"),
        QT_TRANSLATE_NOOP("Engine",
                          "from epoch %1 on: val_loss rose from %2 in epoch %3 to %4 in epoch %5, "
                          "while the training loss fell from %6 to %7"),
        QT_TRANSLATE_NOOP(
            "Engine",
            "Stop at the best epoch, or use Dropout, augmentation, weight decay or more data"),
        QT_TRANSLATE_NOOP("Engine",
                          "the training loss was %1 at best up to epoch %2, and %3 at best in the "
                          "%4 epochs since"),
        QT_TRANSLATE_NOOP("Engine",
                          "Lower the learning rate, or end here; a larger model may learn more"),
        QT_TRANSLATE_NOOP("Engine", "its gradient's norm is %1, that of '%2' %3: %4 times smaller"),
        QT_TRANSLATE_NOOP("Engine", "its gradient's norm is %1, that of '%2' %3"),
        QT_TRANSLATE_NOOP("Engine",
                          "Use relu in place of sigmoid or tanh, normalize between the layers, or "
                          "let inputs skip layers"),
        QT_TRANSLATE_NOOP("Engine",
                          "%1 of %2 units gave 0 for all of %3 samples, %4 times in a row"),
        QT_TRANSLATE_NOOP("Engine",
                          "Lower the learning rate, or use leaky_relu or elu in place of relu"),
        QT_TRANSLATE_NOOP("Engine", "the device waits for data %1 % of the time"),
        QT_TRANSLATE_NOOP("Engine", "the device is at its limit"),
        QT_TRANSLATE_NOOP("Engine", "no stage is at its limit"),
        QT_TRANSLATE_NOOP("Engine", "%1 is at its limit: %2 samples/s on %3 threads"),
        QT_TRANSLATE_NOOP("Engine", "%1 is at its limit: %2 samples/s on %3 thread"),
        QT_TRANSLATE_NOOP("Engine", "Training data: %1; %2"),
        QT_TRANSLATE_NOOP("Engine", "%1 images %2 x %3, %4 classes"),
        QT_TRANSLATE_NOOP("Engine", "%1 train, %2 validation, %3 test"),
        QT_TRANSLATE_NOOP(
            "Engine",
            "There are no validation data: the best checkpoint is the one with the lowest loss"),
        QT_TRANSLATE_NOOP("Engine", "The samples are held in memory without a cache, too"),
        QT_TRANSLATE_NOOP("Engine", "Going on from %1"),
        QT_TRANSLATE_NOOP("Engine", "Planned: %1"),
        QT_TRANSLATE_NOOP("Engine",
                          "Stopped after epoch %1: %2 was best in epoch %3 (%4) and did not beat "
                          "the baseline %5"),
        QT_TRANSLATE_NOOP("Engine", "Stopped after epoch %1: %2 was best in epoch %3 (%4)"),
        QT_TRANSLATE_NOOP("Engine", "Stopped after epoch %1: %2 was never a number"),
        QT_TRANSLATE_NOOP("Engine", "The weights of epoch %1 are the best and were put back: %2"),
        QT_TRANSLATE_NOOP(
            "Engine", "The weights of epoch %1 are the best, but are lost: nothing was put back"),
        QT_TRANSLATE_NOOP("Engine",
                          "The weights of epoch %1 are the best and are what is tested, but %2 "
                          "could not be written"),
        QT_TRANSLATE_NOOP("Engine",
                          "The weights of epoch %1, which early stopping would put back, are lost: "
                          "%2. Those of a better epoch will be, if one comes"),
        QT_TRANSLATE_NOOP("Engine",
                          "The data are not those that the run was made with: as many samples, "
                          "with other content. It goes on with those of now"),
        QT_TRANSLATE_NOOP("Engine",
                          "%1 steps in a row were skipped and nothing was learnt: gradients "
                          "overflow float16 at the fixed loss scale %2, first in %3. Set "
                          "training.loss_scale to \"dynamic\", or to a smaller number"),
        QT_TRANSLATE_NOOP("Engine",
                          "%1 steps in a row were skipped and nothing was learnt: gradients "
                          "overflow float16 at the fixed loss scale %2. Set training.loss_scale to "
                          "\"dynamic\", or to a smaller number"),
        QT_TRANSLATE_NOOP("Engine",
                          "This run does not clip its gradients, so there is no limit to change"),
        QT_TRANSLATE_NOOP("Engine", "The last update was not saved: %1"),
        QT_TRANSLATE_NOOP("Engine", "Not changed: %1"),
        QT_TRANSLATE_NOOP("Engine",
                          "The cache stands behind map, so that each sample has the same "
                          "augmentation in all epochs; put it first to have another one in each"),
        QT_TRANSLATE_NOOP("Engine", "The class '%1' has no sample"),
        QT_TRANSLATE_NOOP("Engine",
                          "The classes are unequal: '%1' has %2 times as many samples as '%3'"),
        QT_TRANSLATE_NOOP("Engine", "The samples are %1, the model's input is %2"),
        QT_TRANSLATE_NOOP("Engine",
                          "The values reach far above 1 and the model does not scale them: put a "
                          "Rescaling layer behind the input"),
        QT_TRANSLATE_NOOP("Engine", "%1 files are left out: %2"),
        QT_TRANSLATE_NOOP("Engine", "%1 file is left out: %2"),
        QT_TRANSLATE_NOOP("Engine", "no training data are chosen"),
        QT_TRANSLATE_NOOP("Engine", "Choose a data set, for example Fashion-MNIST"),
        QT_TRANSLATE_NOOP("Engine", "the data set %1 is not installed (there is no %2)"),
        QT_TRANSLATE_NOOP("Engine", "Install the package %1: %2"),
        QT_TRANSLATE_NOOP("Engine", "there is no data set '%1'"),
        QT_TRANSLATE_NOOP("Engine", "the data have samples of shape %1, layer '%2' takes %3"),
        QT_TRANSLATE_NOOP("Engine", "Set the input layer's shape to %1"),
        QT_TRANSLATE_NOOP("Engine", "the data have samples of shape %1, the model's input is %2"),
        QT_TRANSLATE_NOOP("Engine", "Choose data of the model's shape"),
        QT_TRANSLATE_NOOP("Engine",
                          "an epoch has no batch: there are fewer training samples than "
                          "batch_size, and drop_remainder is set"),
        QT_TRANSLATE_NOOP("Engine", "Use a smaller batch, or leave drop_remainder off"),
        QT_TRANSLATE_NOOP("Engine", "Check its path"),
        QT_TRANSLATE_NOOP("Engine", "must be at least 0 and below 1"),
        QT_TRANSLATE_NOOP("Engine", "leaves no sample for %1 of the %2 that there are"),
        QT_TRANSLATE_NOOP("Engine", "Set it to 0, or take more data"),
        QT_TRANSLATE_NOOP("Engine", "the samples take %1, %2 of memory are free"),
        QT_TRANSLATE_NOOP("Engine", "holds no JPEG or PNG image that can be read"),
        QT_TRANSLATE_NOOP("Engine", "Choose a folder with one subfolder of images a class"),
        QT_TRANSLATE_NOOP("Engine", "the model has no layers"),
        QT_TRANSLATE_NOOP("Engine", "Add an InputLayer first"),
        QT_TRANSLATE_NOOP("Engine", "the model has no InputLayer"),
        QT_TRANSLATE_NOOP("Engine", "Put an InputLayer at its start"),
        QT_TRANSLATE_NOOP("Engine", "takes one input, found %1"),
        QT_TRANSLATE_NOOP("Engine", "needs two inputs or more, found %1"),
        QT_TRANSLATE_NOOP("Engine", "%1 takes %2 input, it has %3"),
        QT_TRANSLATE_NOOP("Engine", "%1 takes %2 inputs, it has %3"),
        QT_TRANSLATE_NOOP("Engine", "Connect a layer to it"),
        QT_TRANSLATE_NOOP("Engine", "Connect another layer to it"),
        QT_TRANSLATE_NOOP("Engine", "Connect the layers that it should read"),
        QT_TRANSLATE_NOOP("Engine", "Join the inputs with Add or Concatenate first"),
        QT_TRANSLATE_NOOP("Engine", "needs an image (height, width, channels), got %1"),
        QT_TRANSLATE_NOOP("Engine", "Insert it before Flatten, or make an image with Reshape"),
        QT_TRANSLATE_NOOP("Engine", "Give it the right number of axes with Reshape"),
        QT_TRANSLATE_NOOP("Engine", "the inputs %1 and %2 differ in more than the joined axis %3"),
        QT_TRANSLATE_NOOP("Engine", "Make the other axes equal, or join along another axis"),
        QT_TRANSLATE_NOOP("Engine", "its input comes from itself"),
        QT_TRANSLATE_NOOP("Engine", "Remove one connection of the cycle"),
        QT_TRANSLATE_NOOP("Engine", "Remove the connection into it"),
        QT_TRANSLATE_NOOP("Engine", "takes no input"),
        QT_TRANSLATE_NOOP("Engine", "has no axis"),
        QT_TRANSLATE_NOOP("Engine", "Give the size of one sample, such as (28, 28, 1)"),
        QT_TRANSLATE_NOOP("Engine", "%1 does not fit into the %2 input"),
        QT_TRANSLATE_NOOP("Engine", "Use padding same or a smaller %1"),
        QT_TRANSLATE_NOOP("Engine", "%1 holds %2 values, the input %3 has %4"),
        QT_TRANSLATE_NOOP("Engine", "Choose sizes whose product is %1"),
        QT_TRANSLATE_NOOP("Engine", "needs one number a class, (classes,), but the model gives %1"),
        QT_TRANSLATE_NOOP("Engine",
                          "End the model with Flatten or GlobalAveragePooling2D and a Dense layer "
                          "with a unit a class"),
        QT_TRANSLATE_NOOP("Engine", "needs two classes or more, but the model gives %1"),
        QT_TRANSLATE_NOOP("Engine",
                          "Give the last layer a unit a class, or use binary_crossentropy"),
        QT_TRANSLATE_NOOP("Engine", "two layers have the name '%1'"),
        QT_TRANSLATE_NOOP("Engine", "Give each layer a name of its own"),
        QT_TRANSLATE_NOOP(
            "Engine", "the data have values as targets, and the loss compares with class numbers"),
        QT_TRANSLATE_NOOP("Engine",
                          "Choose a loss for values (mean_squared_error), or data with labels"),
        QT_TRANSLATE_NOOP("Engine", "must be %1, found %2"),
        QT_TRANSLATE_NOOP("Engine", "a whole number"),
        QT_TRANSLATE_NOOP("Engine", "a number"),
        QT_TRANSLATE_NOOP("Engine", "at least %1 and at most %2"),
        QT_TRANSLATE_NOOP("Engine", "at least %1 and below %2"),
        QT_TRANSLATE_NOOP("Engine", "above %1 and at most %2"),
        QT_TRANSLATE_NOOP("Engine", "above %1 and below %2"),
        QT_TRANSLATE_NOOP("Engine", "above %1"),
        QT_TRANSLATE_NOOP("Engine", "at least %1"),
        QT_TRANSLATE_NOOP("Engine", "at most %1"),
        QT_TRANSLATE_NOOP("Engine", "must be a finite number"),
        QT_TRANSLATE_NOOP("Engine", "The default is %1"),
        QT_TRANSLATE_NOOP("Engine", "It may also stay unset"),
        QT_TRANSLATE_NOOP("Engine", "'%1' is not one of its choices"),
        QT_TRANSLATE_NOOP("Engine", "Choose one of %1"),
        QT_TRANSLATE_NOOP("Engine", "Did you mean '%1'?"),
        QT_TRANSLATE_NOOP("Engine", "must be at least 1"),
        QT_TRANSLATE_NOOP("Engine", "64 is a usual value"),
        QT_TRANSLATE_NOOP("Engine", "this run has no value '%1'"),
        QT_TRANSLATE_NOOP("Engine", "It will have: %1"),
        QT_TRANSLATE_NOOP("Engine",
                          "the loss or its gradient is no longer a finite number at update %1"),
        QT_TRANSLATE_NOOP("Engine", "there is not enough memory"),
        QT_TRANSLATE_NOOP("Engine", "Use a smaller batch or close other programs"),
        QT_TRANSLATE_NOOP("Engine", "another run is writing into this directory"),
        QT_TRANSLATE_NOOP("Engine", "Wait for its end, or choose another directory"),
        QT_TRANSLATE_NOOP("Engine", "%1 steps in a row overflowed float16 at the fixed loss scale"),
        QT_TRANSLATE_NOOP("Engine", "gradients overflow float16 even without a loss scale"),
        QT_TRANSLATE_NOOP("Engine", "the plan needs %1; %2"),
        QT_TRANSLATE_NOOP("Engine", "layer '%1'"),
        QT_TRANSLATE_NOOP("Engine", "layer '%1', %2"),
    };
    return all;
}
// NOLINTEND(readability-function-size,bugprone-suspicious-missing-comma)

const std::vector<const char*>& summaryWords() {
    static const std::vector<const char*> all{
        QT_TRANSLATE_NOOP("Summary", "%1 units"),       QT_TRANSLATE_NOOP("Summary", "%1 unit"),
        QT_TRANSLATE_NOOP("Summary", "%1 filters"),     QT_TRANSLATE_NOOP("Summary", "%1 filter"),
        QT_TRANSLATE_NOOP("Summary", "rate %1"),        QT_TRANSLATE_NOOP("Summary", "stride %1"),
        QT_TRANSLATE_NOOP("Summary", "axis %1"),        QT_TRANSLATE_NOOP("Summary", "%1 to %2"),
        QT_TRANSLATE_NOOP("Summary", "left and right"), QT_TRANSLATE_NOOP("Summary", "up and down"),
        QT_TRANSLATE_NOOP("Summary", "both ways"),
    };
    return all;
}

}  // namespace strata::ui
