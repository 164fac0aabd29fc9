"""The page of the fair shuffle: the commitment to the next shoe, the player's cut, and the proof of a past hand.

What is still secret never gets here: a proof is shown when its shoe is finished. Not responsible for commitments
(``firmware.fairness``) or for when a shoe is finished (``terminal.state``).
"""

from functools import lru_cache
from typing import Final

from display.view_model import PadKey, PageRow, PageView, Text
from firmware.fairness.commitment import card_count
from firmware.fairness.proof import ShoeProof
from firmware.presenter.vocabulary import ACTIONS, GAMES, UNNAMED_GAME
from firmware.rounds.live import RoundEntries
from firmware.terminal.controls import PAD_KEYS
from firmware.terminal.decide_pages import NUMBER
from firmware.terminal.decide_shoe import commitment_shown, may_cut
from firmware.terminal.state import State
from firmware.terminal.step import Environment

_GROUP: Final = 4
_HOW_IT_WORKS: Final = (
    PageRow(Text("fairness", "How it works"), tone="heading"),
    PageRow(
        Text(
            "fairness",
            "The shoe is shuffled before you bet. The commitment is the SHA-256 digest of its name, a secret salt and the "
            "order of the cards: it tells nothing of them, but no other order gives it. Note it down.",
        )
    ),
    PageRow(
        Text(
            "fairness",
            "You may cut: as many cards as you like go from the top under the others, and nobody could know how many. Or type "
            "any number: what is left of it after dividing by the number of cards is your cut.",
        )
    ),
    PageRow(
        Text(
            "fairness",
            "When the shoe is finished, salt and order are shown here, as words and as a QR code. With them anybody can "
            "make the commitment again.",
        )
    ),
)
_PAD: Final = (*(PadKey(ACTIONS.get(f"digit:{key}", key), f"button:digit:{key}") for key in PAD_KEYS),)
_MOST_CARDS_IN_WORDS: Final = 52


def fairness_page(state: State, environment: Environment) -> PageView:
    """Return the page."""
    past = past_hand(state)
    proof = proof_of(state, past) if past is not None else None
    typing = state.screen.pages.typed is not None and may_cut(state, environment)
    return PageView(
        Text("fairness", "Fair shuffle"),
        (*_next_shoe(state, environment), *_past_rows(past, proof)),
        path=(Text("fairness", "The cards are fixed before the bets, and you can check it"),),
        footer=Text(
            "fairness", "Check it yourself: croupier fairness verify, or the page verifier.html on any computer"
        ),
        pad=_PAD if typing else (),
        qr=qr_rows(proof.as_text()) if proof is not None and not typing else (),
        qr_caption=Text("fairness", "The proof of this round's shoe") if proof is not None and not typing else None,
    )


def past_hand(state: State) -> RoundEntries | None:
    """Return the past hand that the player looks at."""
    pages, history = state.screen.pages, state.recorded.own_history
    return history[-1 - pages.hands_back] if pages.hands_back < len(history) else None


def proof_of(state: State, past: RoundEntries) -> ShoeProof | None:
    """Return the proof of a past hand's shoe; None while the shoe may go on, or when it was not committed to."""
    if not state.recorded.is_finished(past.opened.game, past.shoe.shoe_id):
        return None
    return past.shoe.proof


@lru_cache(maxsize=8)
def qr_rows(text: str) -> tuple[str, ...]:
    """Return a text as the rows of a QR code, ``1`` for a dark cell."""
    # It brings half a web client along, which no start should wait for.
    import segno

    code = segno.make_qr(text, error="l", boost_error=False)
    return tuple("".join("1" if cell else "0" for cell in row) for row in code.matrix)


def grouped(digest: str) -> str:
    """Return a digest or salt in groups of four capitals, so that it can be copied by hand."""
    return " ".join(digest[index : index + _GROUP].upper() for index in range(0, len(digest), _GROUP))


def _next_shoe(state: State, environment: Environment) -> tuple[PageRow, ...]:
    offer = environment.games.get(state.screen.game)
    commitment = commitment_shown(state, offer) if offer is not None else ""
    if not commitment:
        return (PageRow(Text("fairness", "Sit down at a table: its shoe is committed to before the first bet")),)
    cuttable = may_cut(state, environment)
    head = Text("fairness", "Commitment to the next shoe") if cuttable else Text("fairness", "Commitment to this shoe")
    rows = [
        PageRow(head, tone="heading"),
        PageRow(Text("fairness", "{digest}", (("digest", grouped(commitment)),)), tone="good"),
    ]
    if cuttable:
        count = state.screen.cut
        none = Text("fairness", "none")
        cards = Text("fairness", "{count} card", plural="{count} cards", count=count)
        rows.append(PageRow(Text("fairness", "Your cut: from the top to the bottom"), cards if count else none))
        typed = state.screen.pages.typed
        number = none if typed is None else typed or "_"
        rows.append(
            PageRow(Text("fairness", "Your number"), number, target=f"page:row:{NUMBER}", selected=typed is not None)
        )
    return tuple(rows)


def _past_rows(past: RoundEntries | None, proof: ShoeProof | None) -> tuple[PageRow, ...]:
    if past is None:
        return _HOW_IT_WORKS
    game = (("number", past.opened.number), ("game", GAMES.get(past.opened.game, UNNAMED_GAME)))
    rows = [PageRow(Text("fairness", "Proof of round {number}, {game}", game), tone="heading")]
    if proof is None and past.shoe.commitment:
        return (*rows, PageRow(Text("fairness", "Its shoe goes on; the proof is shown when the shoe is finished")))
    if proof is None:
        return (*rows, PageRow(Text("fairness", "Its shoe was dealt without a commitment")))
    cut = Text("fairness", "{count} card", plural="{count} cards", count=proof.cut)
    rows += [
        PageRow(Text("fairness", "Commitment {digest}", (("digest", grouped(proof.commitment)),))),
        PageRow(Text("fairness", "Salt {digest}", (("digest", grouped(proof.salt)),))),
        PageRow(Text("fairness", "Shoe"), proof.shoe_id),
        PageRow(Text("fairness", "Cut"), cut if proof.cut else Text("fairness", "none")),
    ]
    if card_count(proof.order) <= _MOST_CARDS_IN_WORDS:
        cards = " ".join(proof.order[index : index + 2] for index in range(0, len(proof.order), 2))
        rows.append(PageRow(Text("fairness", "Order before the cut: {cards}", (("cards", cards),))))
    return tuple(rows)
