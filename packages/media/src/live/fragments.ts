/** What ffmpeg's fragmented MP4 is read as, and what parts are written as (ISO 14496-12). */
export type Track = { id: number; isVideo: boolean; timescale: number }
export type Sample = { track: number; at: number; duration: number; offset: number; flags: number; bytes: Buffer }

/** It comes from our own encoder; more than this is no frame of it. */
const MOST_BOX = 32 * 2 ** 20
const NOT_SYNC = 0x1_00_00
export const isKey = ({ flags }: Sample): boolean => (flags & NOT_SYNC) === 0

type Box = { type: string; body: Buffer }

function* boxesIn(bytes: Buffer): Generator<Box> {
  for (let at = 0; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(at)
    if (size < 8 || at + size > bytes.length) throw new Error('a box of MP4 is damaged')
    yield { type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, at + size) }
    at += size
  }
}
const inside = (bytes: Buffer, ...path: string[]): Buffer | undefined =>
  path.reduce<Buffer | undefined>(
    (body, type) => body && [...boxesIn(body)].find((box) => box.type === type)?.body,
    bytes,
  )

/** Cuts a stream of boxes where they end. */
export class FragmentReader {
  readonly #take: { init: (bytes: Buffer, tracks: Track[]) => void; samples: (samples: Sample[]) => void }
  #rest = Buffer.alloc(0)
  #head: Buffer[] = []
  #moof: Buffer | null = null

  constructor(take: { init: (bytes: Buffer, tracks: Track[]) => void; samples: (samples: Sample[]) => void }) {
    this.#take = take
  }

  push(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    while (bytes.length >= 8) {
      const size = bytes.readUInt32BE(0)
      if (size < 8 || size > MOST_BOX) throw new Error('a box of MP4 has no size')
      if (bytes.length < size) break
      this.#box(bytes.toString('latin1', 4, 8), bytes.subarray(0, size))
      bytes = bytes.subarray(size)
    }
    this.#rest = Buffer.from(bytes)
  }

  #box(type: string, box: Buffer): void {
    if (type === 'ftyp') this.#head = [Buffer.from(box)]
    if (type === 'moov') {
      this.#head.push(Buffer.from(box))
      this.#take.init(Buffer.concat(this.#head), tracksOf(box.subarray(8)))
    }
    if (type === 'moof') this.#moof = Buffer.from(box)
    if (type === 'mdat' && this.#moof) {
      this.#take.samples(samplesOf(this.#moof, Buffer.from(box)))
      this.#moof = null
    }
  }
}

function tracksOf(moov: Buffer): Track[] {
  return [...boxesIn(moov)]
    .filter(({ type }) => type === 'trak')
    .map(({ body }) => {
      const [tkhd, mdhd, hdlr] = [inside(body, 'tkhd'), inside(body, 'mdia', 'mdhd'), inside(body, 'mdia', 'hdlr')]
      if (!tkhd || !mdhd || !hdlr) throw new Error('a track of MP4 is not whole')
      return {
        id: tkhd.readUInt32BE(tkhd.readUInt8(0) === 1 ? 20 : 12),
        isVideo: hdlr.toString('latin1', 8, 12) === 'vide',
        timescale: mdhd.readUInt32BE(mdhd.readUInt8(0) === 1 ? 20 : 12),
      }
    })
}

function samplesOf(moof: Buffer, mdat: Buffer): Sample[] {
  const samples: Sample[] = []
  for (const { type, body } of boxesIn(moof.subarray(8))) {
    if (type !== 'traf') continue
    const [tfhd, tfdt] = [inside(body, 'tfhd'), inside(body, 'tfdt')]
    if (!tfhd || !tfdt) throw new Error('a fragment of MP4 is not whole')
    const track = tfhd.readUInt32BE(4)
    const given = fields(tfhd, 8, [0x1, 8], [0x2, 4], [0x8, 4], [0x10, 4], [0x20, 4]).values
    let at = tfdt.readUInt8(0) === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4)
    for (const run of boxesIn(body)) {
      if (run.type !== 'trun') continue
      const head = fields(run.body, 8, [0x1, 4], [0x4, 4])
      // Counted from the first byte of the moof.
      let from = (head.values.get(0x1) ?? 0) - moof.length
      let next = head.next
      for (let index = 0, count = run.body.readUInt32BE(4); index < count; index++) {
        const own = fields(run.body, next, [0x1_00, 4], [0x2_00, 4], [0x4_00, 4], [0x8_00, 4])
        next = own.next
        const duration = own.values.get(0x1_00) ?? given.get(0x8) ?? 0
        const size = own.values.get(0x2_00) ?? given.get(0x10) ?? 0
        const flags = own.values.get(0x4_00) ?? (index === 0 ? head.values.get(0x4) : undefined) ?? given.get(0x20) ?? 0
        if (from < 8 || from + size > mdat.length) throw new Error('a sample of MP4 is not there')
        const bytes = mdat.subarray(from, from + size)
        samples.push({ track, at, duration, offset: (own.values.get(0x8_00) ?? 0) | 0, flags, bytes })
        at += duration
        from += size
      }
    }
  }
  return samples
}

/** Fields that are there when their flag is set. */
function fields(body: Buffer, from: number, ...named: [flag: number, size: 4 | 8][]) {
  const flags = body.readUIntBE(1, 3)
  const values = new Map<number, number>()
  let next = from
  for (const [flag, size] of named) {
    if ((flags & flag) === 0) continue
    values.set(flag, size === 8 ? Number(body.readBigUInt64BE(next)) : body.readUInt32BE(next))
    next += size
  }
  return { values, next }
}

const box = (type: string, ...bodies: Buffer[]): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(bodies.reduce((sum, { length }) => sum + length, 8))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...bodies])
}
const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4)
  return bytes
}
const DEFAULT_BASE_IS_MOOF = 0x2_00_00
/** Version 1; offset of the data, and of each sample its duration, size, flags and composition offset. */
const RUN = 0x1_00_0f_01

/** One fragment with the samples of one track behind those of the other. */
export function fragmentOf(sequence: number, runs: readonly (readonly Sample[])[]): Buffer {
  const made = (from: number) =>
    box(
      'moof',
      box('mfhd', words(0, sequence)),
      ...runs.map((samples, index) => {
        const before = runs.slice(0, index).flat()
        const offset = from + 8 + before.reduce((sum, { bytes }) => sum + bytes.length, 0)
        const first = Buffer.alloc(8)
        first.writeBigUInt64BE(BigInt(samples[0]?.at ?? 0))
        return box(
          'traf',
          box('tfhd', words(DEFAULT_BASE_IS_MOOF, samples[0]?.track ?? 0)),
          box('tfdt', words(0x1_00_00_00), first),
          box(
            'trun',
            words(RUN, samples.length, offset),
            words(...samples.flatMap(({ duration, bytes, flags, offset: at }) => [duration, bytes.length, flags, at])),
          ),
        )
      }),
    )
  return Buffer.concat([made(made(0).length), box('mdat', ...runs.flat().map(({ bytes }) => bytes))])
}

/** An initialization segment of one of its tracks; null when there is none of that kind. */
export function initApart(init: Buffer, isVideo: boolean): Buffer | null {
  const moov = inside(init, 'moov')
  const track = moov && tracksOf(moov).find((one) => one.isVideo === isVideo)
  if (!moov || !track) return null
  const own = [...boxesIn(moov)].flatMap(({ type, body }) => {
    if (type === 'trak') return tracksOf(box(type, body)).some(({ id }) => id === track.id) ? [box(type, body)] : []
    if (type !== 'mvex') return type === 'mvhd' ? [box(type, body)] : []
    const extends_ = [...boxesIn(body)].filter((one) => one.type === 'trex' && one.body.readUInt32BE(4) === track.id)
    return [box(type, ...extends_.map((one) => box(one.type, one.body)))]
  })
  return Buffer.concat([
    box('ftyp', inside(init, 'ftyp') ?? Buffer.from('iso6\0\0\0\0iso6', 'latin1')),
    box('moov', ...own),
  ])
}

/**
 * What a segment holds of one track, in fragments as it has them; without a sample where that is nothing, as of sound
 * that pauses. Null without such a track.
 */
export function segmentApart(init: Buffer, segment: Buffer, isVideo: boolean): Buffer | null {
  const { track, fragments, begin } = apart(init, segment, isVideo)
  if (!track) return null
  if (fragments.length > 0) return Buffer.concat(fragments.map((samples, index) => fragmentOf(index + 1, [samples])))
  return emptyFragment(track.id, Math.round(begin * track.timescale))
}

/** Of one track: ticks a second, and when it begins in a segment; null where it has nothing in it. */
export function beginApart(init: Buffer, segment: Buffer, isVideo: boolean): { timescale: number; at: number } | null {
  const { track, fragments } = apart(init, segment, isVideo)
  const at = fragments[0]?.[0]?.at
  return track && at !== undefined ? { timescale: track.timescale, at } : null
}

/** `begin` is when any track begins, in seconds. */
function apart(init: Buffer, segment: Buffer, isVideo: boolean) {
  const fragments: Sample[][] = []
  let [all, begin]: [Track[], number | null] = [[], null]
  const reader = new FragmentReader({
    init: (_, tracks) => (all = tracks),
    samples: (samples) => {
      const [first] = samples
      const scale = all.find(({ id }) => id === first?.track)?.timescale
      if (first && scale) begin ??= first.at / scale
      const own = samples.filter(({ track }) => track === all.find((one) => one.isVideo === isVideo)?.id)
      if (own.length > 0) fragments.push(own)
    },
  })
  reader.push(init)
  reader.push(segment)
  return { track: all.find((one) => one.isVideo === isVideo), fragments, begin: begin ?? 0 }
}

function emptyFragment(track: number, at: number): Buffer {
  const first = Buffer.alloc(8)
  first.writeBigUInt64BE(BigInt(at))
  const run = box('tfhd', words(DEFAULT_BASE_IS_MOOF, track))
  return Buffer.concat([
    box('moof', box('mfhd', words(0, 1)), box('traf', run, box('tfdt', words(0x1_00_00_00), first))),
    box('mdat'),
  ])
}
