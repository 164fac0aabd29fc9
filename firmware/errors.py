"""Errors that end a command with one clear line instead of a traceback.

Only the command line turns them into text and an exit status. Faults of the running terminal (a jam, an open door)
are not errors but events and entries; they are not here.
"""


class UserError(Exception):
    """Bad use or bad input. The message says in one line what was found and what to do.

    `exit_status` is what the command ends with: 2 for bad use or bad input, 1 (`CheckFailed`) for a failed check.
    """

    exit_status = 2


class CheckFailed(UserError):
    """A check that was asked for has failed (an expectation of a script, an audit, a probe)."""

    exit_status = 1


class ConfigError(UserError):
    """A configuration file is refused. All its problems are in `problems`, one line each."""

    def __init__(self, problems: list[str]) -> None:
        """`problems` are whole lines, each `file: key.path: found X, expected Y`; at least one."""
        super().__init__("\n".join(problems))
        self.problems: tuple[str, ...] = tuple(problems)


class InvariantError(RuntimeError):
    """The program contradicts itself, for example books that do not balance. Never caught to carry on."""
