// How pages look on a screen, a phone, in the dark and on paper.
#include "report/page_style.h"

namespace equipoise {

// Colours after Okabe and Ito, darkened on white and lightened on black until they stand out.
const char* const kLightColours =
    R"css(color-scheme: light; --back: #fff; --box: #f6f7f9; --text: #1b1f24; --soft: #57606a; --line: #d0d7de; --link: #0b5cad;
  --edge: #6e7781; --good: #00705a; --bad: #b04700; --star: #8a6100;
  --c0: #0072b2; --c1: #c04f00; --c2: #00805d; --c3: #b0568a; --c4: #8f5f00; --c5: #2876ad; --c6: #55565a; --c7: #7a4ec2;)css";

const char* const kPageStyle = R"css(
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --back: #14171b; --box: #1d2126; --text: #e6e9ed; --soft: #a3adb8; --line: #363d46; --link: #7ab8ff;
    --edge: #8b95a1; --good: #2fc79b; --bad: #ff8a4c; --star: #eeb43c;
    --c0: #4aa8e0; --c1: #ff8a4c; --c2: #2fc79b; --c3: #e296c0; --c4: #eeb43c; --c5: #8fd0ff; --c6: #c3c7cd; --c7: #b79bff; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: .4rem 1rem 2rem; max-width: 76rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: .5rem 0; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .5rem; padding-top: .6rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.02rem; margin: 1.4rem 0 .3rem; }
nav { margin: 1.4rem 0 0; padding: .3rem 0; border-top: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; padding: 0; margin: .4rem 0; list-style: none; }
:focus-visible { outline: 3px solid var(--c0); outline-offset: 2px; })css";

const char* const kPartStyle = R"css(
a { color: var(--link); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem; margin: .5rem 0; font-size: .88rem; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
dd ul { margin: 0; padding-left: 1.1rem; }
pre, code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .85rem; }
pre { padding: .7rem; background: var(--box); border: 1px solid var(--line); border-radius: .3rem; white-space: pre-wrap;
  overflow-wrap: anywhere; }
.command { display: block; padding: .2rem .5rem; margin: .15rem 0; background: var(--box); border: 1px solid var(--line);
  border-radius: .3rem; overflow-wrap: anywhere; }
.note, figcaption { color: var(--soft); font-size: .85rem; }
.note { max-width: 60rem; }
.warning { padding: .6rem .8rem; border-left: 4px solid var(--bad); background: var(--box); }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: .6rem 2rem; }
.panel { min-width: 0; }
.jump { display: none; margin: .2rem 0 .5rem; padding: 0; list-style: none; }
.panel h2 { margin: 0; padding: 0; border: 0; font-size: 1.1rem; }
.verdict { margin: .3rem 0 .5rem; padding: .5rem .8rem; border-left: 5px solid var(--tone); background: var(--box); }
.verdict.line { margin: .2rem 0; padding: .12rem .7rem; font-size: .95rem; }
.verdict.line strong { margin-right: .4rem; }
.badge { display: inline-block; margin-right: .5rem; font-weight: 700; color: var(--tone); white-space: nowrap; }
.gain { --tone: var(--good); } .loss { --tone: var(--bad); } .unclear { --tone: var(--soft); }
.badge::before, tr[class] .toned:not(:empty):not(.number)::before { content: "○ "; }
.gain .badge::before, tr.gain .toned:not(:empty):not(.number)::before { content: "▲ "; }
.loss .badge::before, tr.loss .toned:not(:empty):not(.number)::before { content: "▼ "; }
.toned { white-space: nowrap; }
tr.gain .toned, tr.loss .toned { color: var(--tone); font-weight: 600; }
.scroll { overflow-x: auto; margin: .8rem 0 .3rem;  /* a shadow at the right edge while there is more to scroll to */
  background: linear-gradient(var(--back), var(--back)) right / 1.4rem 100% no-repeat local,
    linear-gradient(to left, var(--line), transparent) right / 1rem 100% no-repeat scroll; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .25rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
td:not(.number) { max-width: 34rem; }
.sortable td { white-space: nowrap; }
thead th { background: var(--box); vertical-align: bottom; }
th.number, td.number { text-align: right; white-space: nowrap; }
th[scope=row] { font-weight: 500; position: sticky; left: 0; z-index: 1; background: var(--back); min-width: 9.5rem; max-width: 15rem; }
th button { font: inherit; color: inherit; text-align: inherit; background: none; border: 0; padding: 0; cursor: pointer;
  text-decoration: underline dotted; text-underline-offset: .2em; }
th[aria-sort=ascending] button::after { content: " ▲"; }
th[aria-sort=descending] button::after { content: " ▼"; }
.filters { display: flex; flex-wrap: wrap; gap: .4rem 1rem; margin: .6rem 0; font-size: .88rem; }
.filters label { display: flex; flex-direction: column; color: var(--soft); }
.filters input { font: inherit; color: var(--text); background: var(--back); border: 1px solid var(--edge); border-radius: .3rem;
  padding: .35rem .5rem; width: 15rem; max-width: 100%; }
details { margin: .6rem 0; }
summary { cursor: pointer; color: var(--link); }
.terms dl { margin: .3rem 0 .3rem 1rem; }
.lists { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: .5rem 1.5rem; }
.lists ol { margin: .2rem 0; padding-left: 1.6rem; }
.lists h5 { margin: .4rem 0 0; font-size: .92rem; }
.hit { color: var(--good); font-weight: 600; } .miss { color: var(--bad); }
.figures { display: grid; grid-template-columns: 1fr; gap: 1rem 2rem; align-items: start; margin: .6rem 0; }
.figures.half { grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
.half figure { max-width: 44rem; }
.figures.small { grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); }
figure { margin: 0; min-width: 0; }
svg.chart { display: block; width: 100%; height: auto; touch-action: pan-y; }
svg.narrow { display: none; }
svg text { font: 12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--text); }
svg .name { paint-order: stroke; stroke: var(--back); stroke-width: 9px; stroke-linejoin: round; }
svg .first { font-weight: 700; }
svg .tick, svg .label { fill: var(--soft); }
svg path { fill: none; }
svg .grid { stroke: var(--line); stroke-width: .6; }
svg .axis { stroke: var(--soft); stroke-width: 1; }
svg .diagonal { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 4 4; }
svg .curve { stroke: var(--c); stroke-width: 1.7; stroke-linejoin: round; }
svg .bar { stroke: var(--c); stroke-width: 1.4; }
svg .mark { fill: var(--c); stroke: var(--back); stroke-width: .8; }
svg .block { fill: var(--c); }
svg .star { fill: var(--star); }
svg .gain, svg .loss, svg .unclear, .key.gain, .key.loss, .key.unclear { --c: var(--tone); }
svg .unclear .mark, .key.unclear .mark { fill: var(--back); stroke: var(--tone); stroke-width: 1.6; }
svg .tried { --c: var(--soft); opacity: .55; }
svg .tried .curve { stroke-width: 1; }
svg .best { --c: var(--c1); opacity: 1; }
svg .best .curve { stroke-width: 2.6; }
.s0 { --c: var(--c0); } .s1 { --c: var(--c1); } .s2 { --c: var(--c2); } .s3 { --c: var(--c3); }
.s4 { --c: var(--c4); } .s5 { --c: var(--c5); } .s6 { --c: var(--c6); } .s7 { --c: var(--c7); }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin: .2rem 0 0; padding: 0; list-style: none; font-size: .82rem; }
.legend li { display: flex; align-items: center; gap: .35rem; }
.key { flex: none; })css";

const char* const kMediaStyle = R"css(
#tip { position: fixed; z-index: 9; max-width: min(20rem, 90vw); padding: .3rem .55rem; border-radius: .25rem; pointer-events: none;
  font-size: .82rem; background: var(--text); color: var(--back); }
@media screen and (max-width: 44rem) {
  svg.wide { display: none; }
  svg.narrow { display: block; max-width: 32rem; }
  .jump { display: block; }
}
@media (max-width: 30rem) {
  body { padding: .3rem .7rem 1.5rem; }
  dl { grid-template-columns: 1fr; }
  dt { margin-top: .3rem; }
  th[scope=row] { min-width: 6rem; max-width: 7.5rem; }
  th, td { padding: .25rem .45rem; }
}
@media print {
  @page { margin: 14mm; }
  body { max-width: none; padding: 0; font-size: 9.5pt; }
  nav, #tip, .filters { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
  summary { color: var(--text); font-weight: 600; list-style: none; }
  .panels { grid-template-columns: 1fr; }
  .scroll { overflow: visible; background: none; }
  table { font-size: 7.5pt; }
  .sortable { font-size: 5.5pt; }
  th, td, td:not(.number) { padding: .12rem .3rem; overflow-wrap: anywhere; }
  .toned { white-space: normal; }
  .sortable th, .sortable td { padding: .1rem .16rem; }
  th.number, td.number, .sortable td { white-space: normal; }
  table:has(.toned):not(.sortable) .number { overflow-wrap: normal; }
  th[scope=row] { position: static; min-width: 0; }
  th button { text-decoration: none; }
  thead { display: table-header-group; }
  .figures.half { grid-template-columns: 1fr 1fr; }
  .panel .figures.half { grid-template-columns: 1fr; }
  .figures.small { grid-template-columns: 1fr 1fr 1fr; }
  figure, tr, pre, .verdict, .panel, .panel > dl { break-inside: avoid; }
  h2, h3, section > p, summary, caption, figcaption { break-after: avoid; }
  thead th { background: none; }
}
)css";

}  // namespace equipoise
