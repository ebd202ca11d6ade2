import { type Amf, readAmf } from './rtmp/amf0.ts'

/** What an encoder's messages become for ffmpeg, as they come. */
export type Wrapping = { take(type: number, time: number, body: Buffer): Buffer }

/** FLV of sound and picture (Adobe's version 10.1, annex E). */
const FLV_HEADER = Buffer.from([0x46, 0x4c, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0])

export function asFlv(): Wrapping {
  let head = FLV_HEADER
  return {
    take(type, time, body) {
      const bytes = Buffer.concat([head, flvTag(type, time, body)])
      head = Buffer.alloc(0)
      return bytes
    },
  }
}

function flvTag(type: number, time: number, body: Buffer): Buffer {
  const header = Buffer.alloc(11)
  header.writeUInt8(type, 0)
  header.writeUIntBE(body.length, 1, 3)
  header.writeUIntBE(time & 0xff_ff_ff, 4, 3)
  header.writeUInt8((time >>> 24) & 0xff, 7)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(body.length + header.length)
  return Buffer.concat([header, body, size])
}

const AAC = 10
const NAMED = 9
const MOST_PIXELS = 4096

/** What an encoder says of its picture; null where it says nothing that can be. */
export type Said = { width: number | null; height: number | null; fps: number | null }

/** Reads `onMetaData`, with or without `@setDataFrame` in front of it. */
export function saidIn(body: Buffer): Said | null {
  let values: Amf[]
  try {
    values = readAmf(body)
  } catch {
    return null
  }
  const facts = values.find((value) => value !== null && typeof value === 'object' && !Array.isArray(value))
  if (!values.includes('onMetaData') || facts === undefined || facts === null || typeof facts !== 'object') return null
  const of = (name: string, least: number, most: number) => {
    const value = Object.entries(facts).find(([key]) => key === name)?.[1]
    return typeof value === 'number' && value >= least && value <= most ? value : null
  }
  return { width: of('width', 2, MOST_PIXELS), height: of('height', 2, MOST_PIXELS), fps: of('framerate', 1, 120) }
}

/** Sound: what its codec begins with, or a frame. Null for a codec that is not taken. */
export type Sound = { codec: 'aac' | 'opus'; isHeader: boolean; data: Buffer }

/** AAC as FLV has it, and Opus as enhanced RTMP (version 2, table 3) names it. */
export function soundOf(body: Buffer): Sound | null {
  if (body.length < 2) return null
  const format = body.readUInt8(0) >> 4
  if (format === AAC) return { codec: 'aac', isHeader: body.readUInt8(1) === 0, data: body.subarray(2) }
  if (format !== NAMED || body.toString('latin1', 1, 5) !== 'Opus') return null
  return { codec: 'opus', isHeader: (body.readUInt8(0) & 15) === 0, data: body.subarray(5) }
}
