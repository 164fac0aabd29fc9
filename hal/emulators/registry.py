"""Which emulated devices there are: protocol -> module and class, one line each.

A class derives from ``hal.emulators.base.Emulator``, has its protocol's name in ``protocol`` and can be made with no
argument but ``faults``. Its module is imported only when it is wanted.
"""

import importlib

from hal.emulators.base import Emulator, ScriptError

EMULATORS: dict[str, str] = {
    "cctalk": "hal.emulators.cctalk_bus:CctalkWire",
    "cctalk-coin": "hal.emulators.cctalk_coin:CctalkCoinAcceptor",
    "cctalk-hopper": "hal.emulators.cctalk_hopper:CctalkHopper",
    "cctalk-note": "hal.emulators.cctalk_note:CctalkBillValidator",
    "ccnet": "hal.emulators.ccnet:CcnetValidator",
    "ebds": "hal.emulators.ebds:EbdsAcceptor",
    "escpos": "hal.emulators.escpos:EscposPrinter",
    "id003": "hal.emulators.id003:Id003Acceptor",
    "ssp": "hal.emulators.ssp:SspValidator",
}


def emulator_class(protocol: str) -> type[Emulator]:
    """Return the class of a protocol's device. Raises ``ScriptError`` for a protocol that there isn't."""
    if protocol not in EMULATORS:
        raise ScriptError(f"there is no emulated device {protocol}; there are {', '.join(sorted(EMULATORS))}")
    module_name, class_name = EMULATORS[protocol].split(":")
    device: type[Emulator] = getattr(importlib.import_module(module_name), class_name)
    return device
