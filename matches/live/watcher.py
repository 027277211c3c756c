"""An open socket, as the hub knows it: what it may see, and how to send to it."""

from collections.abc import Awaitable, Callable

from matches.live.admission import Admission, NotAdmitted
from matches.live.transport import Frame, Transport

RIGHTS_SECONDS = 60.0
"""How often a socket's rights are read again."""

# Close codes.
SIGNED_OUT = 4401
NOT_FOUND = 4404
RENEW = 4408
TOO_SLOW = 4413


class Watcher:
    """An open socket."""

    def __init__(
        self, admission: Admission, transport: Transport, born: float, readmit: Callable[[], Awaitable[Admission]]
    ) -> None:
        self._admission = admission
        self._readmit = readmit
        self.keys = admission.keys
        self.user_id = admission.user_id
        self.session = admission.session
        self.is_insider = admission.is_insider
        self.cares_for = admission.cares_for
        self.waits_as = admission.waits_as
        self.born = born
        self.recheck_at = born + RIGHTS_SECONDS
        self._transport = transport
        self._closed = False

    @property
    def is_behind(self) -> bool:
        return self._transport.is_behind

    async def recheck(self) -> int | None:
        try:
            present = await self._readmit()
        except NotAdmitted as refusal:
            return None if refusal.is_passing else refusal.close
        if present.user_id != self.user_id:
            return SIGNED_OUT
        return None if present == self._admission else RENEW

    def offer(self, frame: Frame) -> bool:
        return self._closed or self._transport.offer(frame)

    def close(self, code: int) -> None:
        if not self._closed:
            self._closed = True
            self._transport.close(code)
