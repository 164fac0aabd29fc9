"""Keeps the catalogues in step with the program: collects messages, updates the ``.po`` files, compiles the ``.mo``.

``python -m display.locale.update`` does the work and lists what waits for a translation; with ``--check`` it only
looks, and the exit status is 1 when something is missing, unused, inconsistent or not compiled. A message is a literal
``Text("context", "message", ...)`` anywhere in ``firmware/`` or ``display/``. Needs Babel (development only); nothing
at run time imports this module.
"""

import argparse
import ast
import io
import string
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeGuard

from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

from display.locale import DOMAIN, FOLDER, LANGUAGES

ROOT: Final = FOLDER.parent.parent
SOURCE_FOLDERS: Final = ("display", "firmware")
_SOURCE_LANGUAGE: Final = "en"
SETTINGS_TABLES: Final = ("firmware/settings/sections.py", "firmware/settings/sections_player.py")
"""Their rows are messages too: label and help."""
_FIELDS: Final = ("context", "message", "args", "plural", "count")
_FIXED_DATE: Final = datetime(2024, 1, 1, tzinfo=UTC)
"""Catalogues carry no dates of their own: their history is in the repository, and files stay the same byte for byte."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message as the program uses it, and the files in which it stands."""

    context: str
    text: str
    plural: str
    files: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str]:
        """What the catalogue finds it by."""
        return (self.context, self.text)


def placeholders(text: str) -> set[str]:
    """Return the names in braces of a message."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def _literal(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _arguments(call: ast.Call, names: Sequence[str]) -> dict[str, ast.expr]:
    given = dict(zip(names, call.args, strict=False))
    return given | {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}


def _is_call(node: ast.AST, name: str) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _wrappers(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, ast.Call, str, str]]:
    """Yield the functions of a module that make a text of a parameter: (function, its Text call, context, parameter)."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        parameters = {argument.arg for argument in function.args.args}
        for node in ast.walk(function):
            if _is_call(node, "Text"):
                given = _arguments(node, _FIELDS)
                context, message = _literal(given.get("context")), given.get("message")
                if context is not None and isinstance(message, ast.Name) and message.id in parameters:
                    yield function, node, context, message.id


def calls_in(source: str, name: str) -> Iterator[tuple[int, str, str, str]]:
    """Yield (line, context, message, plural) of each message of a Python source.

    A message is a literal ``Text("context", "message")``, or a literal given to a function of the same module that
    puts this parameter into a ``Text``: rows of a table stay readable that way.

    Raises:
        ValueError: a call's context, message or plural is not a literal; the text names the line.
    """
    tree = ast.parse(source)
    inside_wrappers: set[ast.Call] = set()
    for function, inner, context, parameter in list(_wrappers(tree)):
        inside_wrappers.add(inner)
        for node in ast.walk(tree):
            if _is_call(node, function.name):
                given = _arguments(node, [argument.arg for argument in function.args.args])
                message = _literal(given.get(parameter))
                if message is None:
                    raise ValueError(f"{name}:{node.lineno}: {function.name}() needs a literal {parameter}")
                yield node.lineno, context, message, ""
    for node in ast.walk(tree):
        if not _is_call(node, "Text") or node in inside_wrappers:
            continue
        given = _arguments(node, _FIELDS)
        found, message = _literal(given.get("context")), _literal(given.get("message"))
        plural = _literal(given["plural"]) if "plural" in given else ""
        if found is None or message is None or plural is None:
            raise ValueError(f"{name}:{node.lineno}: Text() needs literal strings, or no catalogue can hold them")
        yield node.lineno, found, message, plural


def rows_in(source: str) -> Iterator[tuple[int, str, str, str]]:
    """Yield (line, context, message, plural) of the rows of the table of settings: label and help of each."""
    for node in ast.walk(ast.parse(source)):
        if _is_call(node, "row") and len(node.args) > 1:
            for context, argument in (("setting", node.args[0]), ("setting help", node.args[1])):
                message = _literal(argument)
                if message is not None:
                    yield node.lineno, context, message, ""


def used_messages(root: Path = ROOT) -> dict[tuple[str, str], Message]:
    """Return all messages of the program by (context, message).

    Raises:
        ValueError: a ``Text`` call without literals, or one message with two different plurals.
    """
    found: dict[tuple[str, str], Message] = {}
    for folder in SOURCE_FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            source = path.read_text(encoding="utf-8")
            rows = rows_in(source) if name in SETTINGS_TABLES else iter(())
            for line, context, text, plural in (*calls_in(source, name), *rows):
                known = found.get((context, text))
                if known and plural and known.plural and known.plural != plural:
                    raise ValueError(f"{name}:{line}: {text!r} has another plural in {known.files[0]}")
                files = tuple(dict.fromkeys((*(known.files if known else ()), name)))
                found[context, text] = Message(context, text, plural or (known.plural if known else ""), files)
    return found


def po_path(language: str) -> Path:
    """Return where a language's catalogue is."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def load(language: str) -> Catalog:
    """Read a language's ``.po`` file; an absent one is empty."""
    path = po_path(language)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def forms(catalog: Catalog, message: Message) -> tuple[str, ...]:
    """Return the translations of a message, one per plural form; empty strings where there is none."""
    entry = catalog.get(message.text, context=message.context)
    count = catalog.num_plurals if message.plural else 1
    if entry is None or bool(message.plural) != isinstance(entry.id, tuple):
        return ("",) * count
    return tuple(entry.string) if isinstance(entry.string, tuple | list) else (entry.string or "",)


def merged(language: str, messages: Iterable[Message]) -> Catalog:
    """Return the catalogue of a language with exactly the given messages, keeping their translations."""
    old = load(language)
    new = Catalog(
        locale=language,
        domain=DOMAIN,
        project="Croupier",
        version="1",
        copyright_holder="Croupier contributors",
        msgid_bugs_address="",
        last_translator="Croupier contributors",
        language_team=language,
        charset="utf-8",
        creation_date=_FIXED_DATE,
        revision_date=_FIXED_DATE,
        fuzzy=False,
        header_comment="# Messages of Croupier. Collected by python -m display.locale.update; translations are edited here.",
    )
    for message in sorted(messages, key=lambda each: each.key):
        translation = forms(old, message)
        if language == _SOURCE_LANGUAGE and not all(translation):
            translation = (message.text, message.plural)[: len(translation)]
        identity = (message.text, message.plural) if message.plural else message.text
        value = translation if message.plural else translation[0]
        new.add(identity, value, [(file, 0) for file in message.files], context=message.context)
    return new


def po_bytes(catalog: Catalog) -> bytes:
    """Return the text of a ``.po`` file."""
    out = io.BytesIO()
    write_po(out, catalog, width=120, include_lineno=False)
    return out.getvalue()


def mo_bytes(catalog: Catalog) -> bytes:
    """Return the contents of a ``.mo`` file."""
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def problems(messages: dict[tuple[str, str], Message]) -> list[str]:
    """Return one line for each fault of the committed catalogues; none when they are complete and compiled."""
    found: list[str] = []
    for language in LANGUAGES:
        catalog = load(language)
        entries = {(entry.context or "", _singular(entry.id)) for entry in catalog if entry.id}
        found += [f"{language}: unused: [{context}] {text!r}" for context, text in sorted(entries - messages.keys())]
        for message in messages.values():
            translations = forms(catalog, message)
            if not all(translations):
                found.append(f"{language}: not translated: [{message.context}] {message.text!r} ({message.files[0]})")
                continue
            wanted = placeholders(message.text) | placeholders(message.plural)
            for translation in translations:
                if placeholders(translation) != wanted:
                    found.append(
                        f"{language}: other placeholders: [{message.context}] {message.text!r} {translation!r}"
                    )
        compiled = po_path(language).with_suffix(".mo")
        if not compiled.exists() or _contents(_read_compiled(compiled)) != _contents(catalog):
            found.append(f"{language}: {compiled.name} is not compiled from {po_path(language).name}")
    return found


def _read_compiled(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_mo(file)


def _contents(catalog: Catalog) -> dict[tuple[str, str], object]:
    """Return what a catalogue translates, without its header (which names the version of the tool)."""
    return {
        (entry.context or "", _singular(entry.id)): tuple(entry.string)
        if isinstance(entry.string, list)
        else entry.string
        for entry in catalog
        if entry.id and entry.string
    }


def _singular(identity: "str | Sequence[str]") -> str:
    return identity if isinstance(identity, str) else identity[0]


def update(messages: dict[tuple[str, str], Message]) -> None:
    """Write the catalogues of all languages anew and compile them."""
    for language in LANGUAGES:
        path = po_path(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        catalog = merged(language, messages.values())
        path.write_bytes(po_bytes(catalog))
        path.with_suffix(".mo").write_bytes(mo_bytes(load(language)))


def main(arguments: list[str] | None = None) -> int:
    """Update or check the catalogues; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m display.locale.update", description=main.__doc__)
    parser.add_argument("--check", action="store_true", help="only look; exit 1 when something is wrong")
    options = parser.parse_args(arguments)
    try:
        messages = used_messages()
    except ValueError as error:
        print(f"locale: {error}", file=sys.stderr)
        return 1
    if not options.check:
        update(messages)
    found = problems(messages)
    for line in found:
        print(line)
    print(f"locale: {len(messages)} messages, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
