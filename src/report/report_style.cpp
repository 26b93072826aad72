// How the page looks on a screen, a phone, in the dark and on paper; and what happens when a reader points at a chart.
#include "report/report_style.h"

namespace equipoise {

// Colours after Okabe and Ito, darkened on white and lightened on black until they stand out.
const char* const kLightColours =
    R"css(color-scheme: light; --back: #fff; --box: #f6f7f9; --text: #1b1f24; --soft: #57606a; --line: #d0d7de; --link: #0b5cad;
  --c0: #0072b2; --c1: #c04f00; --c2: #00805d; --c3: #b0568a; --c4: #a86f00; --c5: #2f86c4; --c6: #55565a; --c7: #7a4ec2;)css";

const char* const kReportStyle = R"css(
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --back: #14171b; --box: #1d2126; --text: #e6e9ed; --soft: #a3adb8; --line: #363d46; --link: #7ab8ff;
    --c0: #4aa8e0; --c1: #ff8a4c; --c2: #2fc79b; --c3: #e296c0; --c4: #eeb43c; --c5: #8fd0ff; --c6: #c3c7cd; --c7: #b79bff; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 72rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .5rem; padding-top: .6rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.02rem; margin: 1.4rem 0 .3rem; }
a { color: var(--link); }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1rem; padding: 0; margin: .8rem 0; list-style: none; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 1rem 0; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
pre, code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .85rem; }
pre { padding: .7rem; background: var(--box); border: 1px solid var(--line); border-radius: .3rem; white-space: pre-wrap;
  overflow-wrap: anywhere; }
.note, figcaption { color: var(--soft); font-size: .85rem; }
.warning { padding: .6rem .8rem; border-left: 4px solid var(--c1); background: var(--box); })css";

const char* const kPartStyle = R"css(
.scroll { overflow-x: auto; margin: .8rem 0 .3rem;  /* a shadow at the right edge while there is more to scroll to */
  background: linear-gradient(var(--back), var(--back)) right / 1.4rem 100% no-repeat local,
    linear-gradient(to left, var(--line), transparent) right / 1rem 100% no-repeat scroll; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .25rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
td:not(.number) { overflow-wrap: anywhere; }
thead th { background: var(--box); vertical-align: bottom; }
th.number, td.number { text-align: right; white-space: nowrap; }
th[scope=row] { font-weight: 500; position: sticky; left: 0; background: var(--back); max-width: 13rem; }
details { margin: .6rem 0; }
summary { cursor: pointer; color: var(--link); }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); gap: 1rem 1.5rem; align-items: start;
  margin: .8rem 0; }
.figures.small { grid-template-columns: repeat(auto-fill, minmax(min(100%, 14.5rem), 1fr)); }
figure { margin: 0; max-width: 33rem; min-width: 0; }
.small figure { max-width: 22rem; }
svg.chart { display: block; width: 100%; height: auto; touch-action: pan-y; }
svg text { font: 11px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--text); }
svg .tick { fill: var(--soft); font-size: 10.5px; }
svg .label { fill: var(--soft); }
svg path { fill: none; }
svg .grid { stroke: var(--line); stroke-width: .6; }
svg .axis { stroke: var(--soft); stroke-width: 1; }
svg .diagonal { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 4 4; }
svg .curve { stroke: var(--c); stroke-width: 1.6; stroke-linejoin: round; }
svg .bar { stroke: var(--c); stroke-width: 1.2; }
svg .mark { fill: var(--c); stroke: var(--back); stroke-width: .8; }
.s0 { --c: var(--c0); } .s1 { --c: var(--c1); } .s2 { --c: var(--c2); } .s3 { --c: var(--c3); }
.s4 { --c: var(--c4); } .s5 { --c: var(--c5); } .s6 { --c: var(--c6); } .s7 { --c: var(--c7); }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin: .2rem 0 0; padding: 0; list-style: none; font-size: .82rem; }
.legend li { display: flex; align-items: center; gap: .35rem; }
.key { flex: none; })css";

const char* const kMediaStyle = R"css(
#tip { position: fixed; z-index: 9; max-width: min(20rem, 90vw); padding: .3rem .55rem; border-radius: .25rem; pointer-events: none;
  font-size: .82rem; background: var(--text); color: var(--back); }
@media (max-width: 30rem) {
  body { padding: .7rem; }
  dl { grid-template-columns: 1fr; }
  dt { margin-top: .4rem; }
  th[scope=row] { max-width: 8rem; }
  th, td { padding: .25rem .5rem; }
}
@media print {
  @page { margin: 14mm; }
  body { max-width: none; padding: 0; font-size: 9.5pt; }
  nav, #tip { display: none; }
  summary { color: var(--text); font-weight: 600; list-style: none; }
  .scroll { overflow: visible; background: none; }
  table { font-size: 7.5pt; }
  th, td { padding: .12rem .3rem; }
  th.number, td.number { white-space: normal; }
  th[scope=row] { position: static; }
  thead { display: table-header-group; }
  .figures { grid-template-columns: 1fr 1fr; }
  .figures.small { grid-template-columns: 1fr 1fr 1fr; }
  figure, tr, pre { break-inside: avoid; }
  h2, h3, section > p, summary, caption, figcaption { break-after: avoid; }
  thead th { background: none; }
}
)css";

// Titles inside a chart are for readers without this script; with it they would be shown twice.
const char* const kReportScript = R"js(
'use strict';
const tip = document.getElementById('tip');
const reach = 18;  // how far from a point, in the chart's own pixels, a reader may be

function show(text, x, y) {
  tip.textContent = text;
  tip.hidden = false;
  tip.style.left = Math.max(4, Math.min(x + 12, document.documentElement.clientWidth - tip.offsetWidth - 4)) + 'px';
  const above = y - tip.offsetHeight - 12;
  tip.style.top = (above >= 4 ? above : y + 18) + 'px';
}

function taken(node) {
  const title = node.querySelector(':scope > title');
  const text = title ? title.textContent : '';
  if (title) title.remove();
  return text;
}

function short(value) { return Number(value.toPrecision(4)).toString(); }

// Curves without markers: their numbers are read off the axes that the chart was drawn with.
function curvePoints(svg) {
  const [x0, x1, y0, y1, xLow, xHigh, yLow, yHigh] = (svg.dataset.plot || '').split(' ').map(Number);
  const [yLabel, xLabel] = [...svg.querySelectorAll('.label')].map(label => label.textContent);
  const found = [];
  for (const path of svg.querySelectorAll('.curve[data-name]')) {
    if (path.parentNode.querySelector('.point')) continue;
    for (const pair of path.getAttribute('d').match(/[\d.-]+ [\d.-]+/g)) {
      const [x, y] = pair.split(' ').map(Number);
      const valueX = xLow + (x - x0) / (x1 - x0) * (xHigh - xLow), valueY = yLow + (y - y0) / (y1 - y0) * (yHigh - yLow);
      found.push({x, y, text: `${path.dataset.name}: ${xLabel} ${Math.round(valueX)}, ${yLabel} ${short(valueY)}`});
    }
  }
  return found;
}

for (const svg of document.querySelectorAll('svg.chart')) {
  svg.setAttribute('aria-label', taken(svg));
  const points = curvePoints(svg);
  for (const mark of svg.querySelectorAll('.point')) {
    const [x, y] = mark.dataset.at.split(' ').map(Number);
    points.unshift({x, y, text: taken(mark)});
  }
  const look = event => {
    const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
    const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
    let best = null, least = reach;
    for (const point of points) {
      const distance = Math.hypot(point.x - x, point.y - y);
      if (distance < least) [best, least] = [point, distance];
    }
    if (best) show(best.text, event.clientX, event.clientY);
    else tip.hidden = true;
  };
  svg.addEventListener('pointermove', look);
  svg.addEventListener('pointerdown', look);
  svg.addEventListener('pointerleave', () => { tip.hidden = true; });
}

// Paper cannot be unfolded.
let folded = [];
addEventListener('beforeprint', () => {
  folded = [...document.querySelectorAll('details:not([open])')];
  for (const part of folded) part.open = true;
});
addEventListener('afterprint', () => { for (const part of folded) part.open = false; });
)js";

}  // namespace equipoise
