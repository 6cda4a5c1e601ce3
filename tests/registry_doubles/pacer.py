"""PACER as it behaves: a login that is answered 200 either way, a search that costs, tokens that run out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass
class PacerDouble:
    cases: list[dict[str, Any]]
    login: tuple[str, str] = ("someone", "something")
    expire: int = 0
    """How many searches refuse their token before one is served."""
    billed: int = 1
    logins: list[dict[str, Any]] = field(default_factory=list)
    searches: list[dict[str, Any]] = field(default_factory=list)

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/services/cso-auth", self.sign_on)
        app.router.add_post("/pcl-public-api/rest/cases/find", self.find)
        return app

    async def sign_on(self, request: web.Request) -> web.Response:
        given = await request.json()
        self.logins.append(given)
        if (given.get("loginId"), given.get("password")) != self.login:
            return web.json_response(
                {"nextGenCSO": "", "loginResult": "13", "errorDescription": "Invalid username or password"}
            )
        return web.json_response(
            {"nextGenCSO": f"{len(self.logins):0>128}", "loginResult": "0", "errorDescription": ""}
        )

    async def find(self, request: web.Request) -> web.Response:
        wanted = await request.json()
        self.searches.append(wanted)
        if self.expire > 0 or len(request.headers.get("X-NEXT-GEN-CSO", "")) != 128:
            self.expire -= 1
            return web.Response(status=401)
        found = [
            case
            for case in self.cases
            if case["caseNumberFull"] == wanted["caseNumberFull"]
            and case["courtId"] in wanted.get("courtId", [case["courtId"]])
        ]
        if not found:
            return web.Response(status=204)
        receipt = {"billablePages": self.billed, "searchFee": f"{self.billed * 0.1:.2f}"}
        return web.json_response({"receipt": receipt, "pageInfo": {"number": 0, "totalPages": 1}, "content": found})
