"""`python -m genius_site.healthcheck http://127.0.0.1:8000`: asks /healthz; exit code 0 when it says that all is well.

It names the site's own host, since from inside a container the address is one that the site rightly refuses.
"""

from __future__ import annotations

import sys
import urllib.error
import urllib.request
from urllib.parse import urlsplit

from genius_site import env


def check(base_url: str) -> int:
    """Base address in, exit code out; the answer's text goes to stdout."""
    host = urlsplit(env.load_or_exit().site_url).netloc
    request = urllib.request.Request(f"{base_url}/healthz", headers={"Host": host})  # noqa: S310 (the caller's own)
    try:
        with urllib.request.urlopen(request, timeout=4) as answer:  # noqa: S310
            print(answer.read().decode())  # noqa: T201
            return 0
    except urllib.error.HTTPError as error:
        print(error.read().decode())  # noqa: T201
    except OSError as error:
        print(error)  # noqa: T201
    return 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m genius_site.healthcheck http://127.0.0.1:8000")
    sys.exit(check(sys.argv[1]))
