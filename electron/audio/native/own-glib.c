// Why: on Linux, Electron brings the system's GLib into the process, and the libvips of sharp brings
// another one of its own. The system's loader gives sharp's calls of GLib to the first of them, so that
// objects which one GLib made are counted and freed by the other: complaints in thousands, and now and
// then a crash. Here those few calls are pointed at the GLib that libvips itself uses.

#define _GNU_SOURCE
#include <node_api.h>

#ifdef __linux__
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define IS_CALL_SLOT(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define IS_CALL_SLOT(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#else
#define IS_CALL_SLOT(type) false
#endif

typedef struct {
  const char *strings;
  const ElfW(Sym) *symbols;
  const ElfW(Rela) *tables[2];
  size_t counts[2];
  bool needs_libvips;
} Dynamic;

// The loader has already made the addresses in here absolute, as glibc does on these processors.
static Dynamic read_dynamic(const ElfW(Dyn) *entries) {
  Dynamic found = {0};
  for (const ElfW(Dyn) *entry = entries; entry->d_tag != DT_NULL; entry++) {
    switch (entry->d_tag) {
      case DT_STRTAB: found.strings = (const char *)entry->d_un.d_ptr; break;
      case DT_SYMTAB: found.symbols = (const ElfW(Sym) *)entry->d_un.d_ptr; break;
      case DT_JMPREL: found.tables[0] = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
      case DT_PLTRELSZ: found.counts[0] = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
      case DT_RELA: found.tables[1] = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
      case DT_RELASZ: found.counts[1] = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
      default: break;
    }
  }
  if (found.strings == NULL) return found;
  for (const ElfW(Dyn) *entry = entries; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag != DT_NEEDED) continue;
    if (strncmp(found.strings + entry->d_un.d_val, "libvips-cpp.so", 14) == 0) found.needs_libvips = true;
  }
  return found;
}

// Some builds have the loader make the slots read-only; such a page is opened for the moment.
static bool write_slot(void **slot, void *address, bool read_only) {
  const uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
  void *page = (void *)((uintptr_t)slot & ~(page_size - 1));
  if (read_only && mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) return false;
  *slot = address;
  if (read_only) mprotect(page, page_size, PROT_READ);
  return true;
}

typedef struct {
  const char *file;
  uintptr_t base;
  uintptr_t locked_from;
  uintptr_t locked_to;
  Dynamic dynamic;
} Addon;

// Only looks: nothing may be opened while the loader's list is walked.
static int find_addon(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  Addon found = {.file = object->dlpi_name, .base = object->dlpi_addr};
  for (int at = 0; at < object->dlpi_phnum; at++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[at];
    const uintptr_t start = found.base + header->p_vaddr;
    if (header->p_type == PT_DYNAMIC && found.file != NULL && found.file[0] == '/') {
      found.dynamic = read_dynamic((const ElfW(Dyn) *)start);
    }
    if (header->p_type == PT_GNU_RELRO) {
      found.locked_from = start;
      found.locked_to = start + header->p_memsz;
    }
  }
  if (!found.dynamic.needs_libvips) return 0;
  *(Addon *)data = found;
  return 1;
}

static bool bind_slot(const Addon *addon, void *handle, const ElfW(Rela) *entry, const char *name) {
  void *own = dlsym(handle, name);
  const uintptr_t slot = addon->base + entry->r_offset;
  const bool read_only = slot >= addon->locked_from && slot < addon->locked_to;
  return own != NULL && write_slot((void **)slot, own, read_only);
}

// How many calls were bound; -1 where one could not be.
static int bind_addon(const Addon *addon) {
  const Dynamic *dynamic = &addon->dynamic;
  // A search from this handle sees the addon and what it needs, never what Electron brought.
  void *handle = dlopen(addon->file, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == NULL) return -1;
  int bound = 0;
  for (int table = 0; table < 2 && bound >= 0; table++) {
    for (size_t at = 0; at < dynamic->counts[table] && bound >= 0; at++) {
      const ElfW(Rela) *entry = &dynamic->tables[table][at];
      if (!IS_CALL_SLOT(ELF64_R_TYPE(entry->r_info))) continue;
      const char *name = dynamic->strings + dynamic->symbols[ELF64_R_SYM(entry->r_info)].st_name;
      if (strncmp(name, "g_", 2) != 0) continue;
      bound = bind_slot(addon, handle, entry, name) ? bound + 1 : -1;
    }
  }
  dlclose(handle);
  return bound;
}
#endif

// How many of sharp's calls were bound; -1 where one could not be, and sharp must not be used.
static napi_value bind_glib(napi_env env, napi_callback_info info) {
  (void)info;
  int bound = 0;
#ifdef __linux__
  Addon addon;
  if (dl_iterate_phdr(find_addon, &addon) != 0) bound = bind_addon(&addon);
#endif
  napi_value value;
  napi_create_int32(env, bound, &value);
  return value;
}

NAPI_MODULE_INIT() {
  napi_value function;
  napi_create_function(env, "bindGlib", NAPI_AUTO_LENGTH, bind_glib, NULL, &function);
  napi_set_named_property(env, exports, "bindGlib", function);
  return exports;
}
