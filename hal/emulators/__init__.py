"""Byte-level money devices: each speaks its protocol on a pseudo-terminal, or in one thread with a test.

Independent of ``hal.wire`` and ``hal.drivers`` on purpose: no command table and no state machine is shared, so a
mistake on one side shows on the other.
"""
