// SPDX-License-Identifier: MIT
// Hints for build files: rows/build.tsv says which words of CMake, Make and setuptools select CUDA and what selects HIP.
#include "compiler/hipify/embedded_rows.h"
#include "compiler/hipify/lexer.h"
#include "compiler/hipify/tree.h"
#include <algorithm>
#include <cctype>

namespace pumice::hipify {
namespace {

struct BuildRow {
  std::string_view word, suggestion;
};

const std::vector<BuildRow>& build_rows() {
  static const std::vector<BuildRow> rows = [] {
    std::vector<BuildRow> out;
    std::string_view text = embedded_rows("build");
    while (!text.empty()) {
      size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      size_t tab = line.find('\t');
      if (!line.empty() && line[0] != '#' && tab != line.npos)
        out.push_back({line.substr(0, tab), line.substr(tab + 1)});
    }
    return out;
  }();
  return rows;
}

bool word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

} // namespace

std::vector<Finding> build_file_findings(const std::string& path, std::string_view text) {
  std::vector<Finding> out;
  LineIndex lines(text);
  const CodeRow& code = Tables::get().code("B001");
  for (const BuildRow& row : build_rows()) {
    for (size_t at = text.find(row.word); at != text.npos; at = text.find(row.word, at + 1)) {
      size_t end = at + row.word.size();
      bool whole = (at == 0 || !word_char(text[at - 1]) || !word_char(row.word.front())) &&
                   (end >= text.size() || !word_char(text[end]) || !word_char(row.word.back()));
      if (!whole)
        continue;
      LineIndex::Position p = lines.of(uint32_t(at));
      out.push_back({path, p.line, p.column, &code, std::string(row.word) + " selects CUDA in a build file",
                     std::string(row.suggestion)});
    }
  }
  std::sort(out.begin(), out.end(), [](const Finding& a, const Finding& b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  });
  return out;
}

} // namespace pumice::hipify
