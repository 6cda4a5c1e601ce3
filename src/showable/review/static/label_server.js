// Talking with the server: posts under this session, the page read again, and the way back in after the server was away.

import { data } from "./label_state.js";

let token = data.token;

export async function post(path, body) {
  const reply = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json", "X-Showable": token }, body: JSON.stringify(body), credentials: "same-origin", redirect: "error" });
  const said = await reply.json().catch(() => null);
  return { status: reply.status, ok: reply.ok && said !== null, said };
}

async function pageOf(address) {
  const reply = await fetch(address, { credentials: "same-origin", cache: "no-store" });
  return reply.ok ? new DOMParser().parseFromString(await reply.text(), "text/html") : null;
}

async function pageData(address) {
  const held = (await pageOf(address))?.getElementById("data");
  return held ? JSON.parse(held.textContent) : null;
}

// The page of another answer, where it is one of this person's in this run; null where the browser has to go there itself.
export async function pageToLayIn(address) {
  const page = await pageOf(address).catch(() => null);
  const held = page?.getElementById("left") && page.getElementById("data");
  const next = held ? JSON.parse(held.textContent) : null;
  if (!next || next.name !== data.name || next.role !== data.role || next.run !== data.run) return null;
  token = next.token;
  return page;
}

// This page as the server would show it now; null where it would show another one, or nobody is known there any more.
export async function readAgain() {
  const now = await pageData(location.pathname).catch(() => null);
  if (!now || now.record !== data.record || now.name !== data.name) return null;
  token = now.token;
  return now;
}

// A server that was started again knows nobody. The same person in the same role enters again; where somebody else has
// entered in this browser meanwhile, nothing is sent in their name.
export async function enterAgain() {
  try {
    const now = await pageData(location.pathname);
    if (now && now.name) {
      if (now.name === data.name) token = now.token;
      return now.name === data.name ? "back" : `${now.name} has entered in this browser`;
    }
    const start = await pageData("/");
    const held = start && (start.token || start.csrf);
    if (!held) return "the start page has to be opened again";
    if (start.name && start.name !== data.name) return `${start.name} has entered in this browser`;
    token = held;
    const entered = await post("/api/enter", { name: data.name, role: data.role });
    if (!entered.ok) return entered.said?.error || "entering again was refused";
    const again = await pageData(location.pathname);
    if (!again || again.name !== data.name) return "the start page has to be opened again";
    token = again.token;
    return "back";
  } catch {
    return "away";
  }
}
