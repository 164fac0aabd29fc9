"""Other people's hosts against our emulated devices; run by ``./croupier test --peers``, never by the plain suite.

Nothing of them is kept here: each is installed by its name from its registry into a temporary folder when the tests run.
"""
