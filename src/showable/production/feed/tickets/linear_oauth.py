"""OAuth tokens of Linear in a file of their own: the refresh token rotates, so it is on disk before it is used.

https://linear.app/developers/oauth-2-0-authentication. One process renews at a time; another that finds newer tokens takes these.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlencode

from showable.errors import SettingError
from showable.own_files import make_folder, open_regular, read_regular, replacing
from showable.production.feed.tickets.ticket import LockedOutError, RefusedError
from showable.production.feed.tickets.way_out import WayOut, decoded

AUTHORIZE = "https://linear.app/oauth/authorize"
PUBLIC = "https://api.linear.app"
SCOPES = "read,write,issues:create,comments:create"
_EARLY_S = 120.0


@dataclass(frozen=True, slots=True)
class OAuthTokens:
    """An access token, what renews it, and when it expires (Unix seconds)."""

    access: str
    refresh: str
    expires: float


def authorize_url(client: str, redirect: str, state: str) -> str:
    """Return the address that a person opens to let the app in, as the app itself (actor=app)."""
    asked = {
        "client_id": client,
        "redirect_uri": redirect,
        "response_type": "code",
        "scope": SCOPES,
        "state": state,
        "actor": "app",
    }
    return f"{AUTHORIZE}?{urlencode(asked)}"


@dataclass(frozen=True, slots=True)
class LinearOAuth:
    """Access tokens from a file, renewed when they expire or are not taken. `clock` gives Unix seconds."""

    way: WayOut
    path: Path
    client: str
    secret: str
    clock: Callable[[], float]
    address: str = PUBLIC

    async def __call__(self, *, refused: str | None = None) -> str:
        """Return the header's value. Raises LockedOutError where no token can be had."""
        tokens = self._read()
        if self._is_good(tokens, refused):
            return f"Bearer {tokens.access}"
        with self._renewing():
            tokens = self._read()  # somebody else may have renewed them meanwhile
            if not self._is_good(tokens, refused):
                tokens = await self._fetch({"grant_type": "refresh_token", "refresh_token": tokens.refresh})
        return f"Bearer {tokens.access}"

    async def connect(self, code: str, redirect: str) -> None:
        """Change the code of an authorization for the first tokens. Raises a DeliveryError."""
        make_folder(self.path.parent)
        with self._renewing():
            await self._fetch({"grant_type": "authorization_code", "code": code, "redirect_uri": redirect})

    def _is_good(self, tokens: OAuthTokens, refused: str | None) -> bool:
        return self.clock() < tokens.expires - _EARLY_S and refused != f"Bearer {tokens.access}"

    async def _fetch(self, asked: dict[str, str]) -> OAuthTokens:
        form = {**asked, "client_id": self.client, "client_secret": self.secret}
        try:
            said = decoded(await self.way.call("POST", f"{self.address}/oauth/token", form=form))
        except RefusedError as error:
            raise LockedOutError(
                f"the tokens cannot be renewed: {error}; `showable feed tickets connect` gets new ones"
            ) from None
        access, refresh, lasts = said.get("access_token"), said.get("refresh_token"), said.get("expires_in")
        if not isinstance(access, str) or not isinstance(lasts, int | float):
            raise LockedOutError("Linear gave no access token")
        tokens = OAuthTokens(
            access, refresh if isinstance(refresh, str) else asked.get("refresh_token", ""), self.clock() + lasts
        )
        with replacing(self.path) as handle:
            os.fchmod(handle.fileno(), 0o600)
            handle.write(json.dumps(asdict(tokens)).encode())
        return tokens

    def _read(self) -> OAuthTokens:
        try:
            return OAuthTokens(**json.loads(read_regular(self.path)))
        except FileNotFoundError:
            raise LockedOutError("not connected yet; `showable feed tickets connect` does") from None
        except (OSError, ValueError, TypeError) as error:
            raise SettingError(
                f"{self.path}: no OAuth tokens ({error}); `showable feed tickets connect` writes them"
            ) from None

    @contextmanager
    def _renewing(self) -> Iterator[None]:
        lock = open_regular(self.path.with_name(f"{self.path.name}.lock"), "a+")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            lock.close()
