// Labels on their way. Each is kept in the browser until the server has said that it holds it, and sent under an id of its own,
// so that one sent twice arrives once.

import { data } from "./label_state.js";
import { enterAgain, post } from "./label_server.js";

const SCOPE = `showable-label:${data.run}:${data.name}:`;
const WAITS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];
const memory = new Map();
let sent = 0;
let failures = 0;
let stopped = "";
let running = null;
let held = false;
let wake = null;
let timer = 0;

const random = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// Where the browser has no storage, memory has to do; the page warns before it is left either way.
function keep(key, item) {
  try { localStorage.setItem(key, JSON.stringify(item)); } catch { memory.set(key, item); }
}

function drop(key) {
  memory.delete(key);
  try { localStorage.removeItem(key); } catch { /* it was in memory */ }
}

export function waitingItems() {
  const found = [...memory];
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(SCOPE)) found.push([key, JSON.parse(localStorage.getItem(key))]);
    }
  } catch { /* memory holds what there is */ }
  return found.filter(([, item]) => item).sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, item]) => ({ key, ...item }));
}

const handlers = { saved: () => {}, refused: () => {}, changed: () => {} };
export const onOutbox = (given) => Object.assign(handlers, given);

// `was` is what this page took to hold until now: the server says so where another tab had said something else.
export function put(target, value, { was, seconds }) {
  const body = { id: random(), record: data.record, queue: data.queue, ...target, value, was: was ?? null, seconds };
  sent += 1;
  keep(`${SCOPE}${String(Date.now()).padStart(15, "0")}-${String(sent).padStart(6, "0")}-${body.id}`, { body });
  drain();
}

export function outboxState() {
  const count = waitingItems().length;
  return { count, failing: failures > 0, stopped };
}

// Resolves when nothing waits (true), or when the next attempt failed (false).
const waiters = [];
const tell = (all) => waiters.splice(0).forEach((resolve) => resolve(all));
export function settled() {
  if (!waitingItems().length) return Promise.resolve(true);
  return new Promise((resolve) => { waiters.push(resolve); tryNow(); });
}

export function tryNow() {
  stopped = "";
  failures = 0;
  clearTimeout(timer);
  wake?.();
  return drain();
}

// Nothing is sent while `act` is under way: what is labelled during an undo comes after it, and is not what it takes back.
export async function withNothingSent(act) {
  held = true;
  try { return await act(); } finally {
    held = false;
    if (waitingItems().length) drain();
  }
}

export function drain() {
  if (held) { handlers.changed(); return Promise.resolve(); }
  running ||= sendAll().finally(() => { running = null; tell(!waitingItems().length); handlers.changed(); });
  handlers.changed();
  return running;
}

async function sendAll() {
  for (let item = waitingItems()[0]; item && !stopped; item = waitingItems()[0]) {
    const reply = await post("/api/labels", item.body).catch(() => ({ status: 0 }));
    if (reply.ok) {
      failures = 0;
      drop(item.key);
      handlers.saved(item.body, reply.said);
    } else if (reply.status === 401 || reply.status === 403) {
      const how = await enterAgain();
      if (how === "away") await later();
      else if (how !== "back" || failures > 3) stopped = how === "back" ? "the server refuses this page" : how;
      else failures += 1;
    } else if (reply.status === 0 || reply.status >= 500 || reply.status === 429 || reply.status === 408) {
      await later();
    } else {
      drop(item.key);
      handlers.refused(item.body, reply.said?.error || `the server answered ${reply.status}`);
    }
    handlers.changed();
  }
}

// The first failure lets whoever waits know at once; the next attempt comes by itself.
async function later() {
  const wait = WAITS[Math.min(failures, WAITS.length - 1)];
  failures += 1;
  tell(false);
  handlers.changed();
  await new Promise((resolve) => { wake = resolve; timer = setTimeout(resolve, wait); });
  wake = null;
}

addEventListener("online", () => { if (waitingItems().length) tryNow(); });
addEventListener("beforeunload", (event) => { if (waitingItems().length) event.preventDefault(); });
