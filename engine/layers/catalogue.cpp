#include "engine/layers/catalogue.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/layers/activation.h"
#include "engine/layers/add.h"
#include "engine/layers/average_pooling2d.h"
#include "engine/layers/batch_normalization.h"
#include "engine/layers/concatenate.h"
#include "engine/layers/conv2d.h"
#include "engine/layers/dense.h"
#include "engine/layers/dropout.h"
#include "engine/layers/flatten.h"
#include "engine/layers/global_average_pooling2d.h"
#include "engine/layers/input_layer.h"
#include "engine/layers/max_pooling2d.h"
#include "engine/layers/names.h"
#include "engine/layers/random_contrast.h"
#include "engine/layers/random_flip.h"
#include "engine/layers/random_rotation.h"
#include "engine/layers/random_translation.h"
#include "engine/layers/random_zoom.h"
#include "engine/layers/rescaling.h"
#include "engine/layers/reshape.h"

namespace strata::layers {

const std::vector<const LayerDescription*>& catalogue() {
    static const std::vector<const LayerDescription*> all{
        &input_layer(),
        &rescaling(),
        &random_flip(),
        &random_translation(),
        &random_rotation(),
        &random_zoom(),
        &random_contrast(),
        &dense(),
        &activation(),
        &flatten(),
        &reshape(),
        &conv2d(),
        &max_pooling2d(),
        &average_pooling2d(),
        &global_average_pooling2d(),
        &batch_normalization(),
        &dropout(),
        &add(),
        &concatenate(),
    };
    return all;
}

const LayerDescription& find_layer(std::string_view type) {
    std::vector<std::string> types;
    for (const LayerDescription* layer : catalogue()) {
        const LayerSpec& spec = layer->spec;
        if (spec.type == type) return *layer;
        if (std::find(spec.aliases.begin(), spec.aliases.end(), type) != spec.aliases.end())
            return *layer;
        types.push_back(spec.type);
    }
    if (type == "Lambda")
        throw Error(ErrorCode::not_found,
                    "a Lambda layer is Python code in a file, which is not run", "type",
                    "Build its function from other layers");
    refuse_unknown_name("layer", type, "type", types);
}

}  // namespace strata::layers
