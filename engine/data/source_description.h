// Sources: one description each, from which checks, forms and documentation are made.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/data/source.h"
#include "engine/layers/spec.h"

namespace strata::data {

struct OpenOptions {
    std::string where;  // the project's key, for faults that no file has
    bool cache = true;
};

struct SourceDescription {
    std::string type;   // in projects: "npz"
    std::string title;  // "NumPy archive"
    std::string doc;
    std::vector<layers::ParamSpec> params;
    // What the parameters must keep beyond their own limits; throws Error with where = the key.
    // May be empty.
    std::function<void(const layers::Config&)> check = {};
    // The paths in the configuration are absolute.
    std::function<std::shared_ptr<Source>(const layers::Config&, const OpenOptions&)> open;
};

// In the order of a menu.
const std::vector<const SourceDescription*>& catalogue();
// nullptr where there is no such type.
const SourceDescription* find_source(const std::string& type);

bool is_path(const layers::ParamSpec& param);

// The parts that several descriptions share.
layers::ParamSpec path_param(const char* key, layers::ParamType kind, const char* doc,
                             bool optional = false);
layers::ParamSpec seed_param();

}  // namespace strata::data
