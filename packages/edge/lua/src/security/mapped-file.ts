import * as ffi from 'ffi'

let declared = false

/** A file in memory that all processes share, and its size. It is only ever replaced by rename, so it stays as it is. */
export function mappedFile(file: string): { memory: ffi.Address; bytes: number } | undefined {
  if (!declared) {
    declared = true
    ffi.cdef(
      'int fairway_open(const char *path, int flags) __asm__("open"); long fairway_lseek(int file, long offset, int from) __asm__("lseek"); void *fairway_mmap(void *at, size_t size, int protection, int flags, int file, long offset) __asm__("mmap"); int fairway_munmap(void *at, size_t size) __asm__("munmap"); int fairway_close(int file) __asm__("close");',
    )
  }
  const opened = ffi.C.fairway_open(file, 0)
  if (opened < 0) return undefined
  const bytes = tonumber(ffi.C.fairway_lseek(opened, 0, 2)) ?? 0
  // Read-only, shared.
  const memory = ffi.C.fairway_mmap(undefined, bytes, 1, 1, opened, 0)
  ffi.C.fairway_close(opened)
  return tonumber(ffi.cast('intptr_t', memory)) === -1 ? undefined : { memory, bytes }
}

export function unmap(memory: ffi.Address, bytes: number): void {
  ffi.C.fairway_munmap(memory, bytes)
}
