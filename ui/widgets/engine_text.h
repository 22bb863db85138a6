// What the engine says in English, in the studio's language: by a catalogue of its sentences, whose
// changing parts are %1, %2, ... . What the catalogue does not know stays as it is.
#pragma once

#include <QString>
#include <string>
#include <vector>

namespace strata::ui {

QString engineText(const std::string& english);
bool isTranslated(const std::string& english);  // whether engineText() says it otherwise
// A hint of the engine in English, without the terminal's commands and options that it names:
// "It can go on with: 4 processes" of "It can go on with: mpirun -np 4".
QString studioText(const QString& english);
// A layer's short form, part by part: "128 units · relu".
QString summaryText(const std::string& english);
// The name of a parameter, loss or metric: "learning rate" of "learning_rate".
QString nameText(const std::string& key);

// The sentences of the catalogue, for tests.
const std::vector<const char*>& engineSentences();
const std::vector<const char*>& runSentences();
const std::vector<const char*>& logSentences();
const std::vector<const char*>& countWords();  // "%1 devices": of a number
const std::vector<const char*>& summaryWords();
struct StudioSentence {
    const char* engine;
    const char* studio;  // one of the sentences
};
const std::vector<StudioSentence>& studioSentences();

}  // namespace strata::ui
