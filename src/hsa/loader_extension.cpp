// SPDX-License-Identifier: MIT
// HSA_EXTENSION_AMD_LOADER and HSA_EXTENSION_IMAGES: their functions' tables.
#include "hsa/executables.h"
#include "hsa/extension_tables.h"
#include <algorithm>
#include <cstring>

namespace pumice::hsa {
namespace {

constexpr hsa_status_t kBadArgument = HSA_STATUS_ERROR_INVALID_ARGUMENT;

hsa_status_t query_host_address(const void* device_address, const void** host_address) {
  return api([&](Runtime& r) {
    if (!device_address || !host_address)
      return kBadArgument;
    if (!r.machine().loader().object_at(reinterpret_cast<uint64_t>(device_address)))
      return kBadArgument;
    *host_address = device_address; // one address space
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t query_segment_descriptors(hsa_ven_amd_loader_segment_descriptor_t* out,
                                       size_t* count) {
  return api([&](Runtime& r) {
    if (!count || (out == nullptr) != (*count == 0))
      return kBadArgument;
    std::vector<hsa_ven_amd_loader_segment_descriptor_t> all;
    for (auto& e : r.executables().all()) {
      std::lock_guard lock(e->mutex);
      for (const auto& l : e->loaded)
        for (const codeobj::Segment& s : l->object->parsed.segments) {
          hsa_ven_amd_loader_segment_descriptor_t d{};
          d.agent = handle(l->agent);
          d.executable = handle(e.get());
          d.code_object_storage_type = HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY;
          d.code_object_storage_base = l->object->code->elf.data();
          d.code_object_storage_size = l->object->code->elf.size();
          d.code_object_storage_offset = s.file_offset;
          d.segment_base = reinterpret_cast<const void*>(l->object->code->load_bias + s.vaddr);
          d.segment_size = s.memory_size;
          all.push_back(d);
        }
    }
    if (!out)
      return *count = all.size(), HSA_STATUS_SUCCESS;
    if (*count != all.size())
      return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
    std::copy(all.begin(), all.end(), out);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t query_executable(const void* device_address, hsa_executable_t* executable) {
  return api([&](Runtime& r) {
    if (!device_address || !executable)
      return kBadArgument;
    auto o = r.machine().loader().object_at(reinterpret_cast<uint64_t>(device_address));
    for (auto& e : r.executables().all()) {
      std::lock_guard lock(e->mutex);
      for (const auto& l : e->loaded)
        if (o && l->object == o)
          return *executable = handle(e.get()), HSA_STATUS_SUCCESS;
    }
    return kBadArgument;
  });
}

hsa_status_t iterate_loaded(hsa_executable_t executable,
                            hsa_status_t (*callback)(hsa_executable_t, hsa_loaded_code_object_t,
                                                     void*),
                            void* data) {
  return api([&](Runtime& r) {
    auto e = r.executables().find(executable);
    if (!e)
      return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    if (!callback)
      return kBadArgument;
    std::vector<hsa_loaded_code_object_t> list;
    {
      std::lock_guard lock(e->mutex);
      for (const auto& l : e->loaded)
        list.push_back(handle(l.get()));
    }
    for (hsa_loaded_code_object_t l : list)
      if (hsa_status_t s = callback(executable, l, data); s != HSA_STATUS_SUCCESS)
        return s;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t loaded_info(const LoadedCodeObject& l,
                         hsa_ven_amd_loader_loaded_code_object_info_t attribute, void* value) {
  const device::LoadedObject& o = *l.object;
  switch (attribute) {
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE:
    return put(value, handle(l.executable));
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND:
    return put<uint32_t>(value, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT);
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT:
    return put(value, handle(l.agent));
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE:
    return put<uint32_t>(value, l.file >= 0 ? HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE
                                            : HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY);
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE:
    return put(value, reinterpret_cast<uint64_t>(o.code->elf.data()));
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE:
    return put<uint64_t>(value, o.code->elf.size());
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE:
    return l.file >= 0 ? put(value, l.file) : kBadArgument;
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA:
    return put(value, static_cast<int64_t>(o.code->load_bias));
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE:
    return put(value, o.base);
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE:
    return put(value, o.size);
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH:
    return put(value, static_cast<uint32_t>(l.uri.size()));
  case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI:
    std::memcpy(value, l.uri.data(), l.uri.size());
    return HSA_STATUS_SUCCESS;
  }
  return kBadArgument;
}

hsa_status_t loaded_get_info(hsa_loaded_code_object_t loaded,
                             hsa_ven_amd_loader_loaded_code_object_info_t attribute, void* value) {
  return api([&](Runtime& r) {
    if (!value)
      return kBadArgument;
    hsa_status_t status = HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    r.executables().with_loaded(
        loaded, [&](const LoadedCodeObject& l) { status = loaded_info(l, attribute, value); });
    return status;
  });
}

hsa_status_t reader_from_file_part(hsa_file_t file, size_t offset, size_t size,
                                   hsa_code_object_reader_t* reader) {
  return api([&](Runtime& r) {
    if (!reader || !size)
      return kBadArgument;
    auto c = read_file(file, offset, size);
    if (!c.ok())
      return c.status().code == Code::system ? HSA_STATUS_ERROR_INVALID_FILE : kBadArgument;
    *reader = r.executables().add_reader(std::move(*c));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t iterate_executables(hsa_status_t (*callback)(hsa_executable_t, void*), void* data) {
  return api([&](Runtime& r) {
    if (!callback)
      return kBadArgument;
    for (auto& e : r.executables().all())
      if (hsa_status_t s = callback(handle(e.get()), data); s != HSA_STATUS_SUCCESS)
        return s;
    return HSA_STATUS_SUCCESS;
  });
}

// Newer tables extend older ones.
const hsa_ven_amd_loader_1_03_pfn_t kLoaderTable = {
    &query_host_address, &query_segment_descriptors, &query_executable,    &iterate_loaded,
    &loaded_get_info,    &reader_from_file_part,     &iterate_executables,
};
const hsa_ext_images_1_pfn_t kImageTable = {
    &hsa_ext_image_get_capability,
    &hsa_ext_image_data_get_info,
    &hsa_ext_image_create,
    &hsa_ext_image_destroy,
    &hsa_ext_image_copy,
    &hsa_ext_image_import,
    &hsa_ext_image_export,
    &hsa_ext_image_clear,
    &hsa_ext_sampler_create,
    &hsa_ext_sampler_destroy,
    &hsa_ext_image_get_capability_with_layout,
    &hsa_ext_image_data_get_info_with_layout,
    &hsa_ext_image_create_with_layout,
};

} // namespace

TableView extension_table(uint16_t extension, uint16_t minor) {
  if (extension == HSA_EXTENSION_IMAGES)
    return {&kImageTable, minor == 0 ? sizeof(hsa_ext_images_1_00_pfn_t) : sizeof kImageTable};
  constexpr size_t kSizes[] = {
      sizeof(hsa_ven_amd_loader_1_00_pfn_t), sizeof(hsa_ven_amd_loader_1_01_pfn_t),
      sizeof(hsa_ven_amd_loader_1_02_pfn_t), sizeof(hsa_ven_amd_loader_1_03_pfn_t)};
  return {&kLoaderTable, kSizes[std::min<uint16_t>(minor, 3)]};
}

} // namespace pumice::hsa
