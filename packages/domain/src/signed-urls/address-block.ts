import { addressKey } from '../web-security/address-key.ts'
import { hexDigit } from '../web-security/bytes.ts'

type Block = { key: string; bits: number }

/** An address, or a block of them (RFC 4632, RFC 4291 2.3). Undefined for what is neither. */
function blockOf(text: string): Block | undefined {
  const slash = text.indexOf('/')
  const address = slash < 0 ? text : text.slice(0, slash)
  const key = addressKey(address)
  if (key === '') return undefined
  const all = key.length * 4
  if (slash < 0) return { key, bits: all }
  const length = text.slice(slash + 1)
  if (length.length < 1 || length.length > 3) return undefined
  let bits = 0
  for (let i = 0; i < length.length; i++) {
    const digit = length.charCodeAt(i) - 48
    if (digit < 0 || digit > 9 || (digit === 0 && i === 0 && length.length > 1)) return undefined
    bits = bits * 10 + digit
  }
  // IPv4 within IPv6 is IPv4.
  if (key.length === 8 && address.includes(':')) bits -= 96
  return bits >= 0 && bits <= all ? { key, bits } : undefined
}

export const isBlock = (text: string): boolean => blockOf(text) !== undefined

/** Whether a visitor's address, as `addressKey` writes it, lies in a block. */
export function isInBlock(visitor: string, text: string): boolean {
  const block = blockOf(text)
  if (block === undefined || visitor.length !== block.key.length) return false
  const rest = block.bits % 4
  const digits = (block.bits - rest) / 4
  if (visitor.slice(0, digits) !== block.key.slice(0, digits)) return false
  if (rest === 0) return true
  const unit = 2 ** (4 - rest)
  const part = (key: string): number => Math.floor(hexDigit(key.charCodeAt(digits)) / unit)
  return part(visitor) === part(block.key)
}
