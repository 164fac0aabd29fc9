"""The tables of settings about what a player sees, hears and has time for; the others stand in ``sections``."""

from typing import Literal

from firmware.settings.spec import MAXIMUM_MINOR, Section, row

CoachUse = Literal["never", "fun", "always"]


class Display(Section):
    """The screen."""

    driver: Literal["auto", "fb"] = row(
        "Screen driver",
        "auto: what SDL finds. fb: the picture is copied to the frame buffer /dev/fb0 and has its size",
        "auto",
    )
    width_px: int = row(
        "Width", "Width of the window, or of the screen when full-screen", 1920, unit="px", ge=640, le=7680
    )
    height_px: int = row(
        "Height", "Height of the window, or of the screen when full-screen", 1080, unit="px", ge=360, le=4320
    )
    fullscreen: bool = row("Full screen", "Take the whole screen", False)
    rotation_degrees: Literal[0, 90, 180, 270] = row(
        "Rotation", "How far the picture is turned clockwise, touch with it", 0, unit="degrees"
    )
    touch_ppm: tuple[int, ...] = row(
        "Touch calibration",
        "Six numbers (millionths) that put a touch where the finger is, measured in the menu; empty: as the panel says",
        (),
        access="attendant",
        max_length=6,
        strict=False,
    )
    frames_per_second: int = row(
        "Frame rate", "How often the picture is painted in one second", 60, unit="1/s", ge=15, le=144
    )


class Sound(Section):
    """Sound."""

    volume_percent: int = row("Volume", "0 is silent", 60, unit="%", access="attendant", ge=0, le=100)
    softest_step: int = row(
        "Softest",
        "The lowest step of the volume that a player can choose; 0 is silent",
        0,
        access="operator",
        ge=0,
        le=4,
    )
    loudest_step: int = row(
        "Loudest", "The highest step of the volume that a player can choose", 4, access="operator", ge=0, le=4
    )


class Player(Section):
    """Time, for the player."""

    idle_timeout_s: int = row(
        "Idle time",
        "Without a touch and without credit the attract picture returns after this",
        60,
        unit="s",
        access="operator",
        ge=5,
        le=3600,
    )
    reality_check_min: int = row(
        "Reality check",
        "How often a player is told time and balance; 0: never",
        0,
        unit="min",
        access="operator",
        ge=0,
        le=240,
    )
    deal_card_ms: int = row(
        "Deal speed", "Time that one card takes on the table", 220, unit="ms", access="operator", ge=0, le=2000
    )
    minimum_round_ms: int = row(
        "Minimum round", "Shortest time from one deal to the next", 0, unit="ms", ge=0, le=120_000
    )
    session_limit_min: int = row(
        "Session limit",
        "After so long no more stakes are taken until the credit is paid out; 0: no limit",
        0,
        unit="min",
        access="operator",
        ge=0,
        le=1440,
    )
    loss_limit_minor: int = row(
        "Loss limit",
        "With so much lost in a session no more stakes are taken until the credit is paid out; 0: no limit",
        0,
        unit="minor",
        access="operator",
        ge=0,
        le=MAXIMUM_MINOR,
    )
    credit_value_minor: int = row(
        "Value of a credit",
        "What one credit is worth when a player lets the meters count in credits by touching them; 0: they show money only",
        0,
        unit="minor",
        access="operator",
        ge=0,
        le=MAXIMUM_MINOR,
    )
    coach: Literal["never", "fun", "always"] = row(
        "Coach",
        "When players may see what each button is worth. fun: where no money is taken. always: for money too. never",
        "fun",
        access="operator",
    )
