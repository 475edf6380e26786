#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/python-api.md from the docstrings of the installed package, or with --check compares it. Usage: tools/python_api.py
[--check]"""
import inspect
import pathlib
import re
import sys

import moorea

PAGE = pathlib.Path(__file__).parent.parent / "docs/python-api.md"
LISTS = ("Parameters", "Attributes", "Returns", "Yields", "Raises")
RULES = "Names of all rules that have one, with the rules."


def signature(thing, name):
    """Call of a function or class, without annotations where it is Python."""
    made = getattr(thing.__init__ if inspect.isclass(thing) else thing, "__nb_signature__", None)
    if made is not None:  # of the extension module
        call = made[0][0].removeprefix("def ").split("(", 1)[1].removeprefix("self, ").removesuffix(" -> None")
        return f"{name}({call.removeprefix('self')}"
    if inspect.isclass(thing) and "__init__" not in vars(thing) and "__new__" not in vars(thing):
        return name
    parameters = inspect.signature(thing).parameters.values()
    shown = [each.replace(annotation=each.empty) for each in parameters if each.name not in ("self", "cls")]
    return f"{name}{inspect.Signature(shown)}"


def text_of(thing):
    """Docstring as Markdown: NumPy's headings as bold words, definitions as lists, examples as code."""
    lines, out, section, code = (inspect.getdoc(thing) or "").splitlines(), [], "", False
    for i, line in enumerate(lines):
        following = lines[i + 1] if i + 1 < len(lines) else ""
        if line and re.fullmatch("-+", following) and len(following) == len(line):
            section = line
            out.append(f"**{line}**\n")
            continue
        if section and re.fullmatch("-+", line) and lines[i - 1] == section:
            continue
        if line.startswith(">>> ") and not code:
            out.append("```python")
            code = True
        elif code and not line:
            out.append("```")
            code = False
        if section in LISTS and line and not line.startswith(" "):
            line = f"- `{line}`"
        elif section in LISTS and line:
            line = "  " + line.strip()
        out.append(line)
    return "\n".join(out + (["```"] if code else []))


def members(thing):
    """Public methods and properties, in the order of the source, with those of the base class that users do not see."""
    found = {}
    for each in [thing] + [base for base in thing.__mro__[1:] if base.__module__.startswith("moorea.") and not base.__name__.endswith("Error")]:
        for name, value in vars(each).items():
            if not name.startswith("_") and (callable(value) or isinstance(value, (property, classmethod, staticmethod)) or type(value).__name__.startswith("nb_")):
                found.setdefault(name, value)
    return found


def entry(name):
    thing = getattr(moorea, name)
    if name == "rules":
        return f"## rules()\n\n{RULES}\n"
    parts = [f"## {signature(thing, name) if not issubclass_of_error(thing) else name}\n", text_of(thing) + "\n"]
    if inspect.isclass(thing) and not issubclass_of_error(thing):
        for member, value in members(thing).items():
            call = member if isinstance(value, property) else signature(getattr(thing, member), member)
            parts.append(f"### {name}.{call}\n\n{text_of(value if isinstance(value, property) else getattr(thing, member))}\n")
    return "\n".join(parts)


def issubclass_of_error(thing):
    return inspect.isclass(thing) and issubclass(thing, Exception)


def page():
    head = "# Python: all names\n\nMade by `tools/python_api.py` from the docstrings, which `help` shows too. [Python](python.md) is the tutorial.\n"
    text = "\n".join([head] + [entry(name) for name in sorted(moorea.__all__, key=str.lower)])
    return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


if "--check" in sys.argv[1:]:
    if PAGE.read_text(encoding="utf-8") != page():
        sys.exit("docs/python-api.md is not what the docstrings say: tools/python_api.py writes it")
else:
    PAGE.write_text(page(), encoding="utf-8")
