// Places of variables and optimizer slots in the flat arrays.
#include "engine/graph/plan.h"

namespace strata::graph {

StateLayout lay_out_state(const Model& model, const ModelReport& report, const TrainingSetup* setup,
                          const std::vector<bool>* of) {
    StateLayout layout;
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        for (const layers::VariableSpec& spec : report.layers[i].variables)
            if (of == nullptr || (*of)[i])
                layout.variables.push_back({model.layers[i].name, spec.role, spec, 0});
    const auto place = [&](bool trainable, std::size_t offset) {
        for (VariablePlace& variable : layout.variables) {
            if (variable.spec.trainable != trainable) continue;
            variable.offset = offset;
            offset += device::aligned(static_cast<std::size_t>(variable.spec.shape.elements()) *
                                      sizeof(float));
        }
        return offset;
    };
    layout.trainable_bytes = place(true, 0);
    layout.weight_bytes = place(false, layout.trainable_bytes);
    if (setup != nullptr && setup->optimizer != nullptr)
        layout.slots = setup->optimizer->slots(setup->optimizer_config);
    if (setup != nullptr && setup->ema_momentum) layout.slots.emplace_back(average_slot);
    return layout;
}

}  // namespace strata::graph
