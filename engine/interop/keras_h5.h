// Keras's legacy whole-model .h5 files: writing ours, reading ours and Keras's. FORMATS.md
// section 1.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/graph/model.h"

namespace strata::interop {

// What a file holds.
struct KerasFile {
    graph::Model model;
    std::vector<graph::HostTensor> weights;
    std::vector<graph::HostTensor> optimizer;  // slots; empty where the file has none
    // {"optimizer": {"type","config"}, "loss": ..., "metrics": [...]} in our names; with averages
    // of the weights (slot "average") also "ema": {"momentum": ...}. null where uncompiled.
    Json compile = Json();
    // Our own group "strata": "training_state" JSON (epoch, update, seed, best, project...), null
    // in foreign files.
    Json training_state = Json();
};

// Writes a file that Keras 3 loads with keras.models.load_model. `path` is a temporary that the
// caller renames. Throws Error{io}; the first failure is latched (libhdf5 reports success on close
// after a failed write).
void write_keras_h5(const std::string& path, const KerasFile& file);

// Reads and checks, in a child process with limits on memory and time: a damaged file may end the
// child, never the program. Throws Error{format} with file and object; Lambda and unknown layers
// are refused by name, hostile files (external storage, links, huge objects, unknown filters)
// before anything is read.
KerasFile read_keras_h5(const std::string& path);

// Only the training state, null where the file has none: quick, and checks nothing else.
Json read_training_state(const std::string& path);

// read_keras_h5() for its errors alone: takes little memory.
void check_keras_h5(const std::string& path);

// The same checks in this process, of a file that it has just written. Throws as above.
void verify_keras_h5(const std::string& path);

}  // namespace strata::interop
