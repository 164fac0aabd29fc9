"""What a simulation has counted, and the statistics of it. Not responsible for playing or for printing."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt


@dataclass(slots=True)
class Tally:
    """Results of rounds that all began with the same stake, ``initial_minor``, in minor units."""

    initial_minor: int
    staked_minor: int = 0
    paid_minor: int = 0
    rounds_by_net: Counter[int] = field(default_factory=Counter)

    def add(self, staked_minor: int, paid_minor: int) -> None:
        """Count one settled round."""
        self.staked_minor += staked_minor
        self.paid_minor += paid_minor
        self.rounds_by_net[paid_minor - staked_minor] += 1

    def add_many(self, staked_minor: int, rounds_by_net: Mapping[int, int]) -> None:
        """Count settled rounds: what was staked in all of them, and net result -> how many."""
        self.staked_minor += staked_minor
        self.paid_minor += staked_minor + sum(net_minor * count for net_minor, count in rounds_by_net.items())
        self.rounds_by_net.update(rounds_by_net)

    @property
    def round_count(self) -> int:
        """How many rounds have been counted."""
        return self.rounds_by_net.total()

    @property
    def mean(self) -> float:
        """The mean net result of a round, in initial bets."""
        return (self.paid_minor - self.staked_minor) / self.round_count / self.initial_minor

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of one round's net result, in initial bets."""
        squares = sum(count * net_minor**2 for net_minor, count in self.rounds_by_net.items())
        count, net = self.round_count, self.paid_minor - self.staked_minor
        variance = (squares - net * net / count) / max(1, count - 1)
        return sqrt(max(0.0, variance)) / self.initial_minor

    @property
    def standard_error(self) -> float:
        """The standard error of ``mean``, rounds taken as independent of each other."""
        return self.standard_deviation / sqrt(self.round_count)
