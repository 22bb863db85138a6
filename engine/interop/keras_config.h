// A model and its training set-up as the JSON of Keras's .h5 files (FORMATS.md section 1), both
// ways. Used by the .h5 reader and writer.
#pragma once

#include <string>
#include <vector>

#include "engine/graph/model.h"

namespace strata::interop {

// The layers' indices in the order in which Keras itself lists the layers of this graph: by depth
// from the output, then as a walk from the output meets them. Keras matches weights by it.
// Throws where the model is not valid.
std::vector<int> keras_order(const graph::Model& model);

// A name for each layer (in the model's order) that Keras and HDF5 accept; mostly its own.
std::vector<std::string> keras_names(const graph::Model& model);

// {"class_name": "Functional", "config": ...} in Keras 3's form, which Keras 3 loads.
Json keras_model_config(const graph::Model& model);

// Sequential, Functional and "Model" of Keras 2 and 3. Throws Error{unsupported, format} naming the
// layer; Lambda and unknown layers are refused by name.
graph::Model model_from_keras(const Json& config);

// compile: KerasFile::compile. The result is Keras's training_config.
Json keras_training_config(const Json& compile);

// What of Keras's training_config the program knows; the rest is left out. Null where nothing is.
Json compile_from_keras(const Json& training_config);

}  // namespace strata::interop
