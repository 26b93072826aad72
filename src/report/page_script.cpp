// What happens when a reader points at a chart, and on paper; sorting and filtering of tables.
#include "report/page_style.h"

namespace equipoise {

// Titles inside a chart are for readers without this script; with it they would be shown twice.
const char* const kChartScript = R"js(
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

// A cell's number is what its text begins with; the arms without one come last, whichever way is asked for.
const char* const kTableScript = R"js(
function valueOf(row, column) {
  const text = row.cells[column].textContent.trim().replace(/\u2212/g, '-').replace(/,/g, '');
  const number = parseFloat(text);
  return Number.isNaN(number) || !/^[+-]?[\d.]/.test(text) ? text : number;
}

function compare(a, b) {
  const numbers = [a, b].map(value => typeof value === 'number');
  if (numbers[0] !== numbers[1]) return numbers[0] ? -1 : 1;
  return numbers[0] ? a - b : a.localeCompare(b);
}

function sortBy(table, column, down) {
  const rows = [...table.tBodies[0].rows].map(row => [valueOf(row, column), row]);
  const sign = down ? -1 : 1;
  rows.sort(([a], [b]) => typeof a === typeof b ? sign * compare(a, b) : compare(a, b));
  table.tBodies[0].append(...rows.map(([, row]) => row));
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    if (place === column) head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    else head.removeAttribute('aria-sort');
  });
}

// Every word that was typed must occur in the row.
function filterRows(table, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of table.tBodies[0].rows) {
    const content = [...row.cells].slice(0, 4).map(cell => cell.textContent).join(' ').toLowerCase();
    row.hidden = !words.every(word => content.includes(word));
  }
}

// The columns of the metrics; what names a row stays.
function filterColumns(table, text) {
  const words = text.toLowerCase().split(/[\s,]+/).filter(Boolean);
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    const gone = place > 3 && words.length > 0 && !words.some(word => head.textContent.toLowerCase().includes(word));
    for (const row of table.rows) row.cells[place].hidden = gone;
  });
}

function field(label, hint, act) {
  const box = document.createElement('label'), input = document.createElement('input');
  box.textContent = label;
  input.type = 'search';
  input.placeholder = hint;
  input.addEventListener('input', () => act(input.value));
  box.append(input);
  return box;
}

for (const table of document.querySelectorAll('table.sortable')) {
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    button.addEventListener('click', () => sortBy(table, place, head.getAttribute('aria-sort') !== 'descending'));
    head.replaceChildren(button);
  });
  const filters = document.createElement('div');
  filters.className = 'filters';
  filters.append(field('Rows with', 'cbr test-items', text => filterRows(table, text)),
                 field('Columns with', 'ndcg recall', text => filterColumns(table, text)));
  table.parentNode.before(filters);
}
)js";

}  // namespace equipoise
