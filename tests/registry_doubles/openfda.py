"""openFDA's two drug endpoints: one record an application here, one a product there; a miss is a 404 in JSON."""

import re

from aiohttp import web

DRUGSFDA = [
    {
        "application_number": "NDA020702",
        "sponsor_name": "VIATRIS SPECIALTY",
        "products": [
            {
                "product_number": "001",
                "brand_name": "LIPITOR",
                "active_ingredients": [{"name": "ATORVASTATIN CALCIUM", "strength": "EQ 10MG BASE"}],
                "reference_drug": "Yes",
                "dosage_form": "TABLET",
                "route": "ORAL",
                "marketing_status": "Prescription",
                "te_code": "AB",
            }
        ],
        "submissions": [
            {"submission_type": "SUPPL", "submission_number": "2", "submission_status": "AP", "submission_status_date": "19960101"},
            {"submission_type": "ORIG", "submission_number": "1", "submission_status": "AP", "submission_status_date": "19961217"},
        ],
    },
    {
        "application_number": "ANDA076543",
        "sponsor_name": "SOME GENERICS",
        "products": [
            {"brand_name": "OLDPILL", "active_ingredients": [{"name": "EXAMPLINE"}], "marketing_status": "Discontinued"}
        ],
        "submissions": [],
    },
    {"application_number": "BLA125514", "sponsor_name": "MERCK SHARP DOHME", "products": [{"brand_name": "KEYTRUDA"}]},
]  # fmt: skip

ORANGEBOOK = [
    # The number stands in the products, and the type is a letter beside it.
    {
        "product_number": "001",
        "approval_date": "19961217",
        "products": [
            {
                "application_number": "020702",
                "application_type": "N",
                "application_full_name": "UPJOHN US 2 LLC",
                "brand_name": "LIPITOR",
                "active_ingredients": [{"name": "ATORVASTATIN CALCIUM", "strength": "EQ 10MG BASE"}],
                "marketing_status": "RX",
            }
        ],
        "patents": [{"patent_number": "5969156*PED"}],
        "exclusivity": [],
    },
    {
        "product_number": "002",
        "approval_date": "20000407",
        "products": [
            {"application_number": "020702", "application_type": "N", "brand_name": "LIPITOR", "marketing_status": "DISCN"}
        ],
    },
    # And the other way that readers describe it: in the record, with the type before it.
    {"application_number": "ANDA076543", "products": [{"brand_name": "OLDPILL", "marketing_status": "DISCN"}]},
]  # fmt: skip


def openfda(asked):
    """Serve both endpoints; `asked` gets the query of every request."""

    def serving(records, number_of):
        async def answer(request):
            asked.append(dict(request.query))
            numbers = re.findall(r'application_number:"((?:[^"\\]|\\.)*)"', request.query["search"])
            if not numbers:
                return web.json_response({"error": {"code": "BAD_REQUEST", "message": "Invalid query"}}, status=400)
            hits = [row for row in records if number_of(row) & set(numbers)]
            if not hits:
                return web.json_response({"error": {"code": "NOT_FOUND", "message": "No matches found!"}}, status=404)
            meta = {"last_updated": "2026-11-01", "results": {"skip": 0, "limit": 1, "total": len(hits)}}
            return web.json_response({"meta": meta, "results": hits})

        return answer

    app = web.Application()
    app.router.add_get("/drug/drugsfda.json", serving(DRUGSFDA, lambda row: {row["application_number"]}))
    app.router.add_get("/drug/orangebook.json", serving(ORANGEBOOK, _numbers))
    return app


def _numbers(row):
    rows = [row, *row["products"]]
    return {one["application_number"].lstrip("ABDLN") for one in rows if "application_number" in one}
