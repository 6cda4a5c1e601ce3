"""ClinicalTrials.gov, version 2: misses and malformed numbers in plain text, merged numbers as a redirect."""

import re

from aiohttp import web

ALIASES = {"NCT04000001": "NCT04437511"}
REFUSED = {"NCT00000005"}
"""Well formed by what is documented, and no number by the register's own rule."""


def study(number, status="COMPLETED", why=None):
    stopped = {"whyStopped": why} if why else {}
    return {
        "protocolSection": {
            "identificationModule": {
                "nctId": number,
                "nctIdAliases": [alias for alias, now in ALIASES.items() if now == number],
                "briefTitle": "A Study of Donanemab (LY3002813) in Participants With Early Alzheimer's Disease",
                "officialTitle": "Assessment of Safety, Tolerability, and Efficacy of Donanemab",
                "acronym": "TRAILBLAZER-ALZ 2",
                "organization": {"fullName": "Eli Lilly and Company"},
            },
            "statusModule": {"overallStatus": status, "startDateStruct": {"date": "2020-06-19"}, **stopped},
            "sponsorCollaboratorsModule": {"leadSponsor": {"name": "Eli Lilly and Company"}},
        },
        "hasResults": True,
    }


STUDIES = {
    "NCT04437511": study("NCT04437511"),
    "NCT00000002": study("NCT00000002", "WITHDRAWN", "no participants enrolled"),
    "NCT00000003": study("NCT00000099"),
}


def clinical_trials():
    async def answer(request):
        number = request.match_info["number"]
        if not re.fullmatch(r"NCT\d{8}", number) or number in REFUSED:
            return web.Response(status=400, text=f"`{number}` is not a valid NCT number")
        if number in ALIASES:
            raise web.HTTPMovedPermanently(f"/api/v2/studies/{ALIASES[number]}?{request.query_string}")
        if number == "NCT00000006":
            return web.Response(status=400, text="Bad Request")
        if number == "NCT00000004":
            return web.Response(status=404, text="<html>no such server here</html>", content_type="text/html")
        if number not in STUDIES:
            return web.Response(status=404, text=f"NCT number {number} not found")
        return web.json_response(STUDIES[number])

    app = web.Application()
    app.router.add_get("/api/v2/studies/{number}", answer)
    return app
