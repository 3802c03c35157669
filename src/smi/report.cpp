// SPDX-License-Identifier: MIT
#include "smi/report.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/ioctl.h>
#include <unistd.h>

namespace pumice::smi {
namespace {

size_t app_width() {
  winsize w{};
  if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col >= 20)
    return w.ws_col;
  return 70;
}

std::atomic<bool> g_reader_gone = false;

std::string trimmed(const std::string& s) {
  size_t a = s.find_first_not_of(" \t"), b = s.find_last_not_of(" \t");
  return a == std::string::npos ? "" : s.substr(a, b - a + 1);
}

} // namespace

std::string spacer(std::string title, char fill, size_t width) {
  if (!width)
    width = app_width();
  width += width % 2;
  if (title.empty())
    return std::string(width, fill);
  if (title.size() % 2)
    title += fill;
  std::string side(title.size() < width ? (width - title.size()) / 2 : 0, fill);
  return side + title + side;
}

std::string csv_field(std::string_view s) {
  if (s.find_first_of(",\"\r\n") == std::string_view::npos)
    return std::string(s);
  std::string q = "\"";
  for (char c : s) {
    if (c == '"')
      q += '"';
    q += c;
  }
  return q + '"';
}

void Report::section(std::string title) {
  items_.push_back({Item::title, {}, std::move(title), {}, true, false, {}, {}});
}
void Report::card(size_t card, std::string key, std::string value) {
  items_.push_back({Item::entry, card, std::move(key), std::move(value), true, true, {}, {}});
}
void Report::card(size_t card, std::string key, std::string value, std::string machine_key,
                  std::string machine_value) {
  items_.push_back({Item::entry, card, std::move(key), std::move(value), true, true,
                    std::move(machine_key), std::move(machine_value)});
}
void Report::note(size_t card, std::string text) {
  items_.push_back(
      {Item::text, {}, "GPU[" + std::to_string(card) + "]\t\t: " + text, {}, true, false, {}, {}});
}
void Report::line(std::string text) {
  items_.push_back({Item::text, {}, std::move(text), {}, true, false, {}, {}});
}
void Report::machine(size_t card, std::string key, std::string value) {
  items_.push_back({Item::entry, card, std::move(key), std::move(value), false, true, {}, {}});
}
void Report::system(std::string key, std::string value) {
  items_.push_back({Item::entry, {}, std::move(key), std::move(value), true, true, {}, {}});
}
void Report::machine_system(std::string key, std::string value) {
  items_.push_back({Item::entry, {}, std::move(key), std::move(value), false, true, {}, {}});
}

void Report::expect_cards(const std::vector<size_t>& cards) {
  expected_.clear();
  for (size_t c : cards)
    if (std::find(expected_.begin(), expected_.end(), c) == expected_.end())
      expected_.push_back(c);
}

std::string Report::render(Format f) const {
  if (f != Format::text)
    return f == Format::json ? json() : csv();
  bool open = open_;
  std::string out = text(open);
  if (open)
    out += spacer("") + "\n";
  return out;
}

std::string Report::drain_text() {
  std::string out = text(open_);
  items_.clear();
  return out;
}

std::string Report::text(bool& open) const {
  std::string out;
  for (const Item& i : items_) {
    if (!i.in_text)
      continue;
    switch (i.kind) {
    case Item::title:
      if (open)
        out += spacer("") + "\n";
      open = true;
      out += spacer(i.key) + "\n";
      break;
    case Item::text:
      out += i.key + "\n";
      break;
    case Item::entry:
      if (i.card)
        out += "GPU[" + std::to_string(*i.card) + "]\t\t: ";
      out += i.key + ": " + i.value + "\n";
      break;
    }
  }
  return out;
}

std::string Report::json() const {
  auto doc = nlohmann::ordered_json::object();
  for (size_t c : expected_)
    doc["card" + std::to_string(c)] = nlohmann::ordered_json::object();
  for (const Item& i : items_) {
    if (i.kind != Item::entry || !i.in_machine)
      continue;
    auto& at = doc[i.card ? "card" + std::to_string(*i.card) : "system"];
    bool own = !i.machine_key.empty();
    at[own ? i.machine_key : i.key] = trimmed(own ? i.machine_value : i.value);
  }
  if (!failures_.empty())
    doc["errors"] = failures_;
  return doc.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string Report::csv() const {
  std::vector<std::string> columns;
  std::set<std::string> seen;
  std::vector<std::pair<std::string, std::string>> system;
  std::vector<std::pair<size_t, std::vector<std::pair<std::string, std::string>>>> rows;
  for (size_t c : expected_)
    rows.push_back({c, {}});
  for (const Item& i : items_) {
    if (i.kind != Item::entry || !i.in_machine)
      continue;
    bool own = !i.machine_key.empty();
    const std::string& key = own ? i.machine_key : i.key;
    std::string value = trimmed(own ? i.machine_value : i.value);
    if (!i.card) {
      auto at = std::find_if(system.begin(), system.end(), [&](auto& v) { return v.first == key; });
      if (at == system.end())
        system.push_back({key, value});
      else
        at->second = value;
      continue;
    }
    if (seen.insert(key).second)
      columns.push_back(key);
    auto row = std::find_if(rows.begin(), rows.end(), [&](auto& r) { return r.first == *i.card; });
    if (row == rows.end())
      row = rows.insert(rows.end(), {*i.card, {}});
    row->second.push_back({key, value});
  }
  std::string out;
  // What failed is part of the document, as in JSON.
  std::string failed;
  for (const std::string& f : failures_)
    failed += (failed.empty() ? "" : "; ") + f;
  if (!failed.empty())
    system.push_back({"errors", failed});
  // One table per document: cards when something is known about them, else the system's values.
  if (!system.empty() && (columns.empty() || rows.empty())) {
    out = "name,value\n";
    for (auto& [k, v] : system)
      out += csv_field(k) + "," + csv_field(v) + "\n";
    return out;
  }
  out = "device";
  for (const std::string& c : columns)
    out += "," + csv_field(c);
  for (auto& [k, v] : system)
    out += "," + csv_field(k);
  out += "\n";
  for (auto& [card, values] : rows) {
    out += "card" + std::to_string(card);
    for (const std::string& c : columns) {
      auto it = std::find_if(values.rbegin(), values.rend(), [&](auto& v) { return v.first == c; });
      out += "," + csv_field(it == values.rend() ? "N/A" : it->second);
    }
    for (auto& [k, v] : system)
      out += "," + csv_field(v);
    out += "\n";
  }
  return out;
}

bool reader_gone() {
  return g_reader_gone;
}

bool write_output(const std::string& text, const std::string& file, bool append) {
  int fd = STDOUT_FILENO;
  if (!file.empty()) {
    fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : O_TRUNC), 0666);
    if (fd < 0) {
      std::fprintf(stderr, "cannot write %s: %s\n", file.c_str(), std::strerror(errno));
      return false;
    }
  }
  bool ok = true;
  for (size_t done = 0; done < text.size();) {
    ssize_t n = write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      if (errno == EPIPE) {
        g_reader_gone = true;
      } else {
        std::fprintf(stderr, "cannot write the output: %s\n", std::strerror(errno));
        ok = false;
      }
      break;
    }
    done += static_cast<size_t>(n);
  }
  if (fd != STDOUT_FILENO && close(fd) != 0) {
    std::fprintf(stderr, "cannot write %s: %s\n", file.c_str(), std::strerror(errno));
    ok = false;
  }
  return ok;
}

} // namespace pumice::smi
