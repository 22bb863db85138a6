// What is typed into a parameter's field reaches the project as the kind of value that it is.
#include "ui/widgets/param_form.h"

#include <gtest/gtest.h>

#include <QLineEdit>

#include "tests/ui/support/ui_environment.h"

namespace strata::ui {
namespace {

using layers::ParamSpec;
using layers::ParamType;

class ParamFormTest : public testing::Test {
protected:
    Json typed(ParamType type, const QString& text) {
        ParamForm form;
        const ParamSpec param{
            .key = "key", .type = type, .default_value = nullptr, .doc = "A key", .optional = true};
        form.setParams({param}, Json{{"key", nullptr}});
        Json given = "nothing was given";
        QObject::connect(&form, &ParamForm::edited,
                         [&](const QString&, const Json& value) { given = value; });
        auto* field = qobject_cast<QLineEdit*>(form.editor("key"));
        field->setText(text);
        field->setModified(true);
        Q_EMIT field->editingFinished();
        return given;
    }
};

TEST_F(ParamFormTest, ATextIsGivenAsItIs) {
    for (const ParamType type : {ParamType::text, ParamType::file, ParamType::folder})
        for (const char* text : {"1e3", "true", "a,b", "12", "{\"a\": 1}", "null", " x ",
                                 "/a, b/c.npz", "ছবি/১২", "[1]"})
            EXPECT_EQ(typed(type, text), Json(text)) << text;
    EXPECT_TRUE(typed(ParamType::file, "").is_null());
}

TEST_F(ParamFormTest, NumbersAndListsAreNoTexts) {
    EXPECT_EQ(typed(ParamType::number, "1e3"), Json(1000.0));
    EXPECT_EQ(typed(ParamType::number, "১.৫"), Json(1.5));
    EXPECT_EQ(typed(ParamType::pair, "3, 4"), Json({3, 4}));
    EXPECT_EQ(typed(ParamType::shape, "28"), Json::array({28}));
    EXPECT_EQ(typed(ParamType::number, "quick"), Json("quick"));
}

}  // namespace
}  // namespace strata::ui
