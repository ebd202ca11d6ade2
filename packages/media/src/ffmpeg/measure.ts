import fs from 'node:fs'
import path from 'node:path'

export type Made = { codecs: string; peakBitrate: number; averageBitrate: number }

/** Codecs and bit rates of a rendition that is whole, from its own segments. */
export function measure(folder: string): Made {
  const durations = segmentsOf(fs.readFileSync(path.join(folder, 'index.m3u8'), 'utf8'))
  const rates = durations.map(({ name, seconds }) => {
    const bits = fs.statSync(path.join(folder, name)).size * 8
    return { bits, seconds }
  })
  const seconds = rates.reduce((sum, one) => sum + one.seconds, 0)
  const bits = rates.reduce((sum, one) => sum + one.bits, 0)
  // A last segment of a few frames says nothing about what a line must carry.
  const whole = rates.filter((one) => one.seconds >= 1)
  const peak = Math.max(...(whole.length > 0 ? whole : rates).map((one) => one.bits / one.seconds))
  return {
    codecs: codecsOf(fs.readFileSync(path.join(folder, 'init.mp4'))),
    peakBitrate: Math.round(peak),
    averageBitrate: Math.round(bits / seconds),
  }
}

export function segmentsOf(playlist: string): { name: string; seconds: number }[] {
  return [...playlist.matchAll(/#EXTINF:([\d.]+),[^\n]*\n([\w.]+)/g)].map(([, seconds, name]) => ({
    name: name ?? '',
    seconds: Number(seconds),
  }))
}

/** RFC 6381 name of what an initialization segment is about: H.264 by its avcC box, else AAC-LC. */
export function codecsOf(init: Buffer): string {
  const at = init.indexOf('avcC')
  return at < 0 ? 'mp4a.40.2' : `avc1.${init.subarray(at + 5, at + 8).toString('hex')}`
}

/** Ticks a second of an initialization segment's one track (mdhd, ISO/IEC 14496-12 8.4.2). */
export function timescaleOf(init: Buffer): number | null {
  const at = init.indexOf('mdhd')
  if (at < 0) return null
  // Its times are twice as long in version 1.
  const from = at + 8 + (init[at + 4] === 1 ? 16 : 8)
  const timescale = from + 4 <= init.length ? init.readUInt32BE(from) : 0
  return timescale > 0 ? timescale : null
}
