// Draws a line from each citation to its document. What the lines say stands beside the citations in words too.
const SVG = "http://www.w3.org/2000/svg";

function draw(board) {
  const svg = board.querySelector("svg.lines");
  const frame = board.getBoundingClientRect();
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  for (const cite of board.querySelectorAll("[data-to]")) {
    const document_ = cite.dataset.to && board.querySelector(`#${CSS.escape(cite.dataset.to)}`);
    if (!document_) continue; // a document that is not listed any more has no place to lead to
    const from = cite.getBoundingClientRect();
    const to = document_.getBoundingClientRect();
    if (to.left <= from.right) continue; // one column: nothing lies between
    const x1 = from.right - frame.left;
    const y1 = from.top + from.height / 2 - frame.top;
    const x2 = to.left - frame.left;
    const y2 = to.top + Math.min(22, to.height / 2) - frame.top;
    const middle = (x1 + x2) / 2;
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`);
    path.setAttribute("class", cite.dataset.tone);
    svg.append(path);
  }
}

for (const board of document.querySelectorAll("[data-drawn]")) {
  new ResizeObserver(() => draw(board)).observe(board);
  draw(board);
}
document.documentElement.dataset.ready = "yes";
