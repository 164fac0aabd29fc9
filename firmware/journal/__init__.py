"""The journal: entries on storage, in order, chained, each commit durable before anybody hears of it."""
