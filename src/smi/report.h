// SPDX-License-Identifier: MIT
// What rocm-smi prints, collected first and written once: so that a machine format is one valid
// document whatever went wrong on the way. Text layout and key names follow ROCm 6.x.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pumice::smi {

enum class Format : unsigned char { text, json, csv };

class Report {
public:
  /// Starts a section; `title` is shown in the text's spacer line.
  void section(std::string title);
  /// "GPU[0]\t\t: key: value" and card0/key.
  void card(size_t card, std::string key, std::string value);
  /// The same; machine formats get another key and value than the text's.
  void card(size_t card, std::string key, std::string value, std::string machine_key,
            std::string machine_value);
  /// Text only: "GPU[0]\t\t: note".
  void note(size_t card, std::string text);
  /// Text only, as it is.
  void line(std::string text);
  /// Machine formats only.
  void machine(size_t card, std::string key, std::string value);
  /// A value of the whole system; in machine formats under "system".
  void system(std::string key, std::string value);
  void machine_system(std::string key, std::string value);
  /// Cards that machine formats list even when nothing is known about them.
  void expect_cards(const std::vector<size_t>& cards);
  /// A request that failed; the exit status becomes nonzero.
  void failure(std::string what) { failures_.push_back(std::move(what)); }
  const std::vector<std::string>& failures() const { return failures_; }

  std::string render(Format f) const;
  /// The text of what was collected since the last call, with its section left open: for output
  /// that comes bit by bit. render() then gives the rest.
  std::string drain_text();

private:
  struct Item {
    enum Kind : unsigned char { title, entry, text } kind;
    std::optional<size_t> card;
    std::string key, value; // entry
    bool in_text = true, in_machine = true;
    std::string machine_key, machine_value; // when different
  };
  std::string text(bool& open) const;
  std::string json() const;
  std::string csv() const;
  std::vector<Item> items_;
  std::vector<size_t> expected_;
  std::vector<std::string> failures_;
  bool open_ = false; // a section that drain_text() left open
};

/// A line of `fill` with `title` in the middle, as wide as ROCm's tool makes it.
std::string spacer(std::string title, char fill = '=', size_t width = 0);
/// A field of a CSV file [RFC 4180].
std::string csv_field(std::string_view s);

/// Writes all of `text` to stdout or to `file`. A reader that went away (a closed pipe) ends
/// quietly. False, with a message on stderr, when the system refuses.
bool write_output(const std::string& text, const std::string& file, bool append);
/// The reader of some output went away: whoever repeats should stop.
bool reader_gone();

} // namespace pumice::smi
