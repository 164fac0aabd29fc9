"""Reads the program's source files and finds what each imports."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("firmware", "hal", "display")


@dataclass(frozen=True)
class Module:
    """A source file of the program."""

    name: str
    path: Path
    tree: ast.Module
    line_count: int
    is_package: bool

    @property
    def package(self) -> str:
        """The package that relative imports start from."""
        return self.name if self.is_package else self.name.rpartition(".")[0]


def load(root: Path) -> dict[str, Module]:
    """All modules of the program's packages below a folder, by dotted name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if is_package else parts)
            text = path.read_text(encoding="utf-8")
            found[name] = Module(
                name, path.relative_to(root), ast.parse(text, str(path)), len(text.splitlines()), is_package
            )
    return found


def imports(module: Module, known: dict[str, Module]) -> Iterator[tuple[int, str]]:
    """Line and dotted name of each import, anywhere in the file; `from a import b` is `a.b` if that is a module, else `a`."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = node.module or ""
            if node.level:
                above = module.package.split(".")
                above = above[: len(above) - node.level + 1]
                origin = ".".join([*above, origin] if origin else above)
            for alias in node.names:
                whole = f"{origin}.{alias.name}"
                yield node.lineno, whole if whole in known or origin == "pygame" else origin
        elif isinstance(node, ast.Call) and _called(node) in ("import_module", "__import__") and node.args:
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield node.lineno, name.value


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""
