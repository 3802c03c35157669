// SPDX-License-Identifier: MIT
// The support matrix: rows read from share/pumice/matrix/*.tsv. Every row names the page that it was read from; pages
// that disagree are both kept. docs/matrix.md describes the files.
#pragma once
#include "base/result.h"
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pumice::matrix {

/// Where a fact was read, and when.
struct Source {
  std::string page, date;
};

/// One thing that a page says of a release: `component` (of `category`) has or works with `values`.
struct Fact {
  std::string release;   // pattern, see version.h
  std::string category;  // os, gpu, framework, driver, kfd, math, ...
  std::string component; // "Ubuntu", "gfx942", "PyTorch", "rocBLAS", ...
  std::vector<std::string> values;
  std::string condition; // limits of it in the page's words ("gfx950 gfx942", "Python 3.11-3.14"); mostly empty
  Source source;
};

/// A card on an operating system with one release.
struct CardOs {
  std::string release;
  std::vector<std::string> cards; // "MI210"
  std::string gfx;
  std::string os;                 // "Ubuntu 22.04.5", "all listed", "all listed EXCEPT ..."
  std::string kernel;             // as listed; may be empty
  Source source;
};

struct OsKernel {
  std::string os, version;
  std::vector<std::string> kernels;
  std::string glibc;
  Source source;
};

struct Firmware {
  std::string release;
  std::vector<std::string> cards;
  std::string firmware;
  std::vector<std::string> drivers;
  Source source;
};

/// Two pages that say different things of one component, noted by hand.
struct Contradiction {
  std::string release, category, component;
  std::vector<std::pair<std::string, Source>> claims; // what each page says
  std::string note;
};

struct Matrix {
  std::vector<Fact> facts;
  std::vector<CardOs> card_os;
  std::vector<OsKernel> kernels;
  std::vector<Firmware> firmware;
  std::vector<Contradiction> disagreements;
  std::vector<std::string> releases; // concrete ones, oldest first
  std::vector<std::string> ranges;   // patterns such as 7.14-10.x
  std::string newest;                // highest release that any pattern reaches, for "newer than data"
  std::string read;                  // when the newest file was read
};

/// Reads all tables below `folder`. Error: the first file that is missing or malformed, with its line.
Result<Matrix> load(const std::filesystem::path& folder);

/// Everything wrong with the tables, one message with file and line each.
std::vector<std::string> validate(const std::filesystem::path& folder);

/// share/pumice/matrix of the installation that this program belongs to.
std::filesystem::path default_folder();

/// "MI300X" and the like -> gfx target; gfx names stay; "" when unknown.
std::string gfx_of(std::string_view card);
/// Whether `listed` ("MI200 series", "MI355X") means `card`.
bool names_card(const std::vector<std::string>& listed, std::string_view card);

/// Operating systems of a release as "Ubuntu 22.04.5".
std::string normal_os(std::string_view text);

} // namespace pumice::matrix
