from tests.games.baccarat.transcripts import FOLDER, transcript


def test_coups_go_as_in_the_transcript_that_was_read() -> None:
    assert transcript() == (FOLDER / "baccarat.txt").read_text()
