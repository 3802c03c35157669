// SPDX-License-Identifier: MIT
// The HTML page of the support matrix; @DATA@ stands for the data as JSON.
#pragma once

namespace pumice::matrix {

inline constexpr char kPage[] = R"page(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>ROCm support matrix</title>
<style>
:root { color-scheme: light dark; --line: #8884; --accent: #c8102e; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 78rem; padding: 1rem; }
h1 { font-size: 1.4rem; margin: 0 0 .2rem; } p { margin: .2rem 0 .8rem; }
form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: end; padding: .7rem 0; border-block: 1px solid var(--line); }
label { display: grid; font-size: .8rem; gap: .15rem; } input, select { font: inherit; padding: .25rem .4rem; min-width: 9rem; }
nav button { font: inherit; padding: .3rem .8rem; border: 0; border-bottom: 3px solid transparent; background: none; cursor: pointer; color: inherit; }
nav button[aria-selected=true] { border-color: var(--accent); font-weight: 600; } nav { margin: .8rem 0; }
table { border-collapse: collapse; width: 100%; } th { text-align: left; position: sticky; top: 0; background: Canvas; cursor: pointer; }
td, th { padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th, td:first-child { white-space: nowrap; }
td.page { overflow-wrap: anywhere; font-size: .78rem; opacity: .75; } #count { font-size: .85rem; opacity: .8; }
</style></head><body>
<h1>ROCm support matrix</h1>
<p id="about"></p>
<form id="filters" onsubmit="return false">
<label>Release<select id="rocm"><option value="">all</option></select></label>
<label>Card or target<input id="card" placeholder="MI300X, gfx90a"></label>
<label>Operating system<input id="os" placeholder="Ubuntu 22.04"></label>
<label>Component<input id="component" placeholder="PyTorch, rocBLAS"></label>
<label>&nbsp;<input type="reset" value="Clear"></label>
</form>
<nav role="tablist" id="tabs"></nav><p id="count"></p><table><thead id="head"></thead><tbody id="body"></tbody></table>
<script type="application/json" id="data">@DATA@</script>
<script>
"use strict";
const data = JSON.parse(document.getElementById("data").textContent), $ = id => document.getElementById(id);
const join = v => Array.isArray(v) ? v.join(", ") : v;
const views = {
  "Cards and systems": {rows: data.cards, cols: {rocm: "Release", cards: "Card", gfx: "Target", os: "System", kernel: "Kernel", page: "Source"}},
  "Components": {rows: data.components, cols: {rocm: "Release", category: "Kind", component: "Component", values: "Versions", condition: "Limits", page: "Source"}},
  "Firmware and drivers": {rows: data.firmware, cols: {rocm: "Release", cards: "Card", firmware: "Firmware", drivers: "Driver", page: "Source"}},
  "Kernels": {rows: data.kernels, cols: {os: "System", kernels: "Kernel", glibc: "glibc", page: "Source"}},
  "Contradictions": {rows: data.contradictions.flatMap(c => c.claims.map(k => ({rocm: c.rocm, component: c.component, values: k.values, page: k.page, read: k.read}))),
    cols: {rocm: "Release", component: "Component", values: "Says", page: "Source"}},
};
let view = Object.keys(views)[0], order = null;
$("about").textContent = "Read in " + data.data_read + " from the pages in the last column. Pages that disagree are all shown; what no page lists is unknown, not unsupported.";
for (const r of data.releases.slice().reverse().concat([...new Set(data.cards.map(c => c.rocm).filter(r => r.includes("-")))])) $("rocm").add(new Option(r, r));
for (const name of Object.keys(views)) {
  const b = document.createElement("button");
  b.type = "button"; b.role = "tab"; b.textContent = name;
  b.onclick = () => { view = name; order = null; draw(); };
  $("tabs").append(b);
}
const has = (text, part) => (join(text) || "").toLowerCase().includes(part.toLowerCase());
function draw() {
  for (const b of $("tabs").children) b.setAttribute("aria-selected", b.textContent === view);
  const {rows, cols} = views[view], f = {rocm: $("rocm").value, card: $("card").value, os: $("os").value, component: $("component").value};
  let shown = rows.filter(r =>
    (!f.rocm || !r.rocm || r.rocm === f.rocm || r.rocm.split("/").includes(f.rocm) || (r.rocm.endsWith(".x") && !r.rocm.includes("-") && f.rocm.startsWith(r.rocm.slice(0, -1)))) &&
    (!f.card || has(r.cards, f.card) || has(r.gfx, f.card) || (r.category === "gpu" && has(r.component, f.card))) &&
    (!f.os || has(r.os, f.os) || (r.category === "os" && has(r.component, f.os))) && (!f.component || has(r.component, f.component)));
  if (order) shown = shown.slice().sort((a, b) => String(join(a[order])).localeCompare(String(join(b[order])), undefined, {numeric: true}));
  $("count").textContent = shown.length + " of " + rows.length + " rows";
  $("head").replaceChildren(); $("body").replaceChildren();
  const h = $("head").insertRow();
  for (const [key, title] of Object.entries(cols)) {
    const th = document.createElement("th");
    th.textContent = title; th.onclick = () => { order = key; draw(); };
    h.append(th);
  }
  for (const r of shown) {
    const tr = $("body").insertRow();
    for (const key of Object.keys(cols)) {
      const td = tr.insertCell();
      td.textContent = key === "page" ? r.page + " (read " + r.read + ")" : join(r[key]) || "";
      if (key === "page") td.className = "page";
    }
  }
}
for (const id of ["rocm", "card", "os", "component"]) $(id).addEventListener("input", draw);
$("filters").addEventListener("reset", () => setTimeout(draw));
draw();
</script></body></html>
)page";

} // namespace pumice::matrix
