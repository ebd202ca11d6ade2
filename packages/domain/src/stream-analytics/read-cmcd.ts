import { Cmcd } from '@fairway/contract'

const LONGEST = 1_024
const MOST_PAIRS = 32
const PAIR = /^([\w.-]{1,64})(?:=(?:"((?:[^"\\]|\\["\\])*)"|([\w.:;-]+)))?(?:,|$)/

/**
 * Reads Common Media Client Data (CTA-5004): `key=value` by commas, texts quoted, a key alone being true. Whatever has
 * not that form ends it; of what has, keys that are not kept or are out of bounds are left out. Null when nothing is
 * left.
 */
export function readCmcd(text: string): Cmcd | null {
  if (text.length > LONGEST) return null
  const kept: Record<string, unknown> = {}
  let rest = text.trim()
  for (let pairs = 0; rest !== '' && pairs < MOST_PAIRS; pairs++) {
    const found = PAIR.exec(rest)
    if (!found) break
    const [whole, key = '', quoted, bare] = found
    rest = rest.slice(whole.length).trimStart()
    const value = quoted !== undefined ? quoted.replace(/\\(["\\])/g, '$1') : (bare ?? true)
    const field = Object.hasOwn(Cmcd.shape, key) ? Cmcd.shape[key as keyof Cmcd] : undefined
    if (field === undefined || Object.hasOwn(kept, key)) continue
    const read = field.safeParse(typeof value === 'string' && isNumber(key) ? Math.round(Number(value)) : value)
    if (read.success && read.data !== undefined) kept[key] = read.data
  }
  return Object.keys(kept).length === 0 ? null : Cmcd.parse(kept)
}

const NUMBERS: ReadonlySet<string> = new Set(['br', 'tb', 'mtp', 'd', 'bl', 'dl'])
const isNumber = (key: string) => NUMBERS.has(key)
