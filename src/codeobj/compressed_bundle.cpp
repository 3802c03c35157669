// SPDX-License-Identifier: MIT
// CCOB headers. All versions start with magic (4), version (2), method (2); then
//   v1: uncompressed size (4), hash (8)
//   v2: total size (4), uncompressed size (4), hash (8)
//   v3: total size (8), uncompressed size (8), hash (8)
// Method 0 is zlib, 1 is zstd. The hash is not checked: both formats carry their own integrity
// data.
#include "codeobj/bundle.h"
#include "codeobj/host_binary.h"
#include <algorithm>
#include <zlib.h>
#include <zstd.h>

namespace pumice::codeobj {
namespace {

constexpr uint64_t kMaxPlainBytes = uint64_t{8} << 30;
// zstd's best case on real data is far below this; a larger claim is a decompression bomb.
constexpr uint64_t kMaxRatio = 4096;

struct Header {
  uint16_t version = 0, method = 0;
  uint64_t total = 0, plain = 0; // total 0: not recorded
  size_t size = 0;               // of the header
};

Status bad(const std::string& what) {
  return error(Code::invalid_code_object, "malformed compressed bundle: " + what);
}

Result<Header> read_header(Bytes b) {
  Reader r(b);
  Header h;
  r.skip(4);
  h.version = r.u16();
  h.method = r.u16();
  if (h.version < 1 || h.version > 3)
    return error(Code::incompatible,
                 "compressed bundle version " + std::to_string(h.version) + " is not supported");
  unsigned width = h.version == 3 ? 8 : 4;
  if (h.version >= 2)
    h.total = r.uint(width);
  h.plain = r.uint(width);
  r.skip(8);
  if (!r.ok())
    return bad("truncated header");
  h.size = r.position();
  return h;
}

Status inflate_zlib(Bytes from, std::vector<uint8_t>& to) {
  uLongf size = to.size();
  int rc = uncompress(to.data(), &size, from.data(), from.size());
  return rc == Z_OK && size == to.size() ? ok_status() : bad("zlib data");
}

Status inflate_zstd(Bytes from, std::vector<uint8_t>& to) {
  // A streaming context: trailing bytes after the frame (padding of v1 blobs) are fine.
  ZSTD_DCtx* ctx = ZSTD_createDCtx();
  ZSTD_inBuffer in{from.data(), from.size(), 0};
  ZSTD_outBuffer out{to.data(), to.size(), 0};
  size_t rc = 1;
  while (rc != 0 && in.pos < in.size) {
    size_t before_in = in.pos, before_out = out.pos;
    rc = ZSTD_decompressStream(ctx, &out, &in);
    if (ZSTD_isError(rc) || (in.pos == before_in && out.pos == before_out))
      break;
  }
  ZSTD_freeDCtx(ctx);
  return rc == 0 && out.pos == to.size() ? ok_status() : bad("zstd data");
}

} // namespace

bool is_compressed_bundle(Bytes b) {
  return b.size() >= 4 && std::memcmp(b.data(), "CCOB", 4) == 0;
}

Result<std::vector<uint8_t>> decompress_bundle(Bytes b) {
  TRY_ASSIGN(Header h, read_header(b));
  if (h.total && (h.total < h.size || h.total > b.size()))
    return bad("total size");
  Bytes data = b.subspan(h.size, (h.total ? h.total : b.size()) - h.size);
  if (h.plain > kMaxPlainBytes || h.plain / kMaxRatio > data.size())
    return bad("uncompressed size");
  std::vector<uint8_t> plain(static_cast<size_t>(h.plain));
  switch (h.method) {
  case 0:
    TRY(inflate_zlib(data, plain));
    break;
  case 1:
    TRY(inflate_zstd(data, plain));
    break;
  default:
    return error(Code::incompatible,
                 "compression method " + std::to_string(h.method) + " is not supported");
  }
  return plain;
}

Result<uint64_t> compressed_size_at(const uint8_t* p) {
  TRY_ASSIGN(Header h, read_header(Bytes(p, 32)));
  if (!h.total)
    return error(Code::incompatible, "a version 1 compressed bundle in memory has no size; relink "
                                     "the program with a newer clang");
  return h.total;
}

} // namespace pumice::codeobj
