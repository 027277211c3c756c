"""The name of a browser, as people say it, from what it sends with each request."""

from __future__ import annotations


def name_of(user_agent: str) -> str:
    """`Firefox 133 on Windows`; for a program that is not known, the beginning of what it sent."""
    from ua_parser import parse  # hundreds of patterns, which only the few pages that show browsers need

    found = parse(user_agent)
    if found.user_agent is None:
        return user_agent[:60] or "an unknown browser"
    version = f" {found.user_agent.major}" if found.user_agent.major else ""
    system = f" on {found.os.family}" if found.os else ""
    return f"{found.user_agent.family}{version}{system}"
