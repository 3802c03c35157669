// SPDX-License-Identifier: MIT
#include "compiler/hipify/edits.h"
#include <algorithm>

namespace pumice::hipify {

void Edits::pad(uint32_t begin, uint32_t end, std::string& text) const {
  std::string_view old = lines_of_.substr(begin, end - begin);
  auto had = std::count(old.begin(), old.end(), '\n'), has = std::count(text.begin(), text.end(), '\n');
  if (had > has)
    text.append(size_t(had - has), '\n');
}

void Edits::discard(uint32_t begin, uint32_t end, size_t first) {
  if (first >= edits_.size())
    return;
  edits_.erase(std::remove_if(edits_.begin() + ptrdiff_t(first), edits_.end(),
                              [&](const Edit& e) { return e.begin >= begin && e.end <= end; }),
               edits_.end());
}

std::string Edits::render(std::string_view text, uint32_t begin, uint32_t end, size_t first) const {
  std::vector<const Edit*> inside;
  for (size_t i = first; i < edits_.size(); ++i)
    if (edits_[i].begin >= begin && edits_[i].end <= end)
      inside.push_back(&edits_[i]);
  std::sort(inside.begin(), inside.end(), [](const Edit* a, const Edit* b) {
    if (a->begin != b->begin)
      return a->begin < b->begin;
    bool a_inserts = a->begin == a->end, b_inserts = b->begin == b->end;
    if (a_inserts != b_inserts)
      return a_inserts; // insertions before what replaces the text there
    if (a->force != b->force)
      return a->force;
    return a_inserts || a->end == b->end ? a->order < b->order : a->end > b->end;
  });
  std::string out;
  out.reserve(end - begin + inside.size() * 8);
  uint32_t at = begin;
  for (const Edit* e : inside) {
    if (e->begin < at)
      continue;
    out.append(text, at, e->begin - at);
    out += e->text;
    at = e->end;
  }
  out.append(text, at, end - at);
  return out;
}

} // namespace pumice::hipify
