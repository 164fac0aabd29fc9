"""A PAR sheet as text for people. Not responsible for the figures."""

from fractions import Fraction
from typing import Any


def sheet_text(sheet: dict[str, Any]) -> str:
    """Return a sheet, given as plain JSON values, as lines of text."""
    lines = [
        f"{sheet['game']}: PAR sheet for rules {sheet['rules_version']}, profile {sheet['profile_digest'][:16]}",
        *_figures(sheet),
    ]
    for name, bet in sheet.get("bets", {}).items():
        if name != sheet["stake"]:
            lines += ["", f"bet on {name}", *_figures(bet)]
    if "blind_box" in sheet:
        blind = sheet["blind_box"]
        lines.append(
            f"\nblind box: house edge {blind['house_edge_percent']:.4f} %, standard deviation {blind['standard_deviation']:.4f}"
        )
    if "by_upcard" in sheet:
        lines += ["", "by the dealer's open card    edge      best play"]
        for row in sheet["by_upcard"]:
            play = ", ".join(f"{name} {share:.2f} %" for name, share in row["play_percent"].items())
            half = _between(row.get("house_edge_interval_percent"))
            lines.append(f"  {row['upcard']}                  {row['house_edge_percent']:+10.4f} %   {play}{half}")
    if "jackpot" in sheet:
        lines += ["", *_jackpot(sheet["jackpot"])]
    return "\n".join(lines) + "\n"


def _figures(sheet: dict[str, Any]) -> list[str]:
    measured = sheet.get("intervals", {})

    def within(key: str) -> str:
        return _between(measured.get(key))

    wager, hits = float(Fraction(sheet["average_wager"])), f"{sheet['hit_frequency_percent']:.4f} %"
    lines = [
        f"  house edge           {sheet['house_edge_percent']:+.6f} % of the {sheet['stake']}   = {sheet['house_edge']}"
        + within("house_edge_percent"),
        f"  return               {sheet['rtp_percent']:.6f} %",
        f"  average wager        {wager:.6f}{within('average_wager')}",
        f"  element of risk      {sheet['element_of_risk_percent']:+.6f} % of all money put up"
        + within("element_of_risk_percent"),
        f"  standard deviation   {sheet['standard_deviation']:.6f}   variance {sheet['variance']:.6f}"
        + within("standard_deviation"),
        f"  hit frequency        {hits}{within('hit_frequency_percent')}",
        f"  highest win          {sheet['maximum_win']:g}   volatility index (90 %) {sheet['volatility_index']:.4f}",
    ]
    lines += [
        f"  return in {band['games']:>10,} games, 95 %:  {band['low_percent']:.3f} to {band['high_percent']:.3f} %"
        for band in sheet["confidence_band"]
    ]
    width = max(44, *(len(line["name"]) for line in sheet["lines"]))
    lines += ["", f"  {'outcome':<{width}} {'net':>9} {'chance %':>14} {'adds %':>10}  combinations"]
    for line in sheet["lines"]:
        lines.append(
            f"  {line['name']:<{width}} {line['net']:>+9.4g} {line['probability_percent']:>14.8f} "
            f"{line['contribution_percent']:>+10.4f}  {line.get('combinations', '')}".rstrip()
            + _between(line.get("probability_interval_percent"), digits=8)
        )
    if "total_combinations" in sheet:
        lines.append(f"  of {sheet['total_combinations']:,} combinations")
    lines.append("")
    lines += [f"  {note}" for note in sheet["method"]]
    lines += ["  exact throughout"] if sheet["exact"] is True else [f"  not exact: {note}" for note in sheet["exact"]]
    return lines


def _between(interval: list[float] | None, digits: int = 4) -> str:
    """Say between what a figure lies that was measured; nothing of one that is exact."""
    return "" if interval is None else f"   between {interval[0]:.{digits}f} and {interval[1]:.{digits}f}"


def _jackpot(jackpot: dict[str, Any]) -> list[str]:
    lines = [
        f"jackpot side bet: returns {jackpot['fixed_return']} + {jackpot['return_per_unit_of_meter']} for every unit in the meter",
        f"  at the seed {jackpot['return_percent_at_seed']:.4f} %, at the cap {jackpot['return_percent_at_cap']:.4f} %",
    ]
    if "break_even_meter_minor" in jackpot:
        lines.append(f"  even at a meter of {jackpot['break_even_meter_minor'] / 100:,.2f} credits")
    return lines
