"""The catalogues: complete, consistent, compiled, nothing unused; and no text on the screen that is not in them."""

import ast
from pathlib import Path

import pytest

import display
from display.locale import LANGUAGES, catalogue, next_language
from display.locale.update import calls_in, merged, placeholders, problems, used_messages

DISPLAY = Path(display.__file__).parent
WEIGHTS = {"regular", "bold", "mono"}
WRITES = {"text", "paragraph", "pill", "arc", "toast", "text_width"}


def test_every_message_of_the_program_is_translated_and_no_other() -> None:
    assert problems(used_messages()) == []


def test_a_missing_unused_or_inconsistent_message_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    messages = used_messages()
    key = ("result", "Win")
    without = {each: message for each, message in messages.items() if each != key}
    assert any("unused" in line and "'Win'" in line for line in problems(without))
    source = 'Text("result", "A new word"); Text("notice", "{amount} credited {twice}")'
    for _, context, text, plural in calls_in(source, "new.py"):
        messages[context, text] = type(messages[key])(context, text, plural, ("new.py",))
    found = problems(messages)
    assert any("ru: not translated" in line and "A new word" in line for line in found)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('Text("a", "b")', [("a", "b", "")]),
        ('Text(context="a", message="b", count=2, plural="bs")', [("a", "b", "bs")]),
        (
            'def row(x, title): return Row(x, Text("t", title))\nrow(1, "One")\nrow(2, title="Two")',
            [("t", "One", ""), ("t", "Two", "")],
        ),
    ],
)
def test_literal_messages_are_collected(source: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(context, text, plural) for _, context, text, plural in calls_in(source, "x.py")] == expected


@pytest.mark.parametrize(
    "source", ['Text("a", name)', 'Text("a", f"{b}")', 'Text(context, "b")', 'def f(x): Text("a", x)\nf(y)']
)
def test_a_message_that_no_catalogue_can_hold_is_refused_with_its_line(source: str) -> None:
    with pytest.raises(ValueError, match=r"x\.py:\d+"):
        list(calls_in(source, "x.py"))


def test_placeholders_are_named() -> None:
    assert placeholders("{paid} of {total} for {paid}") == {"paid", "total"}
    for message in used_messages().values():
        assert all(name.isidentifier() for name in placeholders(message.text)), message


@pytest.mark.parametrize(
    ("count", "words"), [(1, "1 купюра"), (3, "3 купюры"), (5, "5 купюр"), (11, "11 купюр"), (22, "22 купюры")]
)
def test_russian_has_three_plural_forms(count: int, words: str) -> None:
    pattern = catalogue("ru").npgettext("cabinet", "{count} note", "{count} notes", count)
    assert pattern.format(count=count) == words


def test_one_english_word_has_two_russian_meanings_by_context() -> None:
    assert catalogue("ru").pgettext("button", "Help") == "Правила"
    assert catalogue("ru").pgettext("hand", "Pair") == "Пара"
    assert catalogue("ru").pgettext("result", "Folded") != catalogue("ru").pgettext("result", "Surrendered")


def test_the_language_key_goes_round() -> None:
    seen = [LANGUAGES[0]]
    for _ in LANGUAGES:
        seen.append(next_language(seen[-1]))
    assert seen[0] == seen[-1]
    assert set(seen) == set(LANGUAGES)
    assert next_language("xx") in LANGUAGES


def test_an_unknown_language_reads_as_english() -> None:
    assert catalogue("xx").pgettext("hand", "Pair") == "Pair"


def test_updating_changes_nothing_when_nothing_changed() -> None:
    messages = used_messages()
    for language in LANGUAGES:
        first = merged(language, messages.values())
        assert {entry.id for entry in first if entry.id} == {
            (message.text, message.plural) if message.plural else message.text for message in messages.values()
        }


def test_scenes_write_no_words_of_their_own() -> None:
    found = []
    for path in (*DISPLAY.glob("scenes/*.py"), *DISPLAY.glob("widgets/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name not in WRITES:
                continue
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    if argument.value not in WEIGHTS and any(letter.isalpha() for letter in argument.value):
                        found.append(f"{path.name}:{node.lineno}: {argument.value!r}")
    assert found == []
