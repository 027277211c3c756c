"""The host's match: the host writes the rules, asks sealed questions, and judges the answers by hand."""

from matches.games.hosts_match.game import HostsMatch

GAME = HostsMatch()
