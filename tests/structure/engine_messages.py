"""Checks that the studio can say what placement and runs tell: each message of engine/parallel and engine/train is a
sentence of the studio's catalogue, which its tests hold to have a Bengali form.

Usage: engine_messages.py SOURCE_TREE. Prints one line a message that no sentence fits and exits 1 where there is any.
"""

import itertools
import re
import sys
from pathlib import Path

ROOMS = ("engine/parallel", "engine/train", "engine/graph/shared_variables.cpp", "ui/bridge")
CATALOGUE = ("ui/widgets/engine_sentences.cpp", "ui/widgets/run_sentences.cpp", "ui/widgets/counted_words.cpp")
# What only the terminal tells: assignments of --set, names of templates, lines between processes.
TERMINAL = {"overrides.cpp", "templates.cpp", "event_reader.cpp"}
# Calls whose arguments are told: the number of the message's, and of the hint's.
COUNTED = re.compile(r"\bcounted\(")
CALLS = {
    r"\bError\s*(?:\w+\s*)?[({]\s*(?=ErrorCode::)": (1, 3),
    r"\breturn\s*\{\s*(?=ErrorCode::)": (1, 3),
    r"(?<!void )\brefuse\(": (0, 2),
    r"(?<!Error )\bwrong\(": (1, 2),
    r"\breport_?\.(?:warn|say)\(": (0, None),
    r"\bwarnings = \{": (0, None),
}
# What some calls give.
SAID = {
    "in_quotes(": ["'7'"],
    "of_processes(": [" of 7", ""],
    "device::name_of(": ["weights", "optimizer", "gradients", "activations", "workspace", "input"],
}
ASSIGNED = re.compile(r"\bwarning\.text = ")
NAMED = r"\bstd::string %s = "
TOKEN = re.compile(r'R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|//[^\n]*', re.S)
LITERAL = re.compile(r'R"\((?P<raw>(?:.|\n)*?)\)"|"(?P<text>(?:\\.|[^"\\])*)"', re.S)


def without_comments(text):
    return TOKEN.sub(lambda m: "" if m.group().startswith("//") else m.group(), text)


def split(text, at, separator=","):
    """The parts of text from `at` to the bracket that closes it, and where that is (or the end)."""
    parts, begin, depth = [], at, 0
    while at < len(text):
        token = TOKEN.match(text, at)
        if token:
            at = token.end()
            continue
        letter = text[at]
        if letter in ")]}":
            if depth == 0:
                break
            depth -= 1
        elif letter in "([{":
            depth += 1
        elif text.startswith("::", at):
            at += 1
        elif depth == 0 and letter == separator:
            parts.append(text[begin:at].strip())
            begin = at + 1
        at += 1
    parts.append(text[begin:at].strip())
    return parts, at


def is_all_literal(text):
    return text != "" and not LITERAL.sub("", text).strip()


def literal(text):
    return "".join(
        m["raw"] if m["raw"] is not None else re.sub(r"\\(.)", r"\1", m["text"]) for m in LITERAL.finditer(text)
    )


def forms(expression, source=""):
    """What an expression in `source` may say; what is only known when it runs stands as 7."""
    expression = expression.strip()
    for call, words in SAID.items():
        if expression.startswith(call):
            return words
    named = list(re.finditer(NAMED % expression, source)) if expression.isidentifier() else []
    if len(named) == 1:
        return forms(split(source, named[0].end(), ";")[0][0])
    inner = re.fullmatch(r"(?:std::string|std::move)?\((.*)\)", expression, re.S)
    if inner and split(inner[1], 0)[1] == len(inner[1]):
        return forms(inner[1], source)
    if is_all_literal(expression):
        return [literal(expression)]
    choice, end = split(expression, 0, "?")
    if len(choice) == 2 and end == len(expression):
        either, _ = split(choice[1], 0, ":")
        return [form for part in either for form in forms(part, source)] if len(either) == 2 else ["7"]
    terms, _ = split(expression, 0, "+")
    if len(terms) == 1:
        return ["7"]
    return ["".join(parts) for parts in itertools.product(*(forms(term, source) for term in terms))]


def messages(text):
    """All that a source's calls tell."""
    text = without_comments(text)
    for call, places in CALLS.items():
        for found in re.finditer(call, text):
            arguments, _ = split(text, found.end())
            if arguments[0].startswith("ErrorCode::internal") or arguments[0].startswith("const "):
                continue
            for place in places:
                if place is not None and place < len(arguments):
                    yield from forms(arguments[place], text)
    for found in COUNTED.finditer(text):
        arguments, _ = split(text, found.end())
        nouns = [literal(noun) for noun in arguments[1:] if is_all_literal(noun)]
        yield from (f"7 {noun}" for noun in nouns + [nouns[0] + "s"] * (len(nouns) == 1))
    for found in ASSIGNED.finditer(text):
        yield from forms(split(text, found.end(), ";")[0][0], text)


def sentences(root):
    for path in CATALOGUE:
        text = without_comments((root / path).read_text(encoding="utf-8"))
        for found in re.finditer(r'QT_TRANSLATE_NOOP\(\s*"(Engine|Count)",', text):
            arguments, _ = split(text, found.end())
            yield found[1], literal(arguments[0])


def pattern(context, sentence):
    part = "(.+)" if context == "Engine" else r"[\d,]+"
    return re.compile(part.join(map(re.escape, re.split(r"%\d", sentence))) + r"\Z", re.S)


def check(root):
    """A list of "file: message" that no sentence fits, and the number of messages."""
    root = Path(root).resolve()
    patterns = [pattern(*sentence) for sentence in sentences(root)]
    faults, count = [], 0
    for room in ROOMS:
        path = root / room
        for source in [path] if path.is_file() else sorted(path.rglob("*.cpp")):
            if source.name in TERMINAL:
                continue
            for message in messages(source.read_text(encoding="utf-8")):
                if not re.search("[a-z]{2}", message):
                    continue  # what another part says
                count += 1
                if not any(each.match(message) for each in patterns):
                    faults.append(f"{source.relative_to(root).as_posix()}: {message}")
    return sorted(set(faults)), count


def main():
    faults, count = check(sys.argv[1])
    for fault in faults:
        print(fault)
    print(f"{count} messages, {len(faults)} that the studio cannot translate")
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
