// SPDX-License-Identifier: MIT
// The least of a PNG writer: 8-bit RGB, stored (uncompressed) deflate blocks [RFC 2083, RFC 1951].
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace png {

inline uint32_t crc(const uint8_t* p, size_t n, uint32_t c = ~0u) {
  for (size_t k = 0; k < n; k++) {
    c ^= p[k];
    for (int b = 0; b < 8; b++) c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
  }
  return c;
}

inline bool write(const std::string& file, int w, int h, const std::vector<uint8_t>& rgb) {
  std::vector<uint8_t> raw;
  for (int y = 0; y < h; y++) {
    raw.push_back(0); // no filter
    raw.insert(raw.end(), rgb.begin() + size_t(y) * w * 3, rgb.begin() + size_t(y + 1) * w * 3);
  }
  std::vector<uint8_t> z{0x78, 0x01};
  uint32_t a = 1, b = 0;
  for (uint8_t v : raw) a = (a + v) % 65521, b = (b + a) % 65521;
  for (size_t k = 0; k < raw.size(); k += 65535) {
    size_t n = raw.size() - k < 65535 ? raw.size() - k : 65535;
    z.push_back(k + n == raw.size());
    for (size_t v : {n, ~n}) z.push_back(uint8_t(v)), z.push_back(uint8_t(v >> 8));
    z.insert(z.end(), raw.begin() + k, raw.begin() + k + n);
  }
  auto be = [](std::vector<uint8_t>& o, uint32_t v) {
    for (int s = 24; s >= 0; s -= 8) o.push_back(uint8_t(v >> s));
  };
  be(z, b << 16 | a);
  FILE* f = std::fopen(file.c_str(), "wb");
  if (!f) return false;
  auto chunk = [&](const char* type, const std::vector<uint8_t>& data) {
    std::vector<uint8_t> o;
    be(o, uint32_t(data.size()));
    for (int k = 0; k < 4; k++) o.push_back(uint8_t(type[k]));
    o.insert(o.end(), data.begin(), data.end());
    be(o, ~crc(o.data() + 4, o.size() - 4));
    std::fwrite(o.data(), 1, o.size(), f);
  };
  std::fwrite("\x89PNG\r\n\x1a\n", 1, 8, f);
  std::vector<uint8_t> head;
  be(head, uint32_t(w)), be(head, uint32_t(h));
  head.insert(head.end(), {8, 2, 0, 0, 0});
  chunk("IHDR", head), chunk("IDAT", z), chunk("IEND", {});
  return std::fclose(f) == 0;
}

} // namespace png
