"""Checks that the studio can say what placement and runs tell: each message of engine/parallel and engine/train and each
line of a run's log is a sentence of the studio's catalogue, which its tests hold to have a Bengali form; each text of two
words or more there is a part of one; and no sentence names a command or an option of the terminal.

Usage: engine_messages.py SOURCE_TREE. Prints one line a message that no sentence fits and exits 1 where there is any.
"""

import itertools
import re
import sys
from pathlib import Path

ROOMS = ("engine/parallel", "engine/train", "engine/graph/shared_variables.cpp", "ui/bridge")
# Here only what goes into a run's log.
LOGGED = ("engine/graph/program_builder.cpp", "engine/graph/rewrites.cpp", "engine/graph/executor.cpp", "engine/data")
SENTENCES = [f"ui/widgets/{part}_sentences.cpp" for part in ("engine", "run", "log")]
# Pairs: a hint that names a command or an option of the terminal, and the sentence that the studio says for it.
REPLACED = "ui/widgets/studio_sentences.cpp"
CATALOGUE = (*SENTENCES, REPLACED, "ui/widgets/counted_words.cpp")
# What only the terminal tells: assignments of --set, names of templates, lines between processes.
TERMINAL = {"overrides.cpp", "templates.cpp", "event_reader.cpp"}
NAMES_TERMINAL = re.compile(r"(?<!srun )(?<!\()--\w|`strata |'strata ")
# Calls whose arguments are told: the number of the message's, and of the hint's.
COUNTED = re.compile(r"\bcounted\(")
LOG_CALLS = {
    r"\b(?:say|warn)\(": (0, None),
    r"\bwarnings = \{": (0, None),
    r"\b(?:\w*warnings|lines|fusions|notes)\.(?:push|emplace)_back\(": (0, None),
    r"\bLogEvent\{": (1, None),
}
CALLS = LOG_CALLS | {
    r"\bError\s*(?:\w+\s*)?[({]\s*(?=ErrorCode::)": (1, 3),
    r"\breturn\s*\{\s*(?=ErrorCode::)": (1, 3),
    r"(?<!void )\brefuse\(": (0, 2),
    r"(?<!Error )\bwrong\(": (1, 2),
    r"\b(?:fail|group_\.end)\(": (0, None),
}
# Functions whose text goes into a log, or to the other ranks.
TOLD = re.compile(
    r"\bstd::string (?:\w+::)?"
    r"(?:take_note|overflow_warning|unused_limits|compare_data|take_other_batches|halve_batches|given_up)\("
)
# What some calls give.
SAID = {
    "in_quotes(": ["'7'"],
    "of_processes(": [" of 7", ""],
    "device::name_of(": ["weights", "optimizer", "gradients", "activations", "workspace", "input"],
}
# What holds words that the studio does not show as they are: faults of the program, marks and changes of a plan, which it
# words itself, documentation of parameters, names of what is done to a file, patterns.
UNSHOWN = re.compile(
    r"\bError\s*(?:\w+\s*)?[({]\s*(?=ErrorCode::internal)|\b(?:mark|keep|system_error|tr|QRegularExpression \w+)\(|"
    r"\breturn\s*\{\s*(?=ErrorCode::internal)"
)
UNSHOWN_TEXT = {"cache, shuffle, map, cache, batch, prefetch", " and --set data.pipeline.batch.batch_size="}
WORDS = re.compile(r"[A-Za-z,;:]{2,} [a-z]{2,}")
ASSIGNED = re.compile(r"\bwarning\.text = ")
NAMED = r"\bstd::string %s = "
CALL = re.compile(r"(?:\w+(?:\.|->|::))*(\w+)\(")
TOKEN = re.compile(r'R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|//[^\n]*', re.S)
LITERAL = re.compile(r'R"\((?P<raw>(?:.|\n)*?)\)"|"(?P<text>(?:\\.|[^"\\])*)"', re.S)
LITERALS = re.compile(r'(?:(?:R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\])*")\s*)+', re.S)


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


def counts(arguments):
    """What counted() gives: "7 unit", "7 units"; or nothing where the noun is only known when it runs."""
    nouns = [literal(noun) for noun in arguments[1:] if is_all_literal(noun)]
    return [f"7 {noun}" for noun in nouns + [noun + "s" for noun in nouns[:1] if len(nouns) == 1]]


def returns(body):
    """The expressions that the body of a function returns."""
    for found in re.finditer(r"\breturn\b(?!\s*;)", body):
        yield split(body, found.end(), ";")[0][0]


def body_at(text, at):
    """The body of the function whose parameters begin at `at`, or "" where it is none that is defined here."""
    _, end = split(text, at)
    head = re.compile(r"\)\s*(?:const\s*|noexcept\s*|override\s*)*\{").match(text, end)
    return text[head.end() : split(text, head.end())[1]] if head else ""


def texts_of(folder):
    """The functions of a folder that give a text: name to (source, expression) of what they return."""
    made = {}
    for path in sorted(folder.glob("*.cpp")):
        source = without_comments(path.read_text(encoding="utf-8"))
        for found in re.finditer(r"\bstd::string (?:\w+::)?(\w+)\(", source):
            for expression in returns(body_at(source, found.end())):
                made.setdefault(found[1], []).append((source, expression))
    return made


def forms(expression, source="", functions=None, deep=0):
    """What an expression in `source` may say; what is only known when it runs stands as 7."""
    expression = expression.strip()
    for call, words in SAID.items():
        if expression.startswith(call):
            return words
    named = list(re.finditer(NAMED % expression, source)) if expression.isidentifier() else []
    if len(named) == 1:
        return forms(split(source, named[0].end(), ";")[0][0], source, functions, deep)
    inner = re.fullmatch(r"(?:std::string|std::move)?\((.*)\)", expression, re.S)
    if inner and split(inner[1], 0)[1] == len(inner[1]):
        return forms(inner[1], source, functions, deep)
    if is_all_literal(expression):
        return [literal(expression)]
    call = CALL.match(expression)
    if call and split(expression, call.end())[1] == len(expression) - 1:
        if call[1] == "counted":
            return counts(split(expression, call.end())[0]) or ["7"]
        given = (functions or {}).get(call[1], []) if deep < 3 else []
        return sorted({form for other, part in given for form in forms(part, other, functions, deep + 1)}) or ["7"]
    choice, end = split(expression, 0, "?")
    if len(choice) == 2 and end == len(expression):
        either, _ = split(choice[1], 0, ":")
        parts = either if len(either) == 2 else []
        return [form for part in parts for form in forms(part, source, functions, deep)] or ["7"]
    terms, _ = split(expression, 0, "+")
    if len(terms) == 1:
        return ["7"]
    return ["".join(parts) for parts in itertools.product(*(forms(term, source, functions, deep) for term in terms))]


def messages(text, functions=None, calls=CALLS):
    """All that a source's calls tell."""
    text = without_comments(text)
    for call, places in calls.items():
        for found in re.finditer(call, text):
            arguments, _ = split(text, found.end())
            if arguments[0].startswith(("ErrorCode::internal", "const ", "std::string ")):
                continue
            for place in places:
                if place is not None and place < len(arguments):
                    yield from forms(arguments[place], text, functions)
    for found in TOLD.finditer(text):
        for expression in returns(body_at(text, found.end())):
            yield from forms(expression, text, functions)
    if calls is LOG_CALLS:
        return
    for found in COUNTED.finditer(text):
        yield from counts(split(text, found.end())[0])
    for found in ASSIGNED.finditer(text):
        yield from forms(split(text, found.end(), ";")[0][0], text, functions)


def fragments(text):
    """Each text of two words or more that stands in a source as one, but for what the studio does not show."""
    text = without_comments(text)
    shown, at = "", 0
    for found in UNSHOWN.finditer(text):
        if found.start() >= at:
            shown += text[at : found.start()]
            at = split(text, found.end())[1]
    shown = re.sub(r"\.doc = (?:\s*%s)" % LITERALS.pattern, "", shown + text[at:])
    for found in LITERALS.finditer(shown):
        said = literal(found.group())
        if WORDS.search(said) and not re.search(r'"\w+":|\.h$', said) and said not in UNSHOWN_TEXT:
            yield said


def sentences(root):
    for path in CATALOGUE:
        text = without_comments((root / path).read_text(encoding="utf-8"))
        for found in re.finditer(r'QT_TRANSLATE_NOOP\(\s*"(Engine|Count)",', text):
            arguments, _ = split(text, found.end())
            yield found[1], literal(arguments[0])


def replaced(root):
    """The hints of the engine for which the studio has a sentence of its own."""
    text = without_comments((root / REPLACED).read_text(encoding="utf-8"))
    for found in re.finditer(r'\{(?=\s*")', text):
        yield literal(split(text, found.end())[0][0])


def pattern(context, sentence):
    part = "(.+)" if context == "Engine" else r"[\d,]+"
    return re.compile(part.join(map(re.escape, re.split(r"%\d", sentence))) + r"\Z", re.S)


def is_part(text, whole, patterns):
    """Whether a text stands within a sentence, or is one with what may stand around it."""
    if any(text.lstrip("; ") in sentence for sentence in whole):
        return True
    around = [before + text + behind for before in ("", "7") for behind in ("", "7")]
    return any(each.match(said) for each in patterns for said in around)


def sources(root, rooms):
    for room in rooms:
        path = root / room
        for source in [path] if path.is_file() else sorted(path.rglob("*.cpp")):
            if source.name not in TERMINAL:
                yield source


def check(root):
    """A list of "file: message" that no sentence fits, and the number of messages."""
    root = Path(root).resolve()
    known = list(sentences(root))
    patterns = [pattern(*sentence) for sentence in known] + [pattern("Engine", hint) for hint in replaced(root)]
    whole = [sentence for _, sentence in known] + list(replaced(root))
    faults = [f"{REPLACED} lacks: {sentence}" for _, sentence in known if NAMES_TERMINAL.search(sentence)]
    count = 0
    for rooms, calls in ((ROOMS, CALLS), (LOGGED, LOG_CALLS)):
        for source in sources(root, rooms):
            text = source.read_text(encoding="utf-8")
            place = source.relative_to(root).as_posix()
            for message in messages(text, texts_of(source.parent), calls):
                if not re.search("[a-z]{2}", message):
                    continue  # what another part says
                count += 1
                if not any(each.match(message) for each in patterns):
                    faults.append(f"{place}: {message}")
            if calls is CALLS:
                told = [fault for fault in faults if fault.startswith(place)]
                for part in fragments(text):
                    if not is_part(part, whole, patterns) and not any(part in fault for fault in told):
                        faults.append(f"{place}: ...{part}...")
    return sorted(set(faults)), count


def main():
    faults, count = check(sys.argv[1])
    for fault in faults:
        print(fault)
    print(f"{count} messages, {len(faults)} that the studio cannot translate")
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
