// From a model to programs whose values have addresses: training, evaluation and prediction for one
// batch size.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/device/arena.h"
#include "engine/graph/model.h"
#include "engine/losses/loss.h"
#include "engine/metrics/metric.h"
#include "engine/ops/op.h"
#include "engine/optimizers/optimizer.h"

namespace strata::graph {

// What training adds to a model. Pointers are to catalogue entries and never null in training.
struct TrainingSetup {
    const losses::LossDescription* loss = nullptr;
    std::vector<const metrics::MetricDescription*> metrics;
    const optimizers::OptimizerDescription* optimizer = nullptr;
    layers::Config optimizer_config;
    std::string precision = "float32";  // policy of the layers that have none of their own
    ops::ClipKind clip = ops::ClipKind::none;
    bool clip_by_variable = false;  // clipnorm; clip is none then
    // Several micro-batches make an update: their gradients are summed.
    bool accumulates = false;
    // Moving averages of batch statistics follow a window's once an update, not each micro-batch's
    // as it comes. What is normalised by is a micro-batch's own either way.
    bool deferred_statistics = false;
    std::optional<float> ema_momentum;  // of the moving average of the weights; unset: none
};

// train: forward and backward of a micro-batch. update: clipping, the optimizer and what follows
// from new weights. refresh: the latter alone. probe: forward with the outputs of rectifying layers
// kept for the reader. The last three but probe have no batch.
enum class Mode : std::uint8_t { train, evaluate, predict, update, refresh, probe };
inline constexpr std::int64_t no_batch = 0;

inline constexpr const char* average_slot = "average";  // of the weights, by exponential decay

// The state that outlives a pass: every variable's place in the flat arrays. The same for all modes
// and batch sizes.
struct VariablePlace {
    std::string layer, role;
    layers::VariableSpec spec;
    std::size_t offset =
        0;  // bytes into the weights; for trainable ones also into gradients and each slot
    // The model's layers of this device that compute with it; several where it is shared.
    std::vector<std::size_t> readers = {};
    // Layers of other devices do too: each keeps a copy, whose gradient is a part of the whole.
    bool elsewhere = false;
    // Its owner stands on another device, which counts it in norms and in what is saved.
    bool copied = false;

    // More than one backward pass makes its gradient.
    bool shared() const { return elsewhere || readers.size() > 1; }
};

// Whether several of the device's stages make its gradient. stages: of each of the model's layers.
bool is_made_by_several(const VariablePlace& place, const std::vector<int>& stages);

struct StateLayout {
    std::vector<VariablePlace>
        variables;                    // layer by layer in the model's order, in each in file order
    std::size_t counted_bytes = 0;    // first come the trainable ones that are no copies,
    std::size_t trainable_bytes = 0;  // then those that are, then the others
    std::size_t weight_bytes = 0;
    std::vector<std::string>
        slots;  // the optimizer's, then the average, each slot_bytes() long, one after the other
    // Of which elements of the trainable array this state's optimizer keeps slots and makes the
    // update, in the slots' order; unset: of all.
    std::optional<std::vector<ops::Segment>> owned;

    std::size_t slot_bytes() const;
};

// Elements of the trainable array, and where a slot has theirs.
struct OwnedPart {
    std::size_t begin = 0, end = 0, in_slot = 0;
    std::size_t size() const { return end - begin; }
};
// What the state owns between two elements of the trainable array.
std::vector<OwnedPart> owned_parts(const StateLayout& state, std::size_t begin, std::size_t end);
std::vector<OwnedPart> owned_parts(const StateLayout& state);

// of: which of the model's layers; null: all. What they share with others is there too.
StateLayout lay_out_state(const Model& model, const ModelReport& report, const TrainingSetup* setup,
                          const std::vector<bool>* of = nullptr);

// A part of a model, which one device runs by a program of its own.
struct StageCut {
    std::vector<int>
        stage;  // of each of the model's layers; those that a stage reads have lower ones
    int own = 0;
    // Of each layer that stands in another stage and is read here: the type of its output.
    std::vector<DType> output_types;
};

// A tensor that a stage gets from another or hands over to it.
struct Port {
    int layer = 0;  // whose output it is, or the gradient of whose output
    int stage = 0;  // the other one
    ops::ValueId value = ops::no_value;
};

// A program and the places of its values: category and byte offset into the arena.
struct Plan {
    Mode mode = Mode::predict;
    std::int64_t batch = 0;
    ops::Program program;
    std::vector<std::size_t>
        offsets;  // of each value in its category's part (of its root, plus the view's offset)
    device::MemoryBudget budget;  // what this plan needs, without kernels' scratch
    ops::ValueId input = ops::no_value, targets = ops::no_value, output = ops::no_value;
    ops::ValueId loss = ops::no_value,
                 gradient_norm = ops::no_value;  // float64 scalars; norm: sum of squares
    // float64: loss, metrics and norm side by side; where gradients are accumulated, the window's
    // loss and metrics behind them. At the same place in all plans of an arena.
    ops::ValueId results = ops::no_value;
    std::size_t window = 0;  // where in the results the window's loss is
    // Where the state owns a share only: the sums of its parts, float64 (parts), which the first
    // ops make; whoever runs the program puts the sum over all shares into gradient_norm.
    ops::ValueId squares = ops::no_value;
    std::size_t norm_ops = 0, refresh_begin = 0;  // of the update
    std::vector<std::size_t> update_ends;         // behind the ops that update each owned part
    std::vector<ops::ValueId> metrics;            // float64 scalars
    std::size_t backward_begin = 0;               // the first op of the backward pass; train only
    std::vector<std::pair<std::string, ops::ValueId>> probes;  // layer, its output; probe only
    // Of a stage. Outputs go forward, one for each layer and stage that reads it; their gradients
    // come back, summed over the layers of that stage.
    std::vector<Port> received, sent, received_gradients, sent_gradients;
    std::vector<std::string>
        fusions;  // in words: "hidden: bias and relu inside the matrix product"
};

// The values that are read after the plan's program has run: outputs, and what a stage sends.
std::vector<ops::ValueId> results_of(const Plan& plan);

// setup may be null for Mode::predict. input_dtype: float32 or uint8, as the data come. cut: plan a
// stage alone; state may then hold the variables of its device only.
Plan make_plan(const Model& model, const ModelReport& report, const StateLayout& state,
               const TrainingSetup* setup, Mode mode, std::int64_t batch, DType input_dtype,
               const StageCut* cut = nullptr);

}  // namespace strata::graph
