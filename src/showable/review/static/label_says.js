// What the page says beside its work: aloud, in passing, at trouble, and how far one is.

import { spokenTime } from "./label_clock.js";
import { $ } from "./label_state.js";

const TIME_AFTER = 3;

export function say(words) {
  $("said").textContent = words;
}

let toasted = 0;
export function tell(words) {
  $("toast").textContent = words;
  $("toast").classList.add("on");
  clearTimeout(toasted);
  toasted = setTimeout(() => $("toast").classList.remove("on"), 4000);
}

export function trouble(words) {
  $("trouble").textContent = words;
  $("trouble").hidden = !words;
}

export function drawProgress(progress) {
  $("done").textContent = progress.done;
  $("of").textContent = progress.of;
  $("progress-bar").max = Math.max(1, progress.of);
  $("progress-bar").value = progress.done;
  const known = progress.done >= TIME_AFTER && progress.seconds_left !== null && progress.done < progress.of;
  $("time-left").hidden = !known;
  if (known) $("time-left").textContent = spokenTime(progress.seconds_left);
}
