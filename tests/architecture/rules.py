"""The rules of the architecture. Each takes the modules and yields one line per violation."""

import ast
import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase

from tests.architecture.source_tree import PACKAGES, Module, imports
from tests.architecture.table import (
    IMPURE_CALLS,
    IMPURE_METHODS,
    IMPURE_MODULES,
    MAXIMUM_LINES,
    ONLY_IMPORTERS,
    ROWS,
    TOP_LEVEL,
    Row,
)

Modules = dict[str, Module]
Rule = Callable[[Modules], Iterator[str]]
_BY_NAME = {row.name: row for row in ROWS}


def row_of(name: str) -> Row | None:
    """The row with the longest name that covers a module; the bare package `firmware` covers only its own `__init__`."""
    if name == "firmware":
        return _BY_NAME[name]
    while name and name != "firmware":
        if name in _BY_NAME:
            return _BY_NAME[name]
        name = name.rpartition(".")[0]
    return None


def every_module_has_a_row(modules: Modules) -> Iterator[str]:
    """A new part of the firmware says in the table what it may import."""
    for module in modules.values():
        if row_of(module.name) is None:
            yield f"{module.path}: {module.name} has no row in tests/architecture/table.py; add one that says what it may import"


def imports_follow_the_table(modules: Modules) -> Iterator[str]:
    """Nothing imports upwards, sideways or from the tests."""
    for module in modules.values():
        row = row_of(module.name)
        for line, target in imports(module, modules):
            top = target.partition(".")[0]
            if top == "tests":
                yield f"{module.path}:{line}: imports {target}; the program does not know its tests"
            if row is None or top not in PACKAGES:
                continue
            other = row_of(target)
            if target == "firmware" or other is None or other is row or other.name in row.may_import:
                continue
            yield f"{module.path}:{line}: {row.name} must not import {target} (tests/architecture/table.py)"


def pure_parts_touch_nothing(modules: Modules) -> Iterator[str]:
    """No clock, randomness, threads, sockets, files, pygame or serial in pure parts."""
    for module in modules.values():
        row = row_of(module.name)
        if row is None or not row.pure:
            continue
        for line, target in imports(module, modules):
            if target.partition(".")[0] in IMPURE_MODULES:
                yield f"{module.path}:{line}: {row.name} is pure and must not import {target}"
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call):
                function = node.func
                is_call = isinstance(function, ast.Name) and function.id in IMPURE_CALLS
                is_method = isinstance(function, ast.Attribute) and function.attr in IMPURE_METHODS
                if is_call or is_method:
                    yield f"{module.path}:{node.lineno}: {row.name} is pure and must not call {ast.unparse(function)}"


def money_is_never_a_float(modules: Modules) -> Iterator[str]:
    """No float literal, no true division, no float type where money passes."""
    for module in modules.values():
        row = row_of(module.name)
        if row is None or not row.exact:
            continue
        for node in ast.walk(module.tree):
            what = ""
            if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
                what = f"the number {node.value}"
            elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
                what = "the division /"
            elif isinstance(node, ast.Name) and node.id in ("float", "complex"):
                what = f"the type {node.id}"
            if what:
                line = getattr(node, "lineno", 0)
                yield f"{module.path}:{line}: {what}: {row.name} is exact, use integers in minor units or fractions.Fraction"


def outside_modules_have_one_importer(modules: Modules) -> Iterator[str]:
    """RPi.GPIO, serial and the like each have one door."""
    importers: dict[str, set[str]] = {}
    for module in modules.values():
        seen = {target for _, target in imports(module, modules)}
        if _uses_pygame_display(module):
            seen.add("pygame.display")
        for target in seen:
            for watched in ONLY_IMPORTERS:
                if target == watched or target.startswith(f"{watched}."):
                    importers.setdefault(watched, set()).add(module.name)
    for watched, names in sorted(importers.items()):
        allowed, count = ONLY_IMPORTERS[watched]
        for name in sorted(names):
            if not any(fnmatchcase(name, place) or name.startswith(f"{place}.") for place in allowed.split()):
                yield f"{modules[name].path}: imports {watched}, which only {allowed.replace(' ', ', ')} may"
        if len(names) > count:
            yield f"{watched} is imported by {' and '.join(sorted(names))}; {count} may"


def _uses_pygame_display(module: Module) -> bool:
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == "display"
        and isinstance(node.value, ast.Name)
        and node.value.id in ("pygame", "pg")
        for node in ast.walk(module.tree)
    )


def public_functions_are_annotated(modules: Modules) -> Iterator[str]:
    """Every public function says what it takes and gives."""
    for module in modules.values():
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if node.name.startswith("_") and not node.name.endswith("__"):
                continue
            arguments = [
                *node.args.posonlyargs,
                *node.args.args,
                *node.args.kwonlyargs,
                node.args.vararg,
                node.args.kwarg,
            ]
            bare = [one.arg for one in arguments if one and one.annotation is None and one.arg not in ("self", "cls")]
            if bare or node.returns is None:
                yield f"{module.path}:{node.lineno}: {node.name} has no type for {', '.join(bare) or 'what it returns'}"


def files_stay_small(modules: Modules) -> Iterator[str]:
    """A file has one reason to change."""
    for module in modules.values():
        if module.line_count > MAXIMUM_LINES:
            yield f"{module.path}: {module.line_count} lines, more than {MAXIMUM_LINES}; split it by what changes for different reasons"


RULES: tuple[Rule, ...] = (
    every_module_has_a_row,
    imports_follow_the_table,
    pure_parts_touch_nothing,
    money_is_never_a_float,
    outside_modules_have_one_importer,
    public_functions_are_annotated,
    files_stay_small,
)


def only_known_names_at_the_top(names: list[str]) -> Iterator[str]:
    """The top of the repository stays readable."""
    for name in sorted(set(names)):
        if name not in TOP_LEVEL and not name.startswith("."):
            yield f"{name}: not a name for the top of the repository (tests/architecture/table.py)"


# Written in pieces, so that this file does not find itself.
_FORBIDDEN_TEXT = {
    "an unfinished note": re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b"),
    "a test that does not run": re.compile(r"pytest\.(mark\.)?(sk" + r"ip|xf" + r"ail)"),
    "a stub": re.compile("NotImplemented" + "Error"),
    "a path of one machine": re.compile(r"(?<![\w.])/(wo" + r"rk|ro" + r"ot|opt/wh" + r"eels|Use" + r"rs)/"),
    "the host of a package registry": re.compile(
        r"(pypi\.o" + r"rg|pythonhosted\.o" + r"rg|--(extra-)?index-u" + r"rl|--find-li" + r"nks(?! \"\$))"
    ),
}


def nothing_unfinished_or_private(name: str, text: str) -> Iterator[str]:
    """No unfinished notes, switched-off tests, stubs, paths of one machine or registry hosts in any text file."""
    for number, line in enumerate(text.splitlines(), 1):
        for what, pattern in _FORBIDDEN_TEXT.items():
            match = pattern.search(line)
            if match:
                yield f"{name}:{number}: {match.group()}: {what}"
