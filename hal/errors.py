"""What can go wrong below the contracts: each error also derives from the fitting builtin."""


class HalError(Exception):
    """Any error of the hardware layer."""


class PortError(HalError, OSError):
    """A port or chip can't be opened or has gone; the text names it and the remedy."""


class WiringError(HalError, ValueError):
    """The wiring table contradicts itself or asks for what a device can't do."""


class RemoteProtocolError(HalError, ValueError):
    """The other side sent bytes that no correct device sends; the only error that leaves ``hal.wire``."""


class LocalProtocolError(HalError, RuntimeError):
    """Our own program asked a protocol for something that is not allowed in its state."""
