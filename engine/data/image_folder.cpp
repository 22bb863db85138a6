#include "engine/data/image_folder.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <mutex>
#include <system_error>
#include <thread>

#include "engine/core/error.h"
#include "engine/io/bounded_reader.h"
#include "engine/io/image.h"

namespace strata::data {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 32;
constexpr std::size_t most_names = 5;
constexpr std::size_t files_a_thread = 64;

bool is_hidden(const fs::path& path) {
    return path.filename().string().starts_with('.');
}

bool has_image_name(const fs::path& path) {
    std::string ending = path.extension().string();
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return ending == ".jpg" || ending == ".jpeg" || ending == ".jpe" || ending == ".png";
}

// The names of the subfolders, sorted.
std::vector<std::string> subfolders_of(const fs::path& folder) {
    std::error_code error;
    std::vector<std::string> names;
    fs::directory_iterator it(folder, error);
    if (error) throw io::system_error("list the folder", folder, error.value());
    for (const fs::directory_entry& entry : it) {
        std::error_code ignored;
        if (entry.is_directory(ignored) && !is_hidden(entry.path()))
            names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    if (names.empty())
        throw Error(ErrorCode::invalid_argument, "has no subfolders", folder.string(),
                    "Put the images of each class into a folder of its own, named as the class");
    return names;
}

// Adds the images below one class's folder, sorted by name.
void add_class(const fs::path& folder, const std::string& name, std::int32_t label,
               std::vector<ImageFile>& files) {
    std::error_code error;
    const std::size_t first = files.size();
    fs::recursive_directory_iterator it(folder / name, error), end;
    for (; !error && it != end; it.increment(error)) {
        std::error_code ignored;
        if (is_hidden(it->path())) {
            it.disable_recursion_pending();
        } else if (it->is_directory(ignored)) {
            if (it.depth() + 1 >= deepest) it.disable_recursion_pending();
        } else if (has_image_name(it->path())) {
            files.push_back({it->path().lexically_relative(folder).string(), label, {}});
        }
    }
    if (error) throw io::system_error("list the folder", folder / name, error.value());
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end(),
              [](const ImageFile& a, const ImageFile& b) { return a.name < b.name; });
}

// Why the file cannot be used; empty where it can.
std::string fault_of(const fs::path& path, io::FileStamp& stamp) {
    try {
        const io::InputFile file(path);
        stamp = file.stamp();
        if (io::inspect_image(file).ends_well) return {};
        io::Image image;
        io::decode_image(io::read_file(path), 3, path.string(), image);
        return {};
    } catch (const Error& error) {
        return error.message();
    }
}

}  // namespace

ImageFolder list_images(const fs::path& folder) {
    ImageFolder list;
    list.classes = subfolders_of(folder);
    std::vector<ImageFile> all;
    for (std::size_t i = 0; i < list.classes.size(); ++i)
        add_class(folder, list.classes[i], static_cast<std::int32_t>(i), all);
    std::vector<std::string> faults(all.size());
    std::atomic<std::size_t> next{0};
    const auto look = [&] {
        for (std::size_t i = next++; i < all.size(); i = next++)
            faults[i] = fault_of(folder / all[i].name, all[i].stamp);
    };
    const std::size_t most = std::clamp(std::thread::hardware_concurrency(), 1U, 16U);
    std::vector<std::thread> threads;
    const std::size_t wanted = std::min(most - 1, all.size() / files_a_thread);
    threads.reserve(wanted);
    try {
        while (threads.size() < wanted) threads.emplace_back(look);
    } catch (const std::system_error&) {
    }  // the system gives no more of them
    look();
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (faults[i].empty())
            list.files.push_back(std::move(all[i]));
        else
            list.left_out.push_back({std::move(all[i].name), std::move(faults[i])});
    }
    return list;
}

std::string names_of(const std::vector<LeftOut>& files) {
    std::string text;
    for (std::size_t i = 0; i < std::min(files.size(), most_names); ++i)
        text += (i == 0 ? "" : ", ") + files[i].name + " (" + files[i].reason + ")";
    if (files.size() > most_names)
        text += " and " + std::to_string(files.size() - most_names) + " more";
    return text;
}

}  // namespace strata::data
