// How long one was at work on the target at hand. Time in which nothing happened for minutes is not counted.

const IDLE = 180_000;
let counted = 0;
let last = performance.now();

function mark() {
  const now = performance.now();
  if (!document.hidden && now - last <= IDLE) counted += now - last;
  last = now;
}

export function takeSeconds() {
  mark();
  const seconds = Math.round(counted / 100) / 10;
  counted = 0;
  return seconds;
}

export function startClock() {
  for (const kind of ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchmove"]) addEventListener(kind, mark, { passive: true, capture: true });
  document.addEventListener("visibilitychange", () => { if (document.hidden) mark(); else last = performance.now(); });
}

export function spokenTime(seconds) {
  if (seconds < 50) return "less than a minute left";
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `about ${minutes} min left`;
  const hours = Math.round(minutes / 30) / 2;
  return `about ${hours} h left`;
}
