"""The operator and the cabinet of the menu's tests."""

from tests.operator_menu.conftest import busy, new_operator, operator

__all__ = ["busy", "new_operator", "operator"]
