"""Each package that a site installs may be used and passed on with it, as its own licence says."""

from __future__ import annotations

import re
from importlib import metadata

import pytest

from tests.architecture.files import ROOT

TAKEN = re.compile(r"\b(?:MIT|BSD|Apache|ISC|PSF|Python Software Foundation|MPL|Mozilla|ZPL|Zope|Unlicense|LGPL)", re.I)
"""Licences that ask for a notice, and no more, of those who only use a package."""

SAYS_NOTHING_TO_PROGRAMS = {"resvg-py": "MIT"}
"""Packages whose metadata has no licence, and what their files say."""


def packages() -> list[str]:
    return re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements.lock").read_text(), re.M)


def licence_of(package: str) -> str:
    """What its metadata says; empty where it is not installed, since it is for another system or an older Python."""
    try:
        told = metadata.metadata(package)
    except metadata.PackageNotFoundError:
        return ""
    kinds = [each.rpartition("::")[2].strip() for each in told.get_all("Classifier") or [] if "License ::" in each]
    said = told.get("License-Expression") or " ".join(kinds) or (told.get("License") or "").split("\n")[0]
    return SAYS_NOTHING_TO_PROGRAMS.get(package, said) or "none"


def test_every_package_has_a_licence_that_is_taken() -> None:
    found = {package: licence for package in packages() if (licence := licence_of(package))}
    assert len(found) > 50
    assert {package: licence for package, licence in found.items() if not TAKEN.search(licence)} == {}


@pytest.mark.parametrize("licence", ["GPL-3.0-only", "AGPL-3.0-or-later", "Proprietary", "none"])
def test_others_would_be_found(licence: str) -> None:
    assert not TAKEN.search(licence)
