import { type Said, type Sound, type Wrapping, soundOf } from './flv.ts'
import { type PictureCodec, pictureOf } from './rtmp/picture.ts'
import { VIDEO } from './rtmp/publisher.ts'

// Matroska (RFC 9559) as it is streamed: segment and clusters without a size, one block for each message. ffmpeg 5.1
// reads HEVC, AV1 and VP9 in it, and not in FLV; what begins a codec in enhanced RTMP is what begins it here, too.

const CODECS: Readonly<Record<PictureCodec, string>> = {
  avc1: 'V_MPEG4/ISO/AVC',
  hvc1: 'V_MPEGH/ISO/HEVC',
  av01: 'V_AV1',
  vp09: 'V_VP9',
  vp08: 'V_VP8',
}
/** Sound that has not begun by then is not waited for: what tracks there are is said once. */
const WAITED_MS = 1_000
const MOST_WAITING_BYTES = 16 << 20
const MOST_WAITING = 500
/** Times within a cluster have 16 bits. */
const MOST_IN_CLUSTER_MS = 30_000
const UNKNOWN_SIZE = Buffer.from('01ffffffffffffff', 'hex')
const PICTURE = 1
const SOUND = 2
const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]

type Block = { track: typeof PICTURE | typeof SOUND; at: number; isKey: boolean; data: Buffer }

/**
 * Pictures of enhanced RTMP and of WebRTC, and AAC or Opus beside them. @throws Error when a codec begins anew with something else: the sender
 * is put out, and comes back behind a discontinuity
 */
export function asMatroska(said: Pick<Said, 'width' | 'height'>): Wrapping {
  let picture: { codec: PictureCodec; config: Buffer } | null = null
  let sound: Sound | null = null
  let waiting: Block[] = []
  let waitingBytes = 0
  let hasBegun = false
  let cluster: number | null = null
  let last: number | null = null
  let now = 0
  /** From the first message on; a clock of 32 bits begins anew. */
  const at = (time: number): number => {
    now += last === null ? 0 : (time - last) | 0
    last = time
    return Math.max(0, now)
  }
  const written = ({ track, at: time, isKey, data }: Block): Buffer => {
    const head = Buffer.from([0x80 | track, 0, 0, isKey ? 0x80 : 0])
    const begins =
      cluster === null || (track === PICTURE && isKey) || Math.abs(time - cluster) > MOST_IN_CLUSTER_MS ? time : null
    cluster = begins ?? cluster ?? 0
    head.writeInt16BE(time - cluster, 1)
    const block = element('a3', head, data)
    return begins === null
      ? block
      : Buffer.concat([Buffer.from('1f43b675', 'hex'), UNKNOWN_SIZE, uint('e7', begins), block])
  }
  const take = (block: Block): Buffer => {
    if (hasBegun) return block.track === SOUND && sound === null ? Buffer.alloc(0) : written(block)
    waiting.push(block)
    waitingBytes += block.data.length
    const isLong = block.at - (waiting[0]?.at ?? 0) > WAITED_MS || waitingBytes > MOST_WAITING_BYTES
    if (picture === null || (sound === null && !isLong && waiting.length < MOST_WAITING)) return Buffer.alloc(0)
    hasBegun = true
    const blocks = waiting.filter(({ track }) => track === PICTURE || sound !== null)
    waiting = []
    return Buffer.concat([headOf(picture, sound, said), ...blocks.map(written)])
  }
  return {
    take(type, time, body) {
      if (type !== VIDEO) {
        const heard = soundOf(body)
        if (heard === null) return Buffer.alloc(0)
        if (!heard.isHeader) return take({ track: SOUND, at: at(time), isKey: true, data: heard.data })
        if (sound !== null && !(sound.codec === heard.codec && sound.data.equals(heard.data)))
          throw new Error('its sound begins anew')
        if (!hasBegun) sound = { ...heard, data: Buffer.from(heard.data) }
        return Buffer.alloc(0)
      }
      const found = pictureOf(body)
      if (found === null || found.kind === 'other') return Buffer.alloc(0)
      if (found.kind === 'header') {
        if (picture !== null && !(picture.codec === found.codec && picture.config.equals(found.data)))
          throw new Error('its picture begins anew')
        picture ??= { codec: found.codec, config: Buffer.from(found.data) }
        return Buffer.alloc(0)
      }
      if (picture !== null && found.codec !== picture.codec) throw new Error('its codec has changed')
      const shown = Math.max(0, at(time) + found.offset)
      return take({ track: PICTURE, at: shown, isKey: found.isKey, data: found.data })
    },
  }
}

function headOf(
  { codec, config }: { codec: PictureCodec; config: Buffer },
  sound: Sound | null,
  { width, height }: Pick<Said, 'width' | 'height'>,
): Buffer {
  const track = (number: number, kind: number, name: string, secret: Buffer, ...more: Buffer[]): Buffer =>
    element(
      'ae',
      uint('d7', number),
      uint('73c5', number),
      uint('83', kind),
      uint('9c', 0),
      text('86', name),
      secret,
      ...more,
    )
  // Of VP9 and VP8 nothing has to be known before.
  const begins = codec === 'vp09' || codec === 'vp08' ? Buffer.alloc(0) : element('63a2', config)
  const size = element('e0', uint('b0', width ?? 1280), uint('ba', height ?? 720))
  const tracks = [track(PICTURE, 1, CODECS[codec], begins, size)]
  if (sound !== null) {
    const said = sound.codec === 'aac' ? sound.data.readUInt16BE(0) : null
    const rate = Buffer.alloc(8)
    rate.writeDoubleBE(said === null ? 48_000 : (RATES[(said >> 7) & 15] ?? 48_000))
    const heard = element('e1', element('b5', rate), uint('9f', said === null ? 2 : (said >> 3) & 15 || 2))
    tracks.push(track(SOUND, 2, said === null ? 'A_OPUS' : 'A_AAC', element('63a2', sound.data), heard))
  }
  return Buffer.concat([
    element(
      '1a45dfa3',
      uint('4286', 1),
      uint('42f7', 1),
      uint('42f2', 4),
      uint('42f3', 8),
      text('4282', 'matroska'),
      uint('4287', 4),
      uint('4285', 2),
    ),
    Buffer.from('18538067', 'hex'),
    UNKNOWN_SIZE,
    // A millisecond is the unit of times.
    element('1549a966', uint('2ad7b1', 1_000_000), text('4d80', 'Fairway'), text('5741', 'Fairway')),
    element('1654ae6b', ...tracks),
  ])
}

/** An element of EBML (RFC 8794), its size in four bytes. */
function element(id: string, ...bodies: readonly Buffer[]): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(0x10_00_00_00 + bodies.reduce((sum, { length }) => sum + length, 0))
  return Buffer.concat([Buffer.from(id, 'hex'), size, ...bodies])
}
function uint(id: string, value: number): Buffer {
  const bytes = Buffer.alloc(6)
  bytes.writeUIntBE(value, 0, 6)
  return element(id, bytes)
}
const text = (id: string, value: string): Buffer => element(id, Buffer.from(value))
