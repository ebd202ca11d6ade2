import { svgProblem } from '@fairway/domain'
import { Failure } from './failure.ts'

export type PictureType = 'image/svg+xml' | 'image/png' | 'image/webp' | 'image/x-icon'

/** Larger ones are not for the small boxes they stand in. */
const MOST_PIXELS = 2048

export type PictureRules = {
  types: readonly PictureType[]
  mostBytes: number
  /** Field that a refusal names. */ path: string
}

/** What a picture really is, by its bytes. @throws Failure 400 or 413 when it is none that may be shown */
export function pictureTypeOf(body: Buffer, { types, mostBytes, path }: PictureRules): PictureType {
  const refused = (message: string) => new Failure(400, { fields: [{ path, message }] })
  if (body.length > mostBytes) throw new Failure(413)
  const type = typeOf(body)
  if (!type || !types.includes(type)) throw refused('validation.pictureType')
  if (type === 'image/svg+xml') {
    const problem = svgProblem(body.toString('utf8'))
    if (problem) throw refused(`validation.svgScript:${problem}`)
    return type
  }
  const side = type === 'image/png' ? Math.max(body.readUInt32BE(16), body.readUInt32BE(20)) : 0
  if (side > MOST_PIXELS) throw refused(`validation.pictureSize:${MOST_PIXELS}`)
  return type
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function typeOf(body: Buffer): PictureType | null {
  if (body.length >= 33 && body.subarray(0, 8).equals(PNG) && body.toString('latin1', 12, 16) === 'IHDR')
    return 'image/png'
  if (body.length >= 16 && body.toString('latin1', 0, 4) === 'RIFF' && body.toString('latin1', 8, 12) === 'WEBP')
    return 'image/webp'
  if (body.length >= 22 && body.readUInt32LE(0) === 0x0001_0000 && body.readUInt16LE(4) > 0) return 'image/x-icon'
  const text = body.toString('utf8')
  // A text that is not UTF-8 could say something else to a browser than to this check.
  return Buffer.from(text, 'utf8').equals(body) && !text.includes('\0') && text.trimStart().startsWith('<')
    ? 'image/svg+xml'
    : null
}
