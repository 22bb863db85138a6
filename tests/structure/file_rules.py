"""Checks what every source file must keep: length, head, include guard, own header first, no unfinished marks.

Usage: file_rules.py SOURCE_TREE. Prints one line a fault and exits 1 where there is any.
"""

import re
import sys
from pathlib import Path

MAXIMUM_LINES = 400
SOURCES = {".h", ".cpp", ".cu", ".cuh"}
OTHERS = {".py", ".sh", ".cmake", ".txt"}
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
ENDS_PROCESS = re.compile(r"(?<![\w.>:])(?:std::)?(?:quick_exit|exit|abort)\s*\(")
USING = re.compile(r"^\s*using namespace\b", re.M)
FIRST_INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)
LINE_COMMENT = re.compile(r"//[^\n]*")


def files(root):
    for top in ("app", "engine", "kernels", "ui", "tests", "installer"):
        for path in sorted((root / top).rglob("*")):
            if path.is_file() and path.suffix in SOURCES | OTHERS:
                yield path


def source_faults(path, file, text):
    own = path.with_suffix(".h")
    if not text.startswith(("//", "/*")) and (own == path or not own.is_file()):
        yield "the file has no head that says what it is"
    if path.suffix in (".h", ".cuh"):
        if "#pragma once" not in text:
            yield "no #pragma once"
        if USING.search(text):
            yield "a using-directive in a header"
    first = FIRST_INCLUDE.search(text)
    if path.suffix == ".cpp" and own.is_file() and first and Path(first.group(1)).name != own.name:
        yield f"its own header {own.name} is not the first include"
    if not file.startswith("tests/") and ENDS_PROCESS.search(LINE_COMMENT.sub("", text)):
        yield "ends the process (exit or abort): throw strata::Error instead"


def check(root):
    """A list of "file: reason" and the number of files that were read."""
    root = Path(root).resolve()
    faults, count = [], 0
    for path in files(root):
        file = path.relative_to(root).as_posix()
        if path.suffix == ".txt" and path.name != "CMakeLists.txt":
            continue
        count += 1
        text = path.read_text(encoding="utf-8")
        lines = text.count("\n")
        if lines > MAXIMUM_LINES:
            faults.append(f"{file}: {lines} lines; {MAXIMUM_LINES} is the limit, split it")
        mark = UNFINISHED.search(text)
        if mark:
            faults.append(f"{file}: unfinished: {mark.group()}")
        if path.suffix in SOURCES:
            faults.extend(f"{file}: {reason}" for reason in source_faults(path, file, text))
    return faults, count


def main():
    faults, count = check(sys.argv[1])
    for fault in faults:
        print(fault)
    print(f"{count} files, {len(faults)} faults")
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
