// SPDX-License-Identifier: MIT
// Replacements of ranges of a text, collected in any order and applied at once. Of overlapping ones the earlier begin, then
// the longer, then (for forced ones) the later wins; insertions at one place keep the order in which they came.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pumice::hipify {

class Edits {
public:
  void replace(uint32_t begin, uint32_t end, std::string text, bool force = false) {
    if (!lines_of_.empty() && begin < end)
      pad(begin, end, text);
    edits_.push_back({begin, end, uint32_t(edits_.size()), force, std::move(text)});
  }
  void insert(uint32_t at, std::string text) { replace(at, at, std::move(text)); }
  /// Drops edits from number `first` on that lie within [begin, end): a larger replacement takes their place.
  void discard(uint32_t begin, uint32_t end, size_t first = 0);
  /// The text of [begin, end) with the edits from number `first` on that lie within it.
  std::string render(std::string_view text, uint32_t begin, uint32_t end, size_t first = 0) const;
  /// Replacements get as many line ends as what they replace.
  void keep_lines(std::string_view text) { lines_of_ = text; }
  bool empty() const { return edits_.empty(); }
  size_t size() const { return edits_.size(); }
  std::string apply(std::string_view text) const { return render(text, 0, uint32_t(text.size())); }

private:
  void pad(uint32_t begin, uint32_t end, std::string& text) const;
  struct Edit {
    uint32_t begin, end, order;
    bool force;
    std::string text;
  };
  std::vector<Edit> edits_;
  std::string_view lines_of_;
};

} // namespace pumice::hipify
