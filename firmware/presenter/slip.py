"""What stands on the attendant's slip: lines of plain English, which every printer has the letters for. Pure."""

from datetime import UTC, datetime
from typing import Final

from firmware.presenter.present import House

WIDTH: Final = 32
"""Letters in a line of the narrowest paper (58 mm)."""


def handpay_slip(house: House, slip_id: str, amount_minor: int, currency: str, wall_ms: int) -> tuple[str, ...]:
    """Return the lines of the slip about an amount that an attendant has to pay."""
    local = datetime.fromtimestamp(house.local_ms(wall_ms) / 1000, tz=UTC)
    digits = house.money.minor_digits
    whole, fraction = divmod(amount_minor, 10**digits)
    amount = f"{whole}.{fraction:0{digits}d}" if digits else str(whole)
    return (
        *((_ascii(house.venue),) if _ascii(house.venue) else ()),
        "ATTENDANT PAY",
        "-" * WIDTH,
        f"Terminal  {house.terminal_id}",
        f"Pay-out   {slip_id}",
        f"Time      {local:%Y-%m-%d %H:%M:%S}",
        f"Amount    {amount} {currency}",
        "-" * WIDTH,
        "",
        "Attendant ______________________",
        "",
        "Player    ______________________",
    )


def void_slip(house: House, slip_id: str, wall_ms: int) -> tuple[str, ...]:
    """Return the lines of a test slip, which is worth nothing and says so."""
    local = datetime.fromtimestamp(house.local_ms(wall_ms) / 1000, tz=UTC)
    return (
        "TEST - VOID - NO VALUE",
        "-" * WIDTH,
        f"Terminal  {house.terminal_id}",
        f"Test      {slip_id}",
        f"Time      {local:%Y-%m-%d %H:%M:%S}",
        "-" * WIDTH,
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "0123456789 .,:;-+*/=()",
        "-" * WIDTH,
        "TEST - VOID - NO VALUE",
    )


def _ascii(text: str) -> str:
    plain = "".join(" " if letter.isspace() else letter for letter in text)
    return plain.encode("ascii", "ignore").decode("ascii").strip()[:WIDTH]
