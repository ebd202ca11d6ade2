/** Codecs of pictures that enhanced RTMP names by four letters (version 1, table 4; VP8 in version 2). */
export const FOUR_CCS = ['hvc1', 'av01', 'vp09', 'vp08'] as const
export type PictureCodec = 'avc1' | (typeof FOUR_CCS)[number]

/** What a message of picture holds: what its codec begins with, a frame, or what is neither. */
type Picture =
  | { kind: 'other' }
  | {
      kind: 'header' | 'frame'
      codec: PictureCodec
      isKey: boolean
      /** Milliseconds that a frame is shown after its time. */ offset: number
      data: Buffer
    }

const AVC = 7
const KEY_FRAME = 1
const COMMAND_FRAME = 5
const SEQUENCE_START = 0
const CODED_FRAMES = 1
const CODED_FRAMES_X = 3
const METADATA = 4

/** Null for a codec that is not taken. */
export function pictureOf(body: Buffer): Picture | null {
  const first = body[0] ?? 0
  const low = first & 15
  const frameType = (first >> 4) & 7
  const isEnhanced = (first & 0x80) !== 0
  // A command has no codec behind it.
  if (frameType === COMMAND_FRAME && (isEnhanced ? low !== METADATA : low === AVC)) return { kind: 'other' }
  if (!isEnhanced) return low === AVC && body.length > 1 ? packetOf('avc1', body.readUInt8(1), frameType, body) : null
  const codec = FOUR_CCS.find((name) => name === body.toString('latin1', 1, 5))
  return codec === undefined ? null : packetOf(codec, low, frameType, body)
}

function packetOf(codec: PictureCodec, packet: number, frameType: number, body: Buffer): Picture {
  const isKey = frameType === KEY_FRAME
  if (packet === SEQUENCE_START) return { kind: 'header', codec, isKey, offset: 0, data: body.subarray(5) }
  if (packet !== CODED_FRAMES && (packet !== CODED_FRAMES_X || codec === 'avc1')) return { kind: 'other' }
  const from = codec === 'avc1' ? 2 : 5
  const hasOffset = codec === 'avc1' || (codec === 'hvc1' && packet === CODED_FRAMES)
  if (!hasOffset) return { kind: 'frame', codec, isKey, offset: 0, data: body.subarray(from) }
  if (body.length < from + 3) return { kind: 'other' }
  return { kind: 'frame', codec, isKey, offset: body.readIntBE(from, 3), data: body.subarray(from + 3) }
}
