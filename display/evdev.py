"""Which input devices SDL's driver ``evdev`` shall read, for an SDL that was built without libudev, as pygame's wheels are.

Linux tells in ``/sys/class/input`` what each device can do. Not responsible for reading any device.
"""

from pathlib import Path

INPUTS = Path("/sys/class/input")
MOUSE, KEYBOARD, TOUCH_SCREEN = 0x01, 0x02, 0x10
"""SDL's classes of devices (``SDL_UDEV_deviceclass``)."""
_DIRECT = 0x01
_KEY_ENTER, _BUTTON_LEFT, _BUTTON_TOUCH = 28, 0x110, 0x14A
_ABSOLUTE_X, _TOUCH_X = 0x00, 0x35


def touch_devices(inputs: Path = INPUTS) -> str:
    """Return touch screens, mice and keyboards as SDL's hint ``SDL_EVDEV_DEVICES`` wants them; empty where there are none."""
    found = []
    for folder in sorted(inputs.glob("event*"), key=lambda path: (len(path.name), path.name)):
        kind = _class(folder / "device")
        if kind:
            found.append(f"{kind}:/dev/input/{folder.name}")
    return ",".join(found)


def _class(device: Path) -> int:
    keys, axes = _bits(device / "capabilities/key"), _bits(device / "capabilities/abs")
    direct = _bits(device / "properties") >> _DIRECT & 1
    if axes >> _TOUCH_X & 1 or (keys >> _BUTTON_TOUCH & 1 and axes >> _ABSOLUTE_X & 1):
        return TOUCH_SCREEN if direct else 0  # a touch pad is no way to play
    if keys >> _BUTTON_LEFT & 1:
        return MOUSE
    return KEYBOARD if keys >> _KEY_ENTER & 1 else 0


def _bits(file: Path) -> int:
    """Return a bit map: words in hexadecimal, the highest first, each as long as the machine's."""
    try:
        words = file.read_text(encoding="ascii").split()
    except OSError:
        return 0
    total = 0
    for word in words:
        total = total << 64 | int(word, 16)
    return total
