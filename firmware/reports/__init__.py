"""Reports: pages of the operator's menu as text, table, JSON and a page to print."""
