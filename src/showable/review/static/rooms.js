// What the pages around the labelling page share: the data that came with the page, posting, and saying what happened.

export const $ = (id) => document.getElementById(id);
export const data = JSON.parse($("data").textContent);
let quiet = null;

export async function post(path, body) {
  try {
    const reply = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json", "X-Showable": data.token }, body: JSON.stringify(body), credentials: "same-origin", redirect: "error" });
    const said = await reply.json().catch(() => null);
    return { ok: reply.ok && said !== null, status: reply.status, said };
  } catch {
    return { ok: false, status: 0, said: { error: "the server does not answer: nothing was kept. Start it again, then load this page again" } };
  }
}

export function fail(said) {
  const place = $("trouble");
  place.hidden = said === null;
  place.textContent = said === null ? "" : said || "the server refused it";
  if (said !== null) place.scrollIntoView({ block: "nearest" });
}

export function tell(said) {
  $("toast").textContent = said;
  $("toast").classList.add("on");
  clearTimeout(quiet);
  quiet = setTimeout(() => $("toast").classList.remove("on"), 2500);
}

export function freshId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const typing = (element) => element.closest("input, textarea, select") !== null;
