// SPDX-License-Identifier: MIT
// Chinese for the page of `pumice migrate`: a JavaScript object of words, and one of finding classes (name, what to do).
#pragma once

namespace pumice::migrate {

inline constexpr char kPageWords[] = R"page(<script>
"use strict";
const words = {
  "Migration assessment": "迁移评估", "Decision": "结论", "go": "可行", "conditional": "有条件可行", "no-go": "不可行", "Checklist": "检查表", "Check": "检查项", "Result": "结果", "Reason": "理由",
  "Inventory": "项目清单", "Lines": "代码行", "Lines that use CUDA": "使用 CUDA 的代码行", "Kernels": "内核", "Launches": "内核启动", "Findings": "问题", "Hours": "工时", "Language": "语言", "Files": "文件",
  "API coverage by library": "各库 API 覆盖率", "mapped": "可转换", "changed": "语义有变化", "missing": "缺失", "Library": "库", "Counterpart": "ROCm 对应", "State": "状态", "Names": "名称", "Uses": "使用次数",
  "Name": "名称", "HIP name": "HIP 名称", "Effort by stage": "各阶段工作量", "evaluate": "评估", "port": "移植", "tune": "调优", "operate": "运维", "Rule": "规则", "Count": "数量", "Rate (hours)": "单位工时", "Why": "依据",
  "Findings by class": "问题分类", "Class": "类别", "Severity": "严重程度", "error": "错误", "warning": "警告", "note": "提示", "Where": "位置", "What and why": "内容与原因", "What to do": "处理办法", "Code": "代码",
  "Tries on the software device": "在软件设备上的尝试", "Program": "程序", "How": "方式", "Compiled": "编译", "Ran": "运行", "Verified": "结果验证", "Fidelity": "保真度", "Missing": "缺失项", "Output": "输出",
  "ok": "成功", "failed": "失败", "timed out": "超时", "not tried": "未尝试", "blocked": "无法判断", "yes": "正确", "no": "错误", "not said": "未说明", "all translated": "全部翻译执行", "interpreted instruction kinds": "种指令由解释器执行",
  "make": "make", "input file": "输入文件", "h": "小时", "CUDA device functions": "CUDA 设备函数", "Version macros and names of frameworks": "版本宏与框架的名称", "CUDA, names outside the tables": "CUDA（转换表之外的名称）", "direct": "直接编译", "unit": "单个源文件", "Python packages": "Python 包", "Version": "版本", "Effort": "工作", "Note": "说明", "Frameworks against the support matrix": "框架与支持矩阵", "supported": "支持",
  "not supported": "不支持", "unknown": "未知", "any": "任意", "Other uses that need a look": "其他需要检查之处", "Nothing was tried.": "未进行尝试。", "None found.": "未发现。", "Source": "来源", "not checked on silicon": "未在真实硬件上验证",
  "Build systems": "构建系统", "Target": "目标", "in #if": "位于 #if 分支", "install": "安装", "replace": "替换", "none-known": "无", "none": "无", "more in the JSON report (--json-file)": "条，见 JSON 报告（--json-file）",
  "first": "前", "in full, the rest a tenth": "个全额计，其余按十分之一", "Files skipped (no text)": "跳过的文件（非文本）", "Files changed by hipify": "hipify 改动的文件", "Files that use CUDA": "使用 CUDA 的文件", "Files that name HIP or ROCm": "提到 HIP 或 ROCm 的文件",
  "mostly": "大部分", "partial": "部分", "good": "良好", "missing ": "缺失", "early": "早期", "narrow": "有限", "churn": "接口不同，变动中", "gap": "空缺", "experimental": "实验性", "semantic trap": "语义陷阱", "no source compatibility": "源码不兼容",
  "no drop-in equivalent": "无可直接替换者", "good for BLAS, partial _v2_64 & Ex": "BLAS 良好，_v2_64 与 Ex 部分", "good on gfx90a/942/950": "gfx90a/942/950 上良好",
  "survey": "通读", "first-build": "首次编译", "translate": "审阅转换", "error-names": "无对应的名称", "error-places": "其余位置", "warning-findings": "警告", "ptx": "内联 PTX", "failed-units": "编译失败", "wrong-programs": "结果错误",
  "libraries-partial": "部分覆盖的库", "libraries-other": "接口不同的库", "libraries-missing": "缺失的库", "python-replace": "Python 包", "kernels": "内核", "matrix-code": "矩阵代码", "pipelines": "流水线", "monitoring": "监控",
  "another product": "另一种产品", "apex (ROCm)": "apex（ROCm 版）", "bitsandbytes (ROCm)": "bitsandbytes（ROCm 版）", "by target": "取决于目标", "cupy (ROCm, experimental)": "cupy（ROCm 版，实验性）",
  "faiss (ROCm)": "faiss（ROCm 版）", "flash-attention (ROCm)": "flash-attention（ROCm 版）", "jax with the ROCm plugin": "jax 加 ROCm 插件", "jaxlib with the ROCm plugin": "jaxlib 加 ROCm 插件",
  "kernels may need retuning": "内核可能需要重新调优", "no drop-in equivalent: serving has to be built anew": "没有可直接替换者：推理服务需要重建", "none for CUDA kernels": "CUDA 内核没有对应",
  "not listed for gfx90a by recent releases": "近期版本未列出 gfx90a", "numba.cuda kernels have to be rewritten": "numba.cuda 内核需要改写",
  "onnxruntime with the MIGraphX provider": "使用 MIGraphX 后端的 onnxruntime", "same API; \"cuda\" device names stay": "API 相同；设备名称仍为 \"cuda\"", "see the support matrix for targets": "目标见支持矩阵",
  "the ROCm provider was removed; see the support matrix": "ROCm 后端已移除；见支持矩阵", "torch (ROCm wheels)": "torch（ROCm 版 wheel）", "torchaudio (ROCm wheels)": "torchaudio（ROCm 版 wheel）",
  "torchvision (ROCm wheels)": "torchvision（ROCm 版 wheel）", "transformer-engine (ROCm)": "transformer-engine（ROCm 版）", "triton (ROCm back end)": "triton（ROCm 后端）",
  "vLLM or SGLang": "vLLM 或 SGLang", "vllm (ROCm)": "vllm（ROCm 版）", "xformers (ROCm)": "xformers（ROCm 版）", "NVML: use amdsmi": "NVML：改用 amdsmi",
  "nvidia-smi: use amd-smi": "nvidia-smi：改用 amd-smi", "works on ROCm as well; HIP_VISIBLE_DEVICES is its own name": "在 ROCm 上同样有效；其自身的名称是 HIP_VISIBLE_DEVICES",
  "torch translates its sources with hipify when it builds for ROCm": "为 ROCm 编译时 torch 用 hipify 转换其源代码",
  "sets MIOpen on ROCm; benchmark mode behaves otherwise": "在 ROCm 上设置 MIOpen；benchmark 模式行为不同",
  "gives AMD's numbers: comparisons with NVIDIA's (7, 8, 9) go wrong": "返回 AMD 的编号：与 NVIDIA 的 7、8、9 比较会出错", "no counterpart: MIGraphX": "没有对应：MIGraphX",
  "numba's CUDA kernels do not run on ROCm": "numba 的 CUDA 内核不能在 ROCm 上运行", "CuPy's ROCm build is experimental": "CuPy 的 ROCm 版为实验性", "hip-python has another API": "hip-python 的 API 不同",
  "inline CUDA sources: check that they are translated": "内嵌 CUDA 源代码：检查是否已转换", "run-time compilation: hipRTC": "运行时编译：hipRTC", "image of CUDA: use an image of ROCm": "CUDA 镜像：改用 ROCm 镜像",
  "docker --gpus: use --device=/dev/kfd --device=/dev/dri --group-add video": "docker --gpus：改用 --device=/dev/kfd --device=/dev/dri --group-add video",
  "Hours are count times rate, from the rates file (--rates); a range, not a promise. Counts come from the lists below.": "工时 = 数量 × 单位工时（来自 --rates 指定的费率文件）；是范围而非承诺。数量来自下文各表。",
  "Bars show the share of uses; the number is the number of uses. Mapped: HIP has the same. Changed: translates, but behaves or may behave otherwise. Missing: no counterpart. The table counts distinct names.":
    "条形表示使用次数的比例，右侧数字为使用次数。可转换：HIP 有相同功能。语义有变化：可转换，但行为不同或可能不同。缺失：没有对应。表中按不同名称计数。",
  "Findings are places in the sources; the colour is the severity. Error: work by hand. Warning: check. Note: know.": "问题是源代码中的位置；颜色表示严重程度。错误：需手工处理。警告：需检查。提示：需知晓。",
  "Built with pumice cc from the unchanged sources and run on a software card; \"blocked\" means that this installation lacks a ROCm library, or this machine an input file or a second card; that says nothing about the project.":
    "用 pumice cc 编译未改动的源代码，在软件显卡上运行；“无法判断”指本安装缺少某个 ROCm 库，或本机缺少输入文件或第二块显卡，与项目本身无关。",
};
const units = { // what the rules of the effort count: one, several, Chinese
  "projects": ["project", "projects", "个项目"], "gpu_thousand_lines": ["thousand lines that use CUDA", "thousand lines that use CUDA", "千行"], "thousand_lines": ["thousand lines", "thousand lines", "千行"],
  "translated_files": ["file", "files", "个文件"], "error_names": ["name or construct", "names or constructs", "个名称或写法"], "error_places": ["place", "places", "处"], "warning_findings": ["warning", "warnings", "处警告"],
  "ptx_instructions": ["instruction", "instructions", "种指令"], "failed_units": ["source", "sources", "个源文件"], "wrong_programs": ["program", "programs", "个程序"], "libraries_partial": ["library", "libraries", "个库"],
  "libraries_other": ["library", "libraries", "个库"], "libraries_missing": ["library", "libraries", "个库"], "python_replace": ["package", "packages", "个包"], "kernels": ["kernel", "kernels", "个内核"], "matrix_files": ["file", "files", "个文件"],
  "monitoring_uses": ["place", "places", "处"],
};
const classes_zh = {
  "architecture": ["__CUDA_ARCH__ 分支", "设备代码用 __HIP_DEVICE_COMPILE__，架构用 __gfx942__ 等判断"], "argument-changed": ["参数不同", "检查改写后的调用"], "async-copy": ["异步拷贝或 libcu++ 屏障", "经寄存器加载并用 __syncthreads()，或使用 libhipcxx 中已有的类"],
  "ballot-width": ["32 位的 ballot", "用 unsigned long long 保存，用 __popcll、__ffsll、__clzll"], "build": ["构建文件", "让构建选择 HIP，见消息"], "cluster": ["线程块集群", "通过全局内存交换数据"],
  "cooperative-groups": ["HIP 缺少的协作组功能", "用 shuffle、hipCUB，或带 sync() 的循环"], "deprecated-api": ["HIP 中已弃用", "改用替代它的运行时函数"], "dynamic-parallelism": ["动态并行", "从主机启动，或在常驻内核中用工作队列"],
  "embedded-source": ["字符串中的设备代码", "作为单独文件转换"], "excluded-block": ["跳过的预处理块", "不带该选项再转换一次"], "experimental-api": ["HIP 中为实验性", "用 --experimental 转换"], "fp8": ["fp8 格式", "转换检查点并比较缩放"],
  "inline-ptx": ["内联 PTX", "用 C++ 或 clang 的 __builtin_amdgcn 函数改写"], "inline-ptx-matrix": ["张量核或异步拷贝的 PTX", "用 rocWMMA 或 __builtin_amdgcn_mfma 函数"], "lane-mask": ["32 位线程掩码", "传递 64 位掩码，或用不带掩码的形式"],
  "launch-bounds": ["__launch_bounds__ 第二个参数", "换算为 块数 × 线程数 / warpSize / 4，或去掉"], "legacy-api": ["旧式 cuBLAS 函数", "包含 cublas_v2.h，创建句柄并作为第一个参数"], "library-cudnn-graph": ["cuDNN 图接口", "hipDNN 的图接口或 MIOpen 的操作"],
  "library-cutlass": ["CUTLASS 或 CuTe", "Composable Kernel（ck_tile）或 hipBLASLt"], "library-missing": ["对应库的接口不同", "见消息"], "library-nvshmem": ["NVSHMEM", "逐个调用移植到 rocSHMEM"], "library-tensorrt": ["TensorRT", "MIGraphX，或 ONNX Runtime 的 MIGraphX 后端"],
  "macro-defined": ["CUDA 版本宏", "换成 HIP_VERSION 或 __HIP__，并检查需要哪个分支"], "missing-header": ["没有对应的头文件", "去掉 include 以及用到它的代码"], "needs-newer-rocm": ["需要更新的 ROCm", "提高 --rocm-version，或改写"], "note": ["跳过的文件", ""],
  "other-behaviour": ["行为不同", "阅读说明并检查"], "removed-from-cuda": ["已从 CUDA 移除", "改用后继者"], "shared-memory": ["超过 48 KiB 的共享内存", "每块共享内存不超过 64 KiB"], "texture": ["纹理", "用线性内存"], "thread-scheduling": ["波前内的锁或自旋", "每个波前由一个线程取锁，或用不等待的原子操作"],
  "tma": ["张量内存加速器", "经寄存器加载来拷贝"], "token-paste": ["由预处理器拼接的名称", "写出完整名称，或手工改前缀"], "unknown-name": ["形似 CUDA 的未知名称", "若属于项目自身，请给出声明它的文件夹；否则请反馈"], "unsupported-api": ["没有对应的名称", "改写，或用 #if !defined(__HIP__) 保护"],
  "vector-operator": ["向量类型的运算符", "在 AMD 上去掉该定义"], "version-dependent": ["取决于 CUDA 版本", "对照 HIP 的声明检查参数"], "warp-size": ["线程束宽度 32 的假设", "用 warpSize（CDNA 为 64），或有意保留 32 线程一组"], "wgmma": ["线程束组矩阵指令", "用 MFMA：rocWMMA 或 __builtin_amdgcn_mfma"],
  "wmma": ["nvcuda::wmma", "包含 rocwmma/rocwmma.hpp 并检查片段形状"],
};
</script>
)page";

} // namespace pumice::migrate
