// What the Random... layers have in common: how factors are read, and forward and backward passes.
// Also what the data pipeline's stage "map" asks: which layers it takes, and their op.
#pragma once

#include <string>
#include <string_view>

#include "engine/layers/layer.h"

namespace strata::layers {

// The layer of that type or alias. Throws Error{not_found} for all that is no image augmentation.
const LayerDescription& find_augmentation(std::string_view type);
// Config::checked and the checks that infer makes of single keys. Throws Error, where = the key.
Config checked_augmentation(const LayerDescription& layer, const Json& given);
// own_stream: of the random numbers, where the layer has no seed of its own.
ops::AugmentImages augment_op(const LayerDescription& layer, const Config& config,
                              std::uint32_t own_stream);

// ---- for the five layers' files

// op_of gives the op without its stream. Throws Error, where = the key.
using AugmentOp = ops::AugmentImages (*)(const Config&);
LayerDescription augmentation_layer(LayerSpec spec, AugmentOp op_of,
                                    std::vector<LayerExample> examples,
                                    std::function<std::string(const Config&)> summary);

// A number f is -f to f, a list of two its bounds in any order. Throws where it is neither.
ops::Range factor_range(const Config& config, const char* key);
// "± 0.1" or "−0.2 to 0.3"; percent and degrees by `scale` and `unit`.
std::string factor_text(const Config& config, const char* key, double scale, const char* unit);
ParamSpec factor_param(const char* key, const char* doc, double minimum, double maximum);
std::vector<ParamSpec> sampling_params();  // fill_mode, interpolation, fill_value
void set_sampling(const Config& config, ops::AugmentImages& op);
ParamSpec seed_param();

}  // namespace strata::layers
