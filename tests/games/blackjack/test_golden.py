import pytest

from tests.games.blackjack.transcripts import FOLDER, SCRIPTS, transcript


@pytest.mark.parametrize("game", SCRIPTS)
def test_rounds_go_as_in_the_transcript_that_was_read(game: str) -> None:
    assert transcript(game) == (FOLDER / f"{game}.txt").read_text()
