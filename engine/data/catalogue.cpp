// All sources that there are, in menu order.
#include "engine/data/generators.h"
#include "engine/data/hdf5_source.h"
#include "engine/data/idx_source.h"
#include "engine/data/image_source.h"
#include "engine/data/numpy_sources.h"
#include "engine/data/source_description.h"

namespace strata::data {

const std::vector<const SourceDescription*>& catalogue() {
    static const std::vector<const SourceDescription*> all{&idx(),   &npy(),     &npz(),
                                                           &hdf5(),  &images(),  &spirals(),
                                                           &moons(), &circles(), &noisy_sine()};
    return all;
}

const SourceDescription* find_source(const std::string& type) {
    for (const SourceDescription* source : catalogue())
        if (source->type == type) return source;
    return nullptr;
}

bool is_path(const layers::ParamSpec& param) {
    return param.type == layers::ParamType::file || param.type == layers::ParamType::folder;
}

layers::ParamSpec path_param(const char* key, layers::ParamType kind, const char* doc,
                             bool optional) {
    return {.key = key, .type = kind, .default_value = nullptr, .doc = doc, .optional = optional};
}

layers::ParamSpec seed_param() {
    return {.key = "seed",
            .type = layers::ParamType::integer,
            .default_value = 1,
            .doc = "Seed of the random numbers: the same seed gives the same data",
            .minimum = 0};
}

}  // namespace strata::data
