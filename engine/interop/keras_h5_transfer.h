// A KerasFile as bytes, from the child that read it to the program. Not a file format.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "engine/interop/keras_h5.h"

namespace strata::interop {

// Hands the bytes to `send` part by part.
void encode_keras_file(const KerasFile& file, const std::function<void(std::string_view)>& send);

// Throws Error{format} unless `bytes` are one whole KerasFile. where: the file in messages.
KerasFile decode_keras_file(std::span<const char> bytes, const std::string& where);

// Read in this process; called in the child. Defined in keras_h5_reader.cpp.
KerasFile parse_keras_h5(const std::string& path);
Json parse_training_state(const std::string& path);

}  // namespace strata::interop
