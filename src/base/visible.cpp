// SPDX-License-Identifier: MIT
#include "base/visible.h"
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <optional>

namespace pumice {
namespace {

constexpr size_t kUuidLength = 20, kShortestUuid = 5;

std::string upper(std::string s) {
  for (char& c : s)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return s;
}

std::optional<size_t> by_uuid(const std::string& word, const std::vector<std::string>& uuids) {
  if (word.size() < kShortestUuid || word.size() > kUuidLength)
    return std::nullopt;
  std::optional<size_t> found;
  for (size_t i = 0; i < uuids.size(); ++i) {
    if (uuids[i].size() != kUuidLength || !upper(uuids[i]).starts_with(upper(word)))
      continue;
    if (found) // fits two cards
      return std::nullopt;
    found = i;
  }
  return found;
}

std::optional<size_t> by_number(const std::string& word, size_t count) {
  if (word.empty())
    return std::nullopt;
  char* end = nullptr;
  errno = 0;
  long n = std::strtol(word.c_str(), &end, 0);
  if (*end || errno || n < 0 || static_cast<size_t>(n) >= count)
    return std::nullopt;
  return static_cast<size_t>(n);
}

} // namespace

std::vector<size_t> visible_devices(const char* list, const std::vector<std::string>& uuids) {
  std::vector<size_t> kept;
  if (!list) {
    for (size_t i = 0; i < uuids.size(); ++i)
      kept.push_back(i);
    return kept;
  }
  std::string text = list;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    std::string word = text.substr(at, end - at);
    word.erase(0, std::min(word.find_first_not_of(" \t"), word.size()));
    word.erase(word.find_last_not_of(" \t") + 1);
    bool uuid = !word.empty() && std::toupper(static_cast<unsigned char>(word[0])) == 'G';
    auto card = uuid ? by_uuid(word, uuids) : by_number(word, uuids.size());
    if (!card || std::find(kept.begin(), kept.end(), *card) != kept.end())
      break;
    kept.push_back(*card);
    at = end + 1;
  }
  return kept;
}

std::vector<size_t> visible_devices(const std::vector<std::string>& uuids) {
  return visible_devices(std::getenv("ROCR_VISIBLE_DEVICES"), uuids); // ROCm's variable, not one of our options
}

} // namespace pumice
