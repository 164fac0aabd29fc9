import pytest

from firmware import __version__, cli


def test_version_is_printed_and_ends_with_success(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.run(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"croupier {__version__}\n"
