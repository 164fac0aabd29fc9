import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.emulators.base import Emulator, Faults, ScriptError
from hal.emulators.pty import PtyPort
from hal.emulators.registry import EMULATORS, emulator_class
from hal.emulators.script import parse, parse_faults, run
from tests.hal.drivers.ping import PingDevice

# --- the line's faults -----------------------------------------------------------------------------------------------


def answers(device: PingDevice, count: int) -> list[bytes]:
    """Ask some times; returns what came back each time."""
    got = []
    start_ms = device.now_ms
    for number in range(count):
        now_ms = start_ms + number * 10
        device.receive(b"P", now_ms)
        got.append(device.output(now_ms + 5))
    return got


def test_an_answer_leaves_after_its_time() -> None:
    device = PingDevice()
    device.receive(b"P", 100)
    assert device.output(100) == b""
    assert device.next_due_ms() == 101
    assert device.output(101) == b"A"
    assert device.output(200) == b""


def test_one_answer_can_be_dropped_corrupted_and_repeated() -> None:
    device = PingDevice()
    device.drop_next()
    assert answers(device, 2) == [b"", b"A"]
    device.corrupt_next()
    wrong, right = answers(device, 2)
    assert (len(wrong), wrong != b"A", right) == (1, True, b"A")
    device.repeat_last()
    assert device.output(device.now_ms) == b"A"


def test_silence_answers_nothing_but_hears() -> None:
    device = PingDevice()
    device.silence(50)
    assert answers(device, 6) == [b""] * 5 + [b"A"]
    assert device.heard.qsize() == 6


def test_without_power_nothing_is_heard_or_sent() -> None:
    device = PingDevice()
    device.receive(b"P", 0)
    device.power_cut()
    assert device.output(10) == b""
    device.receive(b"P", 20)
    device.power_on()
    device.receive(b"P", 30)
    assert device.output(40) == b"A"
    assert device.heard.qsize() == 2


@given(st.integers(0, 1_000))
def test_thrown_faults_come_again_with_the_same_seed(seed: int) -> None:
    faults = Faults(corrupt=0.3, drop=0.3, repeat=0.2, noise=0.2, seed=seed)
    assert answers(PingDevice(faults), 30) == answers(PingDevice(faults), 30)


def test_faults_are_as_frequent_as_was_asked() -> None:
    got = answers(PingDevice(Faults(drop=0.25)), 4_000)
    assert 800 < got.count(b"") < 1_200


# --- words -----------------------------------------------------------------------------------------------------------


def test_a_line_of_words_is_carried_out() -> None:
    device = PingDevice()
    device.do(["shout", "3", "ha"], 10)
    device.do(["shout", "1"], 10)
    assert device.output(10) == b"hahahax"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("sing", "ping can't sing; it can corrupt_next, "),
        ("shout", "shout takes count word, not nothing"),
        ("shout 1 a b", "shout takes count word, not 1 a b"),
        ("shout loud", "shout: count is loud, expected a whole number"),
        ("power_cut now", "power_cut takes nothing, not now"),
        ("wait", "wait takes milliseconds"),
        ("wait long", "wait takes milliseconds"),
        ("quit now", "quit takes nothing"),
        ("on_bytes x", "ping can't on_bytes"),
    ],
)
def test_what_a_device_cannot_do_is_named_with_its_line(line: str, complaint: str) -> None:
    with pytest.raises(ScriptError) as refused:
        parse(f"# a comment\n\nnoise 3\n{line}\n", "script.txt", PingDevice)
    assert str(refused.value).startswith(f"script.txt:4: {complaint}")


def test_all_mistakes_of_a_script_are_told_at_once() -> None:
    with pytest.raises(ScriptError) as refused:
        parse("sing\nshout\n", "s", PingDevice)
    assert [line.partition(": ")[0] for line in str(refused.value).splitlines()] == ["s:1", "s:2"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("lose=1", "there is no fault lose; there are corrupt, drop, repeat, noise, seed"),
        ("drop", "fault drop is nothing, expected a number"),
        ("drop=often", "fault drop is often, expected a number"),
        ("drop=1.5", "fault drop is 1.5, expected a chance from 0 to 1"),
        ("seed=0.5", "fault seed is 0.5, expected a number"),
    ],
)
def test_wrong_faults_are_named(text: str, complaint: str) -> None:
    with pytest.raises(ScriptError) as refused:
        parse_faults(text)
    assert str(refused.value) == complaint


def test_faults_are_read() -> None:
    assert parse_faults("corrupt=0.01,seed=7") == Faults(corrupt=0.01, seed=7)
    assert parse_faults("") == Faults()


def test_a_script_runs_in_its_order_until_quit() -> None:
    device = PingDevice()
    slept: list[int] = []
    with PtyPort(device) as port:
        lines = parse("wait 250\nshout 2\nquit\nshout 9", "s", PingDevice)
        assert run(lines, port, slept.append)
        with open(port.path, "rb", buffering=0) as terminal:
            assert terminal.read(1) == b"x"
            assert terminal.read(1) == b"x"
    assert slept == [250]


def test_a_script_waits_for_the_host() -> None:
    device = PingDevice()
    with PtyPort(device) as port:

        def host_comes(_milliseconds: int) -> None:
            with open(port.path, "wb", buffering=0) as terminal:
                terminal.write(b"P")
            device.wait_for(b"P")

        assert not run(parse("wait_for_host", "s", PingDevice), port, host_comes)


# --- the registry ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", EMULATORS)
def test_every_registered_device_is_there_under_its_name(protocol: str) -> None:
    device = emulator_class(protocol)
    assert issubclass(device, Emulator)
    assert device.protocol == protocol
    made = device(faults=Faults())
    assert made.output(1_000) is not None
    assert {"power_cut", "power_on", "corrupt_next", "drop_next", "silence"} <= set(device.verbs())


def test_a_protocol_that_there_is_not_lists_those_that_there_are() -> None:
    with pytest.raises(ScriptError, match="there is no emulated device icq; there are "):
        emulator_class("icq")
