// Names of groups and attributes that the .h5 reader and writer share.
#pragma once

namespace strata::interop::h5 {

inline constexpr const char* model_config = "model_config";
inline constexpr const char* training_config = "training_config";
inline constexpr const char* model_weights = "model_weights";
inline constexpr const char* optimizer_weights = "optimizer_weights";
inline constexpr const char* top_level = "top_level_model_weights";
inline constexpr const char* layer_names = "layer_names";
inline constexpr const char* weight_names = "weight_names";
inline constexpr const char* average = "average";  // a slot: the moving average of a weight
inline constexpr const char* keras_version = "keras_version";
inline constexpr const char* backend = "backend";

// Our own group: attributes with JSON texts.
inline constexpr const char* own_group = "strata";
inline constexpr const char* own_version = "version";
inline constexpr const char* own_model = "model";           // the project's model section
inline constexpr const char* own_state = "training_state";  // KerasFile::training_state
inline constexpr const char* own_checksums = "checksums";   // {dataset's path or "@attribute": crc}
inline constexpr int version = 1;

}  // namespace strata::interop::h5
