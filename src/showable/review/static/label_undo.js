// Taking back the last label. A reply that is lost leaves open whether it was done: then what stands is read again first.

import { settled, waitingItems, withNothingSent } from "./label_outbox.js";
import { drawProgress, tell } from "./label_says.js";
import { enterAgain, post } from "./label_server.js";
import { data, keyOf, mine, nameOf, placeName, steps, targetOf, view } from "./label_state.js";

const acts = { go: () => {}, compare: async () => null, stands: () => {}, leave: () => {} };
export const onUndo = (given) => Object.assign(acts, given);

let unsure = false;
export const undoUnsure = () => unsure;

const standsNow = (key) => `${placeName(key)}: ${mine.has(key) ? `${nameOf(targetOf(key).about, mine.get(key))} again` : "taken back"}`;
const ofClaim = (key) => steps.findIndex((step) => (key.startsWith("claim_kind") ? step.claim === targetOf(key).claim : step.key === key));

function show(key) {
  const at = ofClaim(key);
  view.before = null;
  acts.go(at < 0 || document.activeElement?.closest("input, textarea") ? view.at : at);
}

export async function undo() {
  if (!(await settled())) { tell("Undo needs the server. Until it is back, press another key to change a label."); return; }
  if (unsure) { await seeWhatStands(); return; }
  const reply = await withNothingSent(() => post("/api/undo", { queue: data.queue }).catch(() => ({ status: 0 })));
  if (!reply.ok && (reply.status === 0 || reply.status >= 500 || !reply.said)) { await seeWhatStands(); return; }
  if (!reply.ok) { tell(reply.said.error || "The server refused; nothing was taken back."); acts.compare(true); return; }
  const { undone, now, record, queue, position, progress } = reply.said;
  if (!undone) { tell("There is nothing to undo."); return; }
  if (progress) drawProgress(progress);
  if (record !== data.record) {
    if (position) acts.leave(`/label/${encodeURIComponent(queue)}/${position}`); else tell("Your last label, on an answer of no queue of yours, was taken back.");
    return;
  }
  await settled();
  const key = keyOf(undone.about, undone.claim, undone.citation);
  const newer = ({ body }) => body.record === record && keyOf(body.about, body.claim, body.citation) === key;
  if (!(await acts.compare(false)) && !waitingItems().some(newer)) acts.stands(key, now?.value);
  tell(`${standsNow(key)}.`);
  show(key);
}

// Until the page is known to be as the server has it, nothing more is taken back.
export async function seeWhatStands() {
  unsure = true;
  tell("The reply to undo was lost: it is not known whether your last label was taken back.");
  const changed = (await enterAgain()) === "back" ? await acts.compare(false) : null;
  if (!changed) return;
  unsure = false;
  const where = mine.size ? "z tries again" : "look at the one before";
  tell(changed.length ? `${changed.map(standsNow).join("; ")}. (The reply to undo was lost; this stands now.)` : `The reply to undo was lost. Nothing on this answer was taken back: ${where}.`);
  if (changed.length) show(changed[0]);
}
