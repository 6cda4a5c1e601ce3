// Signing a candidate for the regression set. A word is shown as signed only once the server has it on disk.

import { $, data, fail, post, tell, typing } from "./rooms.js";

let busy = false;

async function sign(kind) {
  if (busy) return;
  busy = true;
  const reply = await post("/api/promotion", {
    candidate: data.candidate,
    kind,
    question: $("question").value,
    answer: $("answer").value,
    category: $("category").value,
    answerable: $("answerable").checked,
    evidence: [...document.querySelectorAll("[name=evidence]:checked")].map((box) => box.value),
    why: $("why").value,
  });
  busy = false;
  if (!reply.ok) return fail(reply.said?.error);
  fail(null);
  const { bucket, cause } = reply.said;
  $("tool").hidden = false;
  $("tool").textContent = `Signed: ${kind}. The tool said ${bucket}${cause ? ` (${cause.replaceAll("_", " ")})` : ""}.`;
  tell(kind === "accept" ? "Accepted" : "Rejected");
  $("said").textContent = $("tool").textContent;
}

$("bench").addEventListener("submit", (event) => {
  event.preventDefault();
  sign("accept");
});
$("reject")?.addEventListener("click", () => sign("reject"));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || (typing(event.target) && event.target.type !== "checkbox")) return;
  const press = { a: () => $("bench").requestSubmit(), r: () => sign("reject"), n: () => location.assign(data.next) }[event.key];
  if (!press || (event.key !== "n" && !$("accept"))) return;
  event.preventDefault();
  press();
});
