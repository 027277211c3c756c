"""Checks a site from the command line: `python -m genius_site.healthcheck http://127.0.0.1:8000 [/readyz]`.

Asks at that path, or at /healthz, which says more. The exit code is 0 if everything works.
"""

import sys
import urllib.error
import urllib.request


def check(base_url: str, path: str = "/healthz") -> int:
    """Ask the site at that URL, print its answer, and return the exit code."""
    try:
        with urllib.request.urlopen(f"{base_url}{path}", timeout=4) as answer:  # noqa: S310 (the caller's own)
            print(answer.read().decode())  # noqa: T201
            return 0
    except urllib.error.HTTPError as error:
        with error:
            print(error.read().decode())  # noqa: T201
    except OSError as error:
        print(error)  # noqa: T201
    return 1


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python -m genius_site.healthcheck http://127.0.0.1:8000 [/readyz]")
    sys.exit(check(*sys.argv[1:]))
