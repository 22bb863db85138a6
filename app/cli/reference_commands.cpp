// `strata layers`: what this build offers.
#include <cstdio>

#include "app/cli/commands.h"
#include "app/cli/table.h"
#include "engine/layers/catalogue.h"

namespace strata::cli {
namespace {

int list_layers() {
    Table table({"Layer", "Category", "What it does"}, {false, false, false});
    for (const auto* layer : layers::catalogue())
        table.row({layer->spec.type, layers::name_of(layer->spec.category), layer->spec.doc});
    std::fputs(table.text().c_str(), stdout);
    std::puts("`strata layers NAME` shows a layer's parameters.");
    return exit_ok;
}

const char* type_text(layers::ParamType type) {
    switch (type) {
        case layers::ParamType::integer:
            return "integer";
        case layers::ParamType::number:
            return "number";
        case layers::ParamType::boolean:
            return "true/false";
        case layers::ParamType::choice:
            return "choice";
        case layers::ParamType::pair:
            return "two integers";
        case layers::ParamType::shape:
            return "shape";
        case layers::ParamType::number_list:
            return "number(s)";
        case layers::ParamType::text:
            return "text";
        case layers::ParamType::file:
            return "file";
        case layers::ParamType::folder:
            return "folder";
    }
    return "";
}

int show_layer(const std::string& name) {
    const layers::LayerSpec& spec = layers::find_layer(name).spec;
    std::printf("%s  (%s)\n%s\n", spec.type.c_str(), layers::name_of(spec.category),
                spec.doc.c_str());
    if (!spec.aliases.empty()) {
        std::string aliases;
        for (const std::string& alias : spec.aliases)
            aliases += (aliases.empty() ? "" : ", ") + alias;
        std::printf("Also called: %s\n", aliases.c_str());
    }
    if (spec.params.empty()) {
        std::puts("It has no parameters.");
        return exit_ok;
    }
    std::puts("");
    Table table({"Parameter", "Type", "Default", "Meaning"}, {false, false, false, false});
    for (const auto& param : spec.params)
        table.row({param.key, type_text(param.type),
                   !param.default_value.is_null() ? param.default_value.dump()
                   : param.optional               ? "unset"
                                                  : "required",
                   param.doc});
    std::fputs(table.text().c_str(), stdout);
    for (const auto& param : spec.params) {
        if (param.choices.empty()) continue;
        std::string choices;
        for (const std::string& choice : param.choices)
            choices += (choices.empty() ? "" : ", ") + choice;
        std::printf("%s: %s\n", param.key.c_str(), choices.c_str());
    }
    return exit_ok;
}

}  // namespace

void add_layers(CLI::App& app, Action& action) {
    auto name = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("layers", "Reference of the layers");
    command->add_option("NAME", *name, "A layer, for its parameters");
    command->footer("Examples:\n  strata layers\n  strata layers Conv2D");
    command->callback([name, &action] {
        action = [name] { return name->empty() ? list_layers() : show_layer(*name); };
    });
}

}  // namespace strata::cli
