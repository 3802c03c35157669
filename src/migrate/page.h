// SPDX-License-Identifier: MIT
// The HTML page of `pumice migrate`, in two parts; @DATA@ stands for the report as JSON. No other file, no network.
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
table { border-collapse: collapse; width: 100%; margin: .4rem 0; } td, th { text-align: left; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; white-space: nowrap; } td.n, th.n { text-align: right; } code, pre { font: 12.5px/1.4 ui-monospace, monospace; } code { overflow-wrap: anywhere; }
pre { background: var(--soft); padding: .5rem; overflow: auto; max-height: 16rem; white-space: pre-wrap; } details { margin: .3rem 0; } summary { cursor: pointer; }
svg text { fill: var(--ink); font-size: 12px; } svg { width: 100%; height: auto; } .legend span { display: inline-block; margin-right: 1rem; }
.legend i { display: inline-block; width: .8rem; height: .8rem; margin-right: .3rem; vertical-align: -1px; } button { font: inherit; padding: .2rem .8rem; }
nav a { margin-right: .9rem; } .muted { opacity: .75; font-size: .88rem; } @media print { nav, button { display: none; } details { break-inside: avoid; } }
</style></head><body>
<header><div><h1 id="title"></h1><div class="muted" id="subtitle"></div></div><div><button id="language" type="button"></button></div></header>
<main id="main"></main>
<script type="application/json" id="data">@DATA@</script>
)page";

inline constexpr char kPageScript[] = R"page(<script>
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const words = {
  "Migration assessment": "迁移评估", "Decision": "结论", "go": "可行", "conditional": "有条件可行", "no-go": "不可行", "Checklist": "检查表", "Check": "检查项", "Result": "结果", "Reason": "理由",
  "Inventory": "项目清单", "Lines": "代码行", "CUDA files": "CUDA 文件", "Kernels": "内核", "Launches": "内核启动", "Findings": "问题", "Hours": "工时", "Language": "语言", "Files": "文件",
  "API coverage by library": "各库 API 覆盖率", "mapped": "可转换", "changed": "语义有变化", "missing": "缺失", "Library": "库", "Counterpart": "ROCm 对应", "State": "状态", "Names": "名称", "Uses": "使用次数",
  "Name": "名称", "HIP name": "HIP 名称", "Effort by stage": "各阶段工作量", "evaluate": "评估", "port": "移植", "tune": "调优", "operate": "运维", "Rule": "规则", "Count": "数量", "Rate (hours)": "单位工时", "Why": "依据",
  "Findings by class": "问题分类", "Class": "类别", "Severity": "严重程度", "error": "错误", "warning": "警告", "note": "提示", "Where": "位置", "What and why": "内容与原因", "What to do": "处理办法", "Code": "代码",
  "Tries on the software device": "在软件设备上的尝试", "Program": "程序", "How": "方式", "Compiled": "编译", "Ran": "运行", "Verified": "结果验证", "Fidelity": "保真度", "Missing": "缺失项", "Output": "输出",
  "ok": "成功", "failed": "失败", "timed out": "超时", "not tried": "未尝试", "yes": "正确", "no": "错误", "not said": "未说明", "all translated": "全部翻译执行", "interpreted instruction kinds": "种指令由解释器执行",
  "Dependencies": "依赖", "Python packages": "Python 包", "Version": "版本", "Effort": "工作", "Note": "说明", "Frameworks against the support matrix": "框架与支持矩阵", "supported": "支持", "not supported": "不支持", "unknown": "未知",
  "Other uses that need a look": "其他需要检查之处", "Nothing was tried.": "未进行尝试。", "None found.": "未发现。", "Source": "来源", "show all": "显示全部", "not checked on silicon": "未在真实硬件上验证",
  "low": "低", "high": "高", "Total": "合计", "Build systems": "构建系统", "Target": "目标", "library": "库",
};
let zh = (navigator.language || "").startsWith("zh") || location.hash === "#zh";
const T = s => zh && words[s] || s, main = document.getElementById("main");
function el(tag, attributes, ...children) {
  const ns = ["svg", "rect", "text", "line", "g", "title"].includes(tag) ? "http://www.w3.org/2000/svg" : null, e = ns ? document.createElementNS(ns, tag) : document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {})) e.setAttribute(k, v);
  e.append(...children.flat(Infinity).filter(c => c !== null && c !== undefined).map(c => typeof c === "object" ? c : String(c)));
  return e;
}
const badge = d => el("span", {class: "badge " + d}, T(d));
function table(heads, rows) {
  return el("table", {}, el("thead", {}, el("tr", {}, heads.map(h => el("th", h[1] ? {class: "n"} : {}, T(h[0]))))),
    el("tbody", {}, rows.map(r => el("tr", {}, r.map((c, k) => el("td", heads[k][1] ? {class: "n"} : {}, c))))));
}
function section(title, ...content) { main.append(el("h2", {id: title.replaceAll(" ", "-")}, T(title)), ...content.flat(Infinity).filter(Boolean)); }
function bars(rows, keys, colours) { // [{label, values}]: stacked to their share
  const height = 26, width = 900, left = 190, svg = el("svg", {viewBox: `0 0 ${width} ${rows.length * height + 4}`, role: "img"});
  rows.forEach((r, k) => {
    const sum = r.values.reduce((a, b) => a + b, 0) || 1;
    let x = left;
    svg.append(el("text", {x: left - 8, y: k * height + 17, "text-anchor": "end"}, r.label));
    r.values.forEach((v, q) => {
      const w = (width - left - 90) * v / sum;
      if (v) svg.append(el("rect", {x, y: k * height + 4, width: Math.max(w, 1), height: height - 8, fill: colours[q]}, el("title", {}, `${T(keys[q])}: ${v}`)));
      x += w;
    });
    svg.append(el("text", {x: width - 84, y: k * height + 17}, r.note));
  });
  return [el("p", {class: "legend"}, keys.map((key, q) => el("span", {}, el("i", {style: "background:" + colours[q]}), T(key)))), svg];
}
function ranges(rows) { // [{label, low, high}]
  const height = 30, width = 900, left = 110, most = Math.max(1, ...rows.map(r => r.high)), scale = v => left + (width - left - 130) * v / most;
  const svg = el("svg", {viewBox: `0 0 ${width} ${rows.length * height + 4}`, role: "img"});
  rows.forEach((r, k) => svg.append(el("text", {x: left - 8, y: k * height + 19, "text-anchor": "end"}, r.label),
    el("rect", {x: left, y: k * height + 13, width: width - left - 130, height: 2, fill: "var(--line)"}),
    el("rect", {x: scale(r.low), y: k * height + 6, width: Math.max(3, scale(r.high) - scale(r.low)), height: 16, rx: 3, fill: "#3367d6"}),
    el("text", {x: width - 122, y: k * height + 19}, `${Math.round(r.low)} – ${Math.round(r.high)} h`)));
  return svg;
}
function draw() {
  document.documentElement.lang = zh ? "zh" : "en";
  document.title = T("Migration assessment") + ": " + data.project;
  document.getElementById("title").replaceChildren(T("Migration assessment") + ": " + data.project + " ", badge(data.decision));
  document.getElementById("subtitle").textContent = `${T("Target")}: ${data.card}, ROCm ${data.rocm} · ${T("not checked on silicon")}`;
  document.getElementById("language").textContent = zh ? "English" : "中文";
  main.replaceChildren();
  const inv = data.inventory, n = v => Number(v).toLocaleString(zh ? "zh" : "en");
  main.append(el("div", {class: "tiles"}, [["Lines", n(inv.lines)], ["CUDA files", n(inv.cuda_files)], ["Kernels", n(inv.kernels)], ["Launches", n(inv.launches)], ["Findings", n(data.findings.length)],
    ["Hours", `${n(Math.round(data.effort.hours_low))} – ${n(Math.round(data.effort.hours_high))}`]].map(t => el("div", {class: "tile"}, el("b", {}, t[1]), T(t[0])))));
  section("Checklist", table([["Check"], ["Result"], ["Reason"]], data.checks.map(c => [zh ? c.title_zh : c.title, badge(c.decision), c.reason])));
  const stages = ["evaluate", "port", "tune", "operate"].map(s => {
    const rules = data.effort.rules.filter(r => r.stage === s);
    return {label: T(s), low: rules.reduce((a, r) => a + r.hours_low, 0), high: rules.reduce((a, r) => a + r.hours_high, 0)};
  });
  section("Effort by stage", ranges(stages), table([["Rule"], ["Count", 1], ["Rate (hours)", 1], ["Hours", 1], ["Why"]],
    data.effort.rules.map(r => [T(r.stage) + ": " + r.id, n(r.count) + " " + r.unit.replaceAll("_", " "), `${r.rate_low} – ${r.rate_high}`, `${n(r.hours_low)} – ${n(r.hours_high)}`, r.why])));
  section("API coverage by library", data.libraries.length ? [bars(data.libraries.map(l => ({label: l.name, values: [l.mapped_uses, l.changed_uses, l.missing_uses], note: n(l.mapped_uses + l.changed_uses + l.missing_uses)})),
    ["mapped", "changed", "missing"], ["var(--mapped)", "var(--changed)", "var(--missing)"]),
    table([["Library"], ["Counterpart"], ["State"], ["mapped", 1], ["changed", 1], ["missing", 1]], data.libraries.map(l => [l.name, l.counterpart, l.status, l.mapped, l.changed, l.missing])),
    data.libraries.filter(l => l.missing + l.changed).map(l => el("details", {}, el("summary", {}, `${l.name}: ${l.missing} ${T("missing")}, ${l.changed} ${T("changed")}`),
      l.note ? el("p", {class: "muted"}, l.note + (l.source ? ` [${l.source}]` : "")) : "",
      table([["Name"], ["HIP name"], ["State"], ["Uses", 1]], l.names.filter(x => x.status !== "mapped").map(x => [el("code", {}, x.cuda), el("code", {}, x.hip), T(x.status), x.uses]))))] : el("p", {}, T("None found.")));
  const classes = new Map();
  for (const f of data.findings) classes.set(f.class, (classes.get(f.class) || []).concat(f));
  const order = [...classes].sort((a, b) => b[1].length - a[1].length), severity = s => ({error: "var(--missing)", warning: "var(--changed)", note: "#78909c"})[s];
  section("Findings by class", order.length ? [bars(order.map(([name, list]) => ({label: name, values: ["error", "warning", "note"].map(s => list.filter(f => f.severity === s).length), note: n(list.length)})),
    ["error", "warning", "note"], ["error", "warning", "note"].map(severity)),
    order.map(([name, list]) => el("details", {}, el("summary", {}, `${name} (${list.length})`), table([["Where"], ["Code"], ["What and why"], ["What to do"]],
      list.slice(0, 200).map(f => [el("code", {}, `${f.file}:${f.line}`), f.code, [f.message, f.excerpt ? el("pre", {}, f.excerpt) : ""], f.suggestion])), list.length > 200 ? el("p", {class: "muted"}, `… ${list.length - 200}`) : ""))] : el("p", {}, T("None found.")));
  section("Tries on the software device", data.tried ? table([["Program"], ["How"], ["Compiled"], ["Ran"], ["Verified"], ["Fidelity"], ["Missing"]], data.tries.map(t => [
    el("details", {}, el("summary", {}, el("code", {}, t.sources[0] || t.folder)), el("pre", {}, t.log)), t.how, T(t.compiled), T(t.ran), t.ran === "ok" || t.ran === "failed" ? T(t.verified) : "",
    t.ran === "ok" ? t.interpreted_instruction_kinds ? `${t.interpreted_instruction_kinds} ${T("interpreted instruction kinds")}` : T("all translated") : "", t.missing.join(", ")])) : el("p", {}, T("Nothing was tried.")));
  if (data.python.length) section("Python packages", table([["Name"], ["Version"], ["Counterpart"], ["Effort"], ["Note"], ["Where"]],
    data.python.map(p => [p.name, p.version, p.counterpart, p.effort, p.note, el("code", {}, `${p.file}:${p.line}`)])));
  if (data.frameworks.length) section("Frameworks against the support matrix", table([["Name"], ["Version"], ["Result"], ["Reason"], ["Source"]],
    data.frameworks.map(f => [f.framework, f.version, T(f.verdict), f.reason, f.sources.map(s => `${s.page} (${s.read})`).join("; ")])));
  const other = data.python_uses.concat(data.monitoring);
  if (other.length) section("Other uses that need a look", table([["Where"], ["What to do"]], other.slice(0, 300).map(u => [el("code", {}, `${u.file}:${u.line}`), u.what])));
  section("Inventory", table([["Language"], ["Files", 1], ["Lines", 1]], Object.entries(inv.languages).sort((a, b) => b[1].lines - a[1].lines).map(([k, v]) => [k, n(v.files), n(v.lines)])),
    el("p", {}, `${T("Build systems")}: ${inv.build_systems.join(", ") || "–"}`));
  for (const note of data.notes) main.append(el("p", {class: "muted"}, note));
}
document.getElementById("language").onclick = () => { zh = !zh; draw(); };
draw();
</script></body></html>
)page";

} // namespace pumice::migrate
