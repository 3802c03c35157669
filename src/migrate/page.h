// SPDX-License-Identifier: MIT
// The HTML page of `pumice migrate`, in three parts (page_words.h is the middle one); @DATA@ stands for the report as JSON. No other file, no network.
#pragma once

namespace pumice::migrate {

inline constexpr char kPageHead[] = R"page(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Migration assessment</title>
<style>
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --go: #2e7d32; --conditional: #b26a00; --nogo: #b71c1c; --ink: CanvasText;
  --mapped: #2e7d32; --changed: #e0a100; --missing: #b71c1c; }
* { box-sizing: border-box; } body { font: 15px/1.5 system-ui, "Noto Sans CJK SC", sans-serif; margin: 0 auto; max-width: 72rem; padding: 1.2rem; }
header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start; justify-content: space-between; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
.badge { display: inline-block; padding: .1rem .7rem; border-radius: 1rem; color: #fff; font-weight: 600; white-space: nowrap; }
.go { background: var(--go); } .conditional { background: var(--conditional); } .no-go { background: var(--nogo); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .6rem; margin: 1rem 0; }
.tile { background: var(--soft); border-radius: .5rem; padding: .6rem .8rem; } .tile b { display: block; font-size: 1.35rem; }
.wide { overflow-x: auto; } .bar { display: grid; grid-template-columns: 14rem 1fr 9rem; gap: 0 .7rem; align-items: center; margin: .25rem 0; font-size: .88rem; } .bar > :first-child { text-align: right; overflow-wrap: anywhere; }
.track { display: flex; height: 1.05rem; background: var(--soft); position: relative; border-radius: .2rem; overflow: hidden; } .track i { display: block; height: 100%; min-width: 2px; } .track .range { position: absolute; background: #3367d6; border-radius: .2rem; }
.tag { border: 1px solid var(--line); border-radius: .3rem; padding: 0 .3rem; font-size: .8rem; white-space: nowrap; }
@media (max-width: 40rem) { body { padding: .7rem; } .bar { grid-template-columns: 1fr auto; } .bar > :first-child { text-align: left; grid-column: 1 / 3; } td, th { padding-right: .5rem; } table.wordy { min-width: 34rem; } } .findings table { min-width: 44rem; table-layout: fixed; } .findings :is(td, th):nth-child(1) { width: 24%; } .findings :is(td, th):nth-child(2) { width: 4rem; } .findings :is(td, th):nth-child(4) { width: 22%; }
table { border-collapse: collapse; width: 100%; margin: .4rem 0; } td, th { text-align: left; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; white-space: nowrap; } td.n, th.n { text-align: right; } code, pre { font: 12.5px/1.4 ui-monospace, monospace; } code { overflow-wrap: anywhere; }
pre { background: var(--soft); padding: .5rem; overflow: auto; max-height: 16rem; white-space: pre-wrap; } details { margin: .3rem 0; } summary { cursor: pointer; }
.legend span { display: inline-block; margin-right: 1rem; }
.legend i { display: inline-block; width: .8rem; height: .8rem; margin-right: .3rem; vertical-align: -1px; } button { font: inherit; padding: .2rem .8rem; }
nav a { margin-right: .9rem; } .muted { opacity: .75; font-size: .88rem; } @media print { nav, button { display: none; } details { break-inside: avoid; } }
</style></head><body>
<header><div><h1 id="title"></h1><div class="muted" id="subtitle"></div></div><div><button id="language" type="button"></button></div></header>
<nav id="sections"></nav><main id="main"></main>
<script type="application/json" id="data">@DATA@</script>
)page";

inline constexpr char kPageScript[] = R"page(<script>
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
let zh = (navigator.language || "").startsWith("zh") || location.hash === "#zh";
const T = s => zh && words[s] || s, main = document.getElementById("main");
function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {})) e.setAttribute(k, v);
  e.append(...children.flat(Infinity).filter(c => c !== null && c !== undefined).map(c => typeof c === "object" ? c : String(c)));
  return e;
}
const badge = d => el("span", {class: "badge " + d}, T(d)), muted = s => el("p", {class: "muted"}, T(s));
function table(heads, rows) {
  return el("div", {class: "wide"}, el("table", heads.length > 3 ? {class: "wordy"} : {}, el("thead", {}, el("tr", {}, heads.map(h => el("th", h[1] ? {class: "n"} : {}, T(h[0]))))),
    el("tbody", {}, rows.map(r => el("tr", {}, r.map((c, k) => el("td", heads[k][1] ? {class: "n"} : {}, c)))))));
}
const slug = title => title.replaceAll(/[^A-Za-z]+/g, "-");
function section(title, ...content) { sections.push(title); main.append(el("h2", {id: slug(title)}, T(title)), ...content.flat(Infinity).filter(Boolean)); }
function bars(rows, keys, colours, most) { // [{label, values, note}]: each bar is split by share, or as long as its numbers when `most` fills the track
  return [el("p", {class: "legend"}, keys.map((key, q) => el("span", {}, el("i", {style: "background:" + colours[q]}), T(key)))), rows.map(r => {
    const sum = most || r.values.reduce((a, b) => a + b, 0) || 1, say = r.values.map((v, q) => `${T(keys[q])}: ${v}`).join(", ");
    return el("div", {class: "bar", title: say}, el("span", {}, r.label), el("div", {class: "track", role: "img", "aria-label": say},
      r.values.map((v, q) => v ? el("i", {style: `width:${100 * v / sum}%;background:${colours[q]}`}) : "")), el("span", {}, r.note));
  })];
}
function ranges(rows) { // [{label, low, high}]
  const most = Math.max(1, ...rows.map(r => r.high));
  return rows.map(r => { const say = `${n(Math.round(r.low))} – ${n(Math.round(r.high))} ${T("h")}`; return el("div", {class: "bar", title: say}, el("span", {}, r.label), el("div", {class: "track", role: "img", "aria-label": say},
    el("i", {class: "range", style: `left:${100 * r.low / most}%;width:${100 * (r.high - r.low) / most}%`})), el("span", {}, say)); });
}
const unit = r => units[r.unit] ? units[r.unit][zh ? 2 : r.count === 1 ? 0 : 1] : r.unit.replaceAll("_", " ");
const n = v => Number(v).toLocaleString(zh ? "zh" : "en"), sections = [];
function draw() {
  document.documentElement.lang = zh ? "zh" : "en";
  document.title = T("Migration assessment") + ": " + data.project;
  document.getElementById("title").replaceChildren(T("Migration assessment") + ": " + data.project + " ", badge(data.decision));
  document.getElementById("subtitle").textContent = `${T("Target")}: ${data.card}, ROCm ${data.rocm} · ${T("not checked on silicon")}`;
  document.getElementById("language").textContent = zh ? "English" : "中文";
  main.replaceChildren(), sections.length = 0;
  const inv = data.inventory;
  main.append(el("div", {class: "tiles"}, [["Lines", n(inv.lines)], ["Lines that use CUDA", n(inv.gpu_lines)], ["Kernels", n(inv.kernels)], ["Launches", n(inv.launches)], ["Findings", n(data.findings.length)],
    ["Hours", `${n(Math.round(data.effort.hours_low))} – ${n(Math.round(data.effort.hours_high))}`]].map(t => el("div", {class: "tile"}, el("b", {}, t[1]), T(t[0])))));
  section("Checklist", table([["Check"], ["Result"], ["Reason"]], data.checks.map(c => [zh ? c.title_zh : c.title, badge(c.decision), zh && c.reason_zh || c.reason])));
  const stages = ["evaluate", "port", "tune", "operate"].map(s => {
    const rules = data.effort.rules.filter(r => r.stage === s);
    return {label: T(s), low: rules.reduce((a, r) => a + r.hours_low, 0), high: rules.reduce((a, r) => a + r.hours_high, 0)};
  });
  section("Effort by stage", ranges(stages), muted("Hours are count times rate, from the rates file (--rates); a range, not a promise. Counts come from the lists below."), table([["Rule"], ["Count", 1], ["Rate (hours)", 1], ["Hours", 1], ["Why"]],
    data.effort.rules.map(r => [T(r.stage) + ": " + T(r.id), n(r.count) + " " + unit(r), [`${r.rate_low} – ${r.rate_high}`, r.most && r.count > r.most ? el("div", {class: "muted"}, `${T("first")} ${r.most} ${T("in full, the rest a tenth")}`) : ""],
      `${n(r.hours_low)} – ${n(r.hours_high)}`, zh && r.why_zh || r.why])));
  section("API coverage by library", data.libraries.length ? [bars(data.libraries.map(l => ({label: T(l.name), values: [l.mapped_uses, l.changed_uses, l.missing_uses], note: n(l.mapped_uses + l.changed_uses + l.missing_uses)})),
    ["mapped", "changed", "missing"], ["var(--mapped)", "var(--changed)", "var(--missing)"]), muted("Bars show the share of uses; the number is the number of uses. Mapped: HIP has the same. Changed: translates, but behaves or may behave otherwise. Missing: no counterpart. The table counts distinct names."),
    table([["Library"], ["Counterpart"], ["State"], ["mapped", 1], ["changed", 1], ["missing", 1]], data.libraries.map(l => [T(l.name), l.counterpart || "–", T(l.status) || "–", l.mapped, l.changed, l.missing])),
    data.libraries.filter(l => l.missing + l.changed).map(l => el("details", {}, el("summary", {}, `${T(l.name)}: ${l.missing} ${T("missing")}, ${l.changed} ${T("changed")}`),
      l.note ? el("p", {class: "muted"}, l.note + (l.source ? ` [${l.source}]` : "")) : "",
      table([["Name"], ["HIP name"], ["State"], ["Uses", 1]], l.names.filter(x => x.status !== "mapped").map(x => [el("code", {}, x.cuda), el("code", {}, x.hip), T(x.status), x.uses]))))] : el("p", {}, T("None found.")));
  const classes = new Map();
  for (const f of data.findings) classes.set(f.class, (classes.get(f.class) || []).concat(f));
  const order = [...classes].sort((a, b) => b[1].length - a[1].length), severity = s => ({error: "var(--missing)", warning: "var(--changed)", note: "#78909c"})[s];
  const merged = list => list.reduce((rows, f) => { // the same said twice of one line is one row
    const last = rows[rows.length - 1];
    if (last && ["file", "line", "code", "message"].every(k => last[0][k] === f[k])) last[1]++;
    else rows.push([f, 1]);
    return rows;
  }, []);
  const label = name => zh && classes_zh[name] ? classes_zh[name][0] : name;
  section("Findings by class", order.length ? [bars(order.map(([name, list]) => ({label: label(name), values: ["error", "warning", "note"].map(s => list.filter(f => f.severity === s).length), note: n(list.length)})),
    ["error", "warning", "note"], ["error", "warning", "note"].map(severity), order[0][1].length), muted("Findings are places in the sources; the colour is the severity. Error: work by hand. Warning: check. Note: know."),
    order.map(([name, list]) => [name, list, merged(list)]).map(([name, list, rows]) => el("details", {}, el("summary", {}, `${label(name)} (${n(list.length)})`), zh && classes_zh[name] ? el("p", {class: "muted"}, `${name} · ${T("What to do")}：${classes_zh[name][1]}`) : "", el("div", {class: "findings"}, table([["Where"], ["Code"], ["What and why"], ["What to do"]],
      rows.slice(0, 200).map(([f, times]) => [[el("code", {}, `${f.file}:${f.line}`), times > 1 ? ` × ${times}` : "", f.conditional ? [" ", el("span", {class: "tag"}, T("in #if"))] : ""], f.code, [zh && f.message_zh || f.message, f.excerpt ? el("pre", {}, f.excerpt) : ""], zh && f.suggestion_zh || f.suggestion]))), rows.length > 200 ? el("p", {class: "muted"}, `… ${n(rows.length - 200)} ${T("more in the JSON report (--json-file)")}`) : ""))] : el("p", {}, T("None found.")));
  section("Tries on the software device", data.tried ? [muted("Built with pumice cc from the unchanged sources and run on a software card; \"blocked\" means that this installation lacks a ROCm library, or this machine an input file or a second card; that says nothing about the project."), table([["Program"], ["How"], ["Compiled"], ["Ran"], ["Verified"], ["Fidelity"], ["Missing"]], data.tries.map(t => [
    el("details", {}, el("summary", {}, el("code", {}, t.sources[0] || t.folder)), el("pre", {}, t.log)), T(t.how), T(t.compiled), T(t.ran), t.ran === "ok" || t.ran === "failed" ? T(t.verified) : "",
    t.ran === "ok" ? t.interpreted_instruction_kinds ? `${t.interpreted_instruction_kinds} ${T("interpreted instruction kinds")}` : T("all translated") : "", t.missing.map(T).join(", ")]))] : el("p", {}, T("Nothing was tried.")));
  if (data.python.length) section("Python packages", table([["Name"], ["Version"], ["Counterpart"], ["Effort"], ["Note"], ["Where"]],
    data.python.map(p => [p.name, p.version, T(p.counterpart), T(p.effort), T(p.note), el("code", {}, `${p.file}:${p.line}`)])));
  if (data.frameworks.length) section("Frameworks against the support matrix", table([["Name"], ["Version"], ["Result"], ["Reason"], ["Source"]],
    data.frameworks.map(f => [f.framework, f.version || T("any"), T(f.verdict), f.reason, f.sources.map(s => `${s.page} (${s.read})`).join("; ")])));
  const other = data.python_uses.concat(data.monitoring);
  if (other.length) section("Other uses that need a look", table([["Where"], ["What to do"]], other.slice(0, 300).map(u => [el("code", {}, `${u.file}:${u.line}`), T(u.what)])));
  section("Inventory", table([["Language"], ["Files", 1], ["Lines", 1]], Object.entries(inv.languages).sort((a, b) => b[1].lines - a[1].lines).map(([k, v]) => [k, n(v.files), n(v.lines)])),
    table([["Inventory"], ["Count", 1]], [[T("Files that use CUDA"), n(inv.gpu_files)], [T("Files changed by hipify"), n(inv.translated_files)], [T("Files that name HIP or ROCm"), n(inv.hip_files)], [T("Files skipped (no text)"), n(inv.skipped_files)]]),
    el("p", {}, `${T("Build systems")}: ${inv.build_systems.join(", ") || "–"}`));
  document.getElementById("sections").replaceChildren(...sections.map(s => el("a", {href: "#" + slug(s)}, T(s))));
  for (const note of data.notes) main.append(el("p", {class: "muted"}, note));
}
document.getElementById("language").onclick = () => { zh = !zh; draw(); };
draw();
</script></body></html>
)page";

} // namespace pumice::migrate
