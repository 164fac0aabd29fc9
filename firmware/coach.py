"""Who works out what the buttons are worth: a process of its own, so that neither a stimulus nor a frame waits for it.

The newest question is worked on first and older ones are forgotten. The process is started by the first question and
ends with the program, however that ends: its pipe breaks. Not responsible for values (``firmware.maths``) or for when
the coach is asked and what becomes of an answer (``firmware.terminal.coach``).
"""

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from firmware.errors import UserError
from firmware.games.coaching import Advice
from firmware.games.contract import Decision, Game
from firmware.terminal.state import Question
from firmware.terminal.step import AdviceGiven

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_NICENESS: Final = 10
_MOST_STARTS: Final = 3
"""A process that keeps dying is not started again."""
Sink = Callable[[AdviceGiven], None]


class Asked(NamedTuple):
    """A question that waits, and what it waits for."""

    question: Question
    game: Game
    node: Decision
    sink: Sink
    after: threading.Event


def ask_at_once(question: Question, game: Game, node: Decision, sink: Sink) -> None:
    """Work a question out in the caller's thread: for tests and scripts, whose time stands still meanwhile."""
    sink(AdviceGiven(question, _advice(game, node, question.credit_minor)))


def ask_in_a_process(question: Question, game: Game, node: Decision, sink: Sink, *, after: threading.Event) -> None:
    """Hand a question over and return at once; ``sink`` is called from another thread, or never.

    Nothing is done before ``after`` is set: a program that was restarted in a hand must show that hand first.
    """
    _desk().ask(Asked(question, game, node, sink, after))


def _advice(game: Game, node: Decision, credit_minor: int) -> Advice | None:
    from firmware.maths.advice import advise

    try:
        return advise(game, node, credit_minor)
    except UserError:  # an option of the table whose odds are not computed
        return None


def _work(pipe: "Connection[Any, Any]") -> None:
    """The process: questions in, answers out, until the other end is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    with contextlib.suppress(EOFError, OSError):
        while True:
            game, node, credit_minor = pipe.recv()
            pipe.send(_advice(game, node, credit_minor))


class Desk:
    """Keeps the process and the newest question."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._waiting: Asked | None = None
        self._changed = threading.Condition()
        self._pipe: Connection[Any, Any] | None = None
        self._starts = 0
        self._thread: threading.Thread | None = None

    def ask(self, asked: Asked) -> None:
        """Put a question in the place of one that still waits."""
        with self._changed:
            self._waiting = asked
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="coach", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                while self._waiting is None:
                    self._changed.wait()
                asked, self._waiting = self._waiting, None
            asked.after.wait()
            asked.sink(AdviceGiven(asked.question, self._answer(asked.game, asked.node, asked.question.credit_minor)))

    def _answer(self, game: Game, node: Decision, credit_minor: int) -> Advice | None:
        if self._pipe is None:
            if self._starts == _MOST_STARTS:
                return None
            self._starts += 1
            self._pipe = _started()
        try:
            self._pipe.send((game, node, credit_minor))
            answer = self._pipe.recv()
        except (EOFError, OSError):
            self._pipe.close()
            self._pipe = None
            return None
        return answer if isinstance(answer, Advice) else None


def _started() -> "Connection[Any, Any]":
    import multiprocessing  # a start has no time for it

    context = multiprocessing.get_context("spawn")  # a fork would copy the window's threads and locks
    ours, theirs = context.Pipe()
    context.Process(target=_work, args=(theirs,), name="coach", daemon=True).start()
    theirs.close()
    return ours


@cache
def _desk() -> Desk:
    return Desk()
