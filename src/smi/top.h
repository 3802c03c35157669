// SPDX-License-Identifier: MIT
// pumice top: cards, processes and running kernels, sampled; as text frames or one JSON document.
#pragma once
#include "smi/model.h"
#include <map>
#include <string>

namespace pumice::smi {

class Top {
public:
  explicit Top(Model& m) : model_(m) {}
  /// Takes a sample; shares are relative to the previous one.
  void sample();
  std::string json() const;
  /// One frame of at most `rows` lines of `columns` characters; 0 = no bound. `color`: with escape
  /// sequences.
  enum class Color : unsigned char { off, on };
  std::string frame(size_t rows, size_t columns, Color color) const;

private:
  struct CardRow {
    size_t card = 0;
    std::string name;
    Reading<uint32_t> busy;
    Reading<uint64_t> used, total, power_uw;
    Reading<int64_t> temperature_mc;
    Reading<uint64_t> clock_mhz;
  };
  struct Use {
    CardUse now;
    double busy_percent = 0;
  };
  struct ProcessRow {
    Process process;
    std::vector<Use> uses;
    std::vector<KernelStat> kernels; // most busy first
  };
  Model& model_;
  uint64_t time_ns_ = 0;
  std::vector<CardRow> cards_;
  std::vector<ProcessRow> processes_;
  std::map<std::pair<uint32_t, size_t>, uint64_t> busy_ns_; // of the sample before, by pid and card
};

} // namespace pumice::smi
