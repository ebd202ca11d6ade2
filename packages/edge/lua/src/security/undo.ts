import * as ffi from 'ffi'
import type { Coding, Undone } from '@fairway/domain/web-security'

/** Bytes of output at a time; the type of `room` says the same. */
const STEP = 65_536
const ROOM = 'unsigned char[65536]'
/** What every receiver has to have room for, and no more (RFC 9659). */
const ZSTD_WINDOW_LOG = 23

let room: ffi.Room | undefined
let libraries: { zlib: Zlib; brotli: Brotli; zstd: Zstd } | undefined

function zlibOf() {
  return ffi.load('libz.so.1')
}
function brotliOf() {
  return ffi.load('libbrotlidec.so.1')
}
function zstdOf() {
  return ffi.load('libzstd.so.1')
}
type Zlib = ReturnType<typeof zlibOf>
type Brotli = ReturnType<typeof brotliOf>
type Zstd = ReturnType<typeof zstdOf>

/** nginx and its modules bring all three. */
function loaded(): { zlib: Zlib; brotli: Brotli; zstd: Zstd } {
  if (libraries !== undefined) return libraries
  ffi.cdef(
    `typedef struct { const char *next_in; unsigned avail_in; unsigned long total_in; unsigned char *next_out; unsigned avail_out; unsigned long total_out; const char *said; void *state; void *allocate; void *free; void *opaque; int data_type; unsigned long checksum; unsigned long reserved; } fairway_zlib_stream;
     int fairway_inflate_init(fairway_zlib_stream *stream, int bits, const char *version, int bytes) __asm__("inflateInit2_"); int fairway_inflate(fairway_zlib_stream *stream, int flush) __asm__("inflate"); int fairway_inflate_reset(fairway_zlib_stream *stream) __asm__("inflateReset"); int fairway_inflate_end(fairway_zlib_stream *stream) __asm__("inflateEnd");
     void *fairway_brotli_new(void *allocate, void *free, void *opaque) __asm__("BrotliDecoderCreateInstance"); int fairway_brotli_next(void *state, size_t *left, const char **from, size_t *room, unsigned char **into, size_t *total) __asm__("BrotliDecoderDecompressStream"); void fairway_brotli_free(void *state) __asm__("BrotliDecoderDestroyInstance");
     typedef struct { const char *from; size_t size; size_t at; } fairway_zstd_in; typedef struct { unsigned char *into; size_t size; size_t at; } fairway_zstd_out;
     void *fairway_zstd_new(void) __asm__("ZSTD_createDCtx"); size_t fairway_zstd_set(void *context, int parameter, int value) __asm__("ZSTD_DCtx_setParameter"); size_t fairway_zstd_next(void *context, fairway_zstd_out *out, fairway_zstd_in *from) __asm__("ZSTD_decompressStream"); unsigned fairway_zstd_is_error(size_t code) __asm__("ZSTD_isError"); size_t fairway_zstd_free(void *context) __asm__("ZSTD_freeDCtx");`,
  )
  libraries = { zlib: zlibOf(), brotli: brotliOf(), zstd: zstdOf() }
  return libraries
}

/**
 * Undoes one coding, as far as `most` bytes. What it costs is bounded by what goes in and what may come out: a megabyte
 * each way at the most.
 */
export function undo(coding: Coding, bytes: string, most: number): Undone {
  const { zlib, brotli, zstd } = loaded()
  if (room === undefined) room = ffi.new(ROOM)
  if (coding === 'gzip') return inflate(zlib, room, bytes, most, 31)
  if (coding === 'br') return undoBrotli(brotli, room, bytes, most)
  if (coding === 'zstd') return undoZstd(zstd, room, bytes, most)
  const said = inflate(zlib, room, bytes, most, 15)
  // Many send the stream without its wrapping (RFC 9110 8.4.1.2), and readers take both.
  return said.end === 'broken' && said.text === '' ? inflate(zlib, room, bytes, most, -15) : said
}

function inflate(zlib: Zlib, into: ffi.Room, bytes: string, most: number, bits: number): Undone {
  const streams = ffi.new('fairway_zlib_stream[1]')
  const [stream] = [streams[0]]
  // 112 bytes, as the library checks.
  if (stream === undefined || zlib.fairway_inflate_init(streams, bits, '1.2.11', 112) !== 0) return BROKEN
  stream.next_in = bytes
  stream.avail_in = bytes.length
  const parts: string[] = []
  let made = 0
  let end: Undone['end'] | undefined
  while (end === undefined) {
    stream.next_out = into
    stream.avail_out = STEP
    const code = zlib.fairway_inflate(streams, 0)
    const got = STEP - stream.avail_out
    parts.push(ffi.string(into, got))
    made += got
    if (made > most) end = 'full'
    else if (code === 1) {
      if (stream.avail_in === 0) end = 'whole'
      // RFC 1952 2.2: one member after the other; anything else behind a stream is none of it.
      else if (bits !== 31 || zlib.fairway_inflate_reset(streams) !== 0) end = 'broken'
    } else if (code !== 0 && code !== -5) end = 'broken'
    else if (stream.avail_in === 0 && got < STEP) end = 'unfinished'
    else if (code === -5 && got === 0) end = 'unfinished'
  }
  const used = bytes.length - stream.avail_in
  zlib.fairway_inflate_end(streams)
  return { text: parts.join(''), used, end }
}

function undoBrotli(brotli: Brotli, into: ffi.Room, bytes: string, most: number): Undone {
  const state = brotli.fairway_brotli_new(undefined, undefined, undefined)
  if (state === undefined) return BROKEN
  const left = ffi.new('size_t[1]', [bytes.length])
  const from = ffi.new('const char*[1]', [bytes])
  const parts: string[] = []
  let made = 0
  let end: Undone['end'] | undefined
  while (end === undefined) {
    const space = ffi.new('size_t[1]', [STEP])
    const code = brotli.fairway_brotli_next(state, left, from, space, ffi.new('unsigned char*[1]', [into]), undefined)
    const got = STEP - (tonumber(space[0]) ?? 0)
    parts.push(ffi.string(into, got))
    made += got
    if (made > most) end = 'full'
    else if (code === 1) end = tonumber(left[0]) === 0 ? 'whole' : 'broken'
    else if (code === 2) end = 'unfinished'
    else if (code !== 3) end = 'broken'
  }
  const used = bytes.length - (tonumber(left[0]) ?? 0)
  brotli.fairway_brotli_free(state)
  return { text: parts.join(''), used, end }
}

function undoZstd(zstd: Zstd, into: ffi.Room, bytes: string, most: number): Undone {
  const inputs = ffi.new('fairway_zstd_in[1]', [{ from: bytes, size: bytes.length, at: 0 }])
  const [input] = [inputs[0]]
  const context = zstd.fairway_zstd_new()
  if (context === undefined || input === undefined) return BROKEN
  // ZSTD_d_windowLogMax
  zstd.fairway_zstd_set(context, 100, ZSTD_WINDOW_LOG)
  const parts: string[] = []
  let made = 0
  let end: Undone['end'] | undefined
  while (end === undefined) {
    const outputs = ffi.new('fairway_zstd_out[1]', [{ into, size: STEP, at: 0 }])
    const left = zstd.fairway_zstd_next(context, outputs, inputs)
    const output = outputs[0]
    const got = output === undefined ? 0 : (tonumber(output.at) ?? 0)
    parts.push(ffi.string(into, got))
    made += got
    const isAll = (tonumber(input.at) ?? 0) >= bytes.length
    if (zstd.fairway_zstd_is_error(left) !== 0) end = 'broken'
    else if (made > most) end = 'full'
    else if (tonumber(left) === 0) end = isAll ? 'whole' : undefined
    else if (isAll && got < STEP) end = 'unfinished'
  }
  const used = tonumber(input.at) ?? 0
  zstd.fairway_zstd_free(context)
  return { text: parts.join(''), used, end }
}

const BROKEN: Undone = { text: '', used: 0, end: 'broken' }
