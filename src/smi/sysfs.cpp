// SPDX-License-Identifier: MIT
#include "smi/sysfs.h"
#include "base/options.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pumice::smi::sysfs {
namespace {

constexpr size_t kMaxBytes = 8 << 20; // pci.ids has 1.5 MB; sysfs files a page

Why why_of(int error) {
  switch (error) {
  case EACCES:
  case EPERM:
    return Why::permission;
  case ENOENT:
  case ENOTDIR:
  case EOPNOTSUPP:
  case ENXIO:
  case ENODEV:
    return Why::not_supported;
  case EBUSY:
  case EAGAIN:
  case ENODATA:
    return Why::no_data;
  default:
    return Why::broken;
  }
}

/// PUMICE_SYSFS_DENY: ends of paths that are treated as forbidden, because tests may run as root.
bool denied(const std::string& path) {
  if (!options::is_set(options::Id::sysfs_deny))
    return false;
  std::string list = options::text(options::Id::sysfs_deny);
  for (size_t at = 0; at < list.size();) {
    size_t end = std::min(list.find(',', at), list.size());
    if (end > at && path.find(list.substr(at, end - at)) != std::string::npos)
      return true;
    at = end + 1;
  }
  return false;
}

std::string_view trim(std::string_view s) {
  while (!s.empty() && (s.back() == '\n' || s.back() == ' ' || s.back() == '\t' ||
                        s.back() == '\r' || s.back() == 0))
    s.remove_suffix(1);
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t'))
    s.remove_prefix(1);
  return s;
}

template <class F> void each_line(std::string_view text, F&& f) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    f(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
}

/// A decimal number with a fraction at the front of `s`; removes it.
std::optional<double> take_decimal(std::string_view& s) {
  size_t n = 0;
  while (n < s.size() && n < 24 && ((s[n] >= '0' && s[n] <= '9') || s[n] == '.'))
    ++n;
  double v = 0;
  auto [end, error] = std::from_chars(s.data(), s.data() + n, v, std::chars_format::fixed);
  if (error != std::errc() || n == 0)
    return std::nullopt;
  s.remove_prefix(static_cast<size_t>(end - s.data()));
  return v;
}

} // namespace

Reading<std::string> Root::bytes(const std::string& absolute, size_t most) const {
  std::string p = path(absolute);
  if (denied(p))
    return Why::permission;
  int fd = open(p.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return why_of(errno);
  std::string out;
  struct stat about;
  if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) // only a hint
    out.reserve(std::min({static_cast<size_t>(about.st_size), most, kMaxBytes}));
  char buffer[4096];
  for (;;) {
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      Why w = errno == EISDIR ? Why::broken : why_of(errno);
      close(fd);
      return w;
    }
    if (n == 0)
      break;
    out.append(buffer, static_cast<size_t>(n));
    if (out.size() >= most) {
      out.resize(most);
      break;
    }
    if (out.size() > kMaxBytes) {
      close(fd);
      return Why::broken;
    }
  }
  close(fd);
  return out;
}

Reading<std::string> Root::text(const std::string& absolute) const {
  auto r = bytes(absolute);
  if (!r.ok())
    return r;
  std::string s(trim(*r));
  if (s.empty())
    return Why::no_data;
  // Text goes to JSON and terminals: only ASCII does, the files have nothing else.
  for (char& c : s)
    if ((static_cast<unsigned char>(c) < 32 && c != '\n' && c != '\t') ||
        static_cast<unsigned char>(c) > 126)
      c = '?';
  return s;
}

std::optional<uint64_t> parse_number(std::string_view s) {
  s = trim(s);
  int base = 10;
  if (s.starts_with("0x") || s.starts_with("0X")) {
    s.remove_prefix(2);
    base = 16;
  }
  uint64_t v = 0;
  auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v, base);
  if (error != std::errc() || end != s.data() + s.size() || s.empty())
    return std::nullopt;
  return v;
}

Reading<uint64_t> Root::number(const std::string& absolute) const {
  auto r = text(absolute);
  if (!r.ok())
    return r.why();
  auto n = parse_number(*r);
  return n ? Reading<uint64_t>(*n) : Reading<uint64_t>(Why::broken);
}

Reading<uint64_t> Root::hex(const std::string& absolute) const {
  auto r = text(absolute);
  if (!r.ok())
    return r.why();
  auto n = parse_number(r->starts_with("0x") ? *r : "0x" + *r);
  return n ? Reading<uint64_t>(*n) : Reading<uint64_t>(Why::broken);
}

Reading<int64_t> Root::signed_number(const std::string& absolute) const {
  auto r = text(absolute);
  if (!r.ok())
    return r.why();
  int64_t v = 0;
  auto [end, error] = std::from_chars(r->data(), r->data() + r->size(), v);
  if (error != std::errc() || end != r->data() + r->size())
    return Why::broken;
  return v;
}

std::map<std::string, uint64_t> Root::properties(const std::string& absolute) const {
  auto r = bytes(absolute);
  return r.ok() ? parse_properties(*r) : std::map<std::string, uint64_t>{};
}

std::vector<std::string> Root::list(const std::string& absolute) const {
  std::vector<std::string> names;
  std::string p = path(absolute);
  if (denied(p))
    return names;
  DIR* d = opendir(p.c_str());
  if (!d)
    return names;
  while (dirent* e = readdir(d))
    if (e->d_name[0] != '.')
      names.emplace_back(e->d_name);
  closedir(d);
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    auto x = parse_number(a), y = parse_number(b);
    return x && y ? *x < *y : a < b;
  });
  return names;
}

Why Root::folder(const std::string& absolute) const {
  std::string p = path(absolute);
  if (denied(p + "/"))
    return Why::permission;
  DIR* d = opendir(p.c_str());
  if (!d)
    return why_of(errno);
  closedir(d);
  return access(p.c_str(), X_OK) == 0 ? Why::ok : why_of(errno);
}

bool Root::exists(const std::string& absolute) const {
  struct stat st;
  return stat(path(absolute).c_str(), &st) == 0;
}

Why Root::write(const std::string& absolute, const std::string& text) const {
  std::string p = path(absolute);
  if (denied(p))
    return Why::permission;
  // Settings exist already; a file that does not is a setting that the card does not have.
  int fd =
      open(p.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); // as a shell's >
  if (fd < 0)
    return why_of(errno);
  ssize_t n = ::write(fd, text.data(), text.size());
  int error = errno;
  if (close(fd) != 0 && n >= 0)
    return why_of(errno);
  if (n == static_cast<ssize_t>(text.size()))
    return Why::ok;
  return n < 0 && error == EINVAL ? Why::setting_off : n < 0 ? why_of(error) : Why::broken;
}

std::map<std::string, uint64_t> parse_properties(std::string_view text) {
  std::map<std::string, uint64_t> out;
  each_line(text, [&](std::string_view line) {
    size_t space = line.find(' ');
    if (space == std::string_view::npos || space == 0)
      return;
    if (auto n = parse_number(line.substr(space + 1)))
      out.emplace(line.substr(0, space), *n);
  });
  return out;
}

Reading<ClockTable> parse_levels(std::string_view text) {
  ClockTable t;
  bool bad = false;
  each_line(text, [&](std::string_view line) {
    line = trim(line);
    if (line.empty() || t.hz.size() >= 64)
      return;
    size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      bad = true;
      return;
    }
    std::string_view rest = trim(line.substr(colon + 1));
    auto value = take_decimal(rest);
    double unit = rest.starts_with("Mhz") || rest.starts_with("MHz") ? 1e6
                  : rest.starts_with("GT/s")                         ? 1e9
                                                                     : 0;
    if (!value || unit == 0 || !(*value * unit < 1e18)) {
      bad = true;
      return;
    }
    if (line[0] == 'S')
      t.deep_sleep = true;
    if (line.back() == '*')
      t.current = t.hz.size();
    t.hz.push_back(static_cast<uint64_t>(std::llround(*value * unit)));
  });
  if (bad)
    return Why::broken;
  if (t.hz.empty())
    return Why::no_data;
  return t;
}

Reading<EccCount> parse_error_count(std::string_view text) {
  EccCount c;
  int found = 0;
  each_line(text, [&](std::string_view line) {
    size_t colon = line.find(':');
    if (colon == std::string_view::npos)
      return;
    auto n = parse_number(line.substr(colon + 1));
    if (!n)
      return;
    std::string_view key = trim(line.substr(0, colon));
    if (key == "ue")
      c.uncorrectable = *n, ++found;
    else if (key == "ce")
      c.correctable = *n, ++found;
    else if (key == "de")
      c.deferred = *n;
  });
  return found == 2 ? Reading<EccCount>(c) : Reading<EccCount>(Why::broken);
}

Reading<uint64_t> parse_ras_features(std::string_view text) {
  std::string_view line = text.substr(0, text.find('\n'));
  size_t colon = line.find(':');
  if (colon == std::string_view::npos || line.substr(0, colon) != "feature mask")
    return Why::broken;
  auto n = parse_number(line.substr(colon + 1));
  return n ? Reading<uint64_t>(*n) : Reading<uint64_t>(Why::broken);
}

std::vector<BadPage> parse_bad_pages(std::string_view text) {
  std::vector<BadPage> pages;
  each_line(text, [&](std::string_view line) {
    size_t a = line.find(':'), b = a == std::string_view::npos ? a : line.find(':', a + 1);
    if (b == std::string_view::npos || pages.size() >= 65536)
      return;
    auto number = parse_number(line.substr(0, a)),
         size = parse_number(line.substr(a + 1, b - a - 1));
    std::string_view state = trim(line.substr(b + 1));
    if (!number || !size || *number > UINT64_MAX >> 12 || state.size() != 1)
      return;
    BadPage p{*number << 12, *size, BadPage::State::reserved};
    if (state == "P")
      p.state = BadPage::State::pending;
    else if (state == "F")
      p.state = BadPage::State::unreservable;
    else if (state != "R")
      return;
    pages.push_back(p);
  });
  return pages;
}

Reading<uint32_t> parse_link_speed(std::string_view text) {
  text = trim(text);
  auto gt = take_decimal(text);
  if (!gt || !trim(text).starts_with("GT/s") || *gt > 1e5)
    return Why::broken; // "Unknown"
  return static_cast<uint32_t>(std::lround(*gt * 1000));
}

Reading<std::vector<PowerProfile>> parse_profiles(std::string_view text) {
  std::vector<PowerProfile> all;
  each_line(text, [&](std::string_view line) {
    line = trim(line);
    size_t digits = line.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string_view::npos || all.size() >= 64)
      return; // the header, or the values of a profile
    auto number = parse_number(line.substr(0, digits));
    if (!number || *number > UINT32_MAX)
      return;
    line = trim(line.substr(digits));
    size_t n = 0;
    while (n < line.size() && (std::isalnum(static_cast<unsigned char>(line[n])) || line[n] == '_'))
      ++n;
    if (n == 0 || !std::isalnum(static_cast<unsigned char>(line[0])))
      return;
    bool active = trim(line.substr(n)).starts_with("*");
    all.push_back({static_cast<uint32_t>(*number), std::string(line.substr(0, n)), active});
  });
  if (all.empty())
    return Why::broken;
  return all;
}

Reading<Policies> parse_policies(std::string_view text) {
  Policies p;
  each_line(text, [&](std::string_view line) {
    size_t colon = line.find(':');
    if (colon == std::string_view::npos || p.choices.size() >= 64)
      return;
    auto number = parse_number(trim(line.substr(0, colon)));
    std::string_view name = trim(line.substr(colon + 1));
    if (!number || *number > UINT32_MAX || name.empty())
      return;
    if (name.ends_with('*')) {
      p.current = p.choices.size();
      name = trim(name.substr(0, name.size() - 1));
    }
    p.choices.emplace_back(static_cast<uint32_t>(*number), std::string(name));
  });
  if (p.choices.empty())
    return Why::broken;
  return p;
}

std::vector<std::string> parse_words(std::string_view text) {
  std::vector<std::string> all;
  for (text = trim(text); !text.empty() && all.size() < 64; text = trim(text)) {
    size_t end = std::min(text.find_first_of(" \t\n"), text.size());
    all.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return all;
}

std::vector<std::string> parse_list(std::string_view text) {
  std::vector<std::string> all;
  for (text = trim(text); !text.empty();) {
    size_t end = std::min(text.find(','), text.size());
    if (std::string_view item = trim(text.substr(0, end)); !item.empty() && all.size() < 64)
      all.emplace_back(item);
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return all;
}

std::optional<DrmClient> parse_fdinfo(std::string_view text) {
  DrmClient c;
  each_line(text, [&](std::string_view line) {
    size_t colon = line.find(':');
    if (colon == std::string_view::npos)
      return;
    std::string_view key = line.substr(0, colon), value = trim(line.substr(colon + 1));
    if (key == "drm-driver")
      c.driver = value;
    else if (key == "drm-pdev")
      c.pdev = value;
    size_t space = std::min(value.find(' '), value.size());
    auto n = parse_number(value.substr(0, space));
    if (!n)
      return;
    std::string_view unit = trim(value.substr(space));
    uint64_t factor = unit == "KiB" ? 1024 : unit == "MiB" ? 1 << 20 : unit == "GiB" ? 1 << 30 : 1;
    uint64_t scaled = *n > UINT64_MAX / factor ? UINT64_MAX : *n * factor;
    if (key == "drm-client-id")
      c.client_id = *n;
    else if (key == "pasid")
      c.pasid = *n;
    else if (key == "drm-memory-vram")
      c.vram_bytes = scaled;
    else if (key == "drm-memory-gtt")
      c.gtt_bytes = scaled;
    else if (key == "drm-memory-cpu")
      c.cpu_bytes = scaled;
    else if (key == "drm-engine-gfx")
      c.gfx_ns = *n;
    else if (key == "drm-engine-compute")
      c.compute_ns = *n;
    else if (key == "drm-engine-enc")
      c.enc_ns = *n;
  });
  if (c.driver.empty())
    return std::nullopt;
  return c;
}

PciName find_pci_name(std::string_view ids, uint32_t vendor, uint32_t device, uint32_t sub_vendor,
                      uint32_t sub_device) {
  PciName out;
  auto hex4 = [](std::string_view s) -> std::optional<uint32_t> {
    uint32_t v = 0;
    if (s.size() < 4)
      return std::nullopt;
    auto [end, error] = std::from_chars(s.data(), s.data() + 4, v, 16);
    return error == std::errc() && end == s.data() + 4 ? std::optional(v) : std::nullopt;
  };
  bool in_vendor = false, in_device = false, done = false;
  each_line(ids, [&](std::string_view line) {
    if (done || line.empty() || line[0] == '#')
      return;
    if (line[0] != '\t') { // "1002  Advanced Micro Devices"
      if (in_vendor) {
        done = true;
        return;
      }
      in_vendor = hex4(line) == vendor && line.size() > 6;
      if (in_vendor)
        out.vendor = trim(line.substr(4));
      return;
    }
    if (!in_vendor)
      return;
    if (line.size() > 1 && line[1] != '\t') { // "\t74a1  Aqua Vanjaram [Instinct MI300X]"
      in_device = hex4(line.substr(1)) == device;
      if (in_device)
        out.device = trim(line.substr(5));
      return;
    }
    if (in_device && line.size() > 11 && hex4(line.substr(2)) == sub_vendor &&
        hex4(line.substr(7)) == sub_device)
      out.subsystem = trim(line.substr(11));
  });
  return out;
}

} // namespace pumice::smi::sysfs
