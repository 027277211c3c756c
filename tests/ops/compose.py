"""docker-compose.yml as Docker would read it: variables filled in from a given environment."""

import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
VARIABLE = re.compile(r"\$\$|\$\{(\w+)(?:(:[-?])([^}]*))?\}")


ASKED_FOR = ("SECRET_KEY", "SITE_URL", "EMAIL_URL", "POSTGRES_PASSWORD", "POSTGRES_SITE_PASSWORD")
"""What an operator has to give."""


class Missing(Exception):
    """A variable marked with `:?` is not given."""


def load(environment: dict[str, str], name: str = "docker-compose.yml") -> dict[str, Any]:
    """A file as nested dictionaries, anchors merged and then, as Docker does it, `${…}` filled in."""

    def fill(match: re.Match[str]) -> str:
        name, kind, rest = match.groups()
        if name is None:
            return "$"
        value = environment.get(name, "")
        if not value and kind == ":?":
            raise Missing(name)
        return value or (rest if kind == ":-" else "")

    def walk(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: walk(value) for key, value in node.items()}
        if isinstance(node, list):
            return [walk(value) for value in node]
        return VARIABLE.sub(fill, node) if isinstance(node, str) else node

    file: dict[str, Any] = walk(yaml.safe_load((ROOT / name).read_text()))
    return file
