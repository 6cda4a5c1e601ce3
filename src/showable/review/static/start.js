// Making queues, and leaving.

import { $, fail, post } from "./rooms.js";

async function make(body, button) {
  button.disabled = true;
  const reply = await post("/api/queues", body);
  if (reply.ok) return location.assign(reply.said.url);
  button.disabled = false;
  fail(reply.said?.error);
}

const form = $("new");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const n = Number($("n").value);
  make({ kind: form.elements.kind.value, n, overlap: Math.min(n, Number($("overlap").value)) }, form.querySelector("button"));
});
$("hold-out")?.addEventListener("click", (event) => make({ kind: "hold_out" }, event.currentTarget));
$("leave").addEventListener("click", async () => {
  const reply = await post("/api/leave", {});
  if (!reply.ok) return fail(reply.said?.error);
  location.assign("/");
});
