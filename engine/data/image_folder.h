// The list of the images in a folder with one subfolder a class. Used by ImageSource.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/io/file.h"

namespace strata::data {

struct ImageFile {
    std::string name;  // below the folder: "cats/a.jpg"
    std::int32_t label = 0;
    io::FileStamp stamp;
};

struct LeftOut {
    std::string name, reason;
};

struct ImageFolder {
    std::vector<std::string> classes;  // the subfolders, sorted by name
    std::vector<ImageFile> files;      // by class, then by name
    std::vector<LeftOut> left_out;
};

// Looks at the head and the end of each file; decodes only those that do not end as an image does.
// Files whose names do not end in .jpg, .jpeg, .jpe or .png, and hidden ones, are passed over.
// Throws Error: not_found, io; invalid_argument where there is no subfolder.
ImageFolder list_images(const std::filesystem::path& folder);

// "cats/a.jpg (is cut off), ... and 12 more"
std::string names_of(const std::vector<LeftOut>& files);

}  // namespace strata::data
