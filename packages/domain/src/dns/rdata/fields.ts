import { canonicalIpv6 } from '../addresses.ts'
import { readIpv6, parseAddress } from '../../steering/cidr.ts'
import { escapeBytes } from './escapes.ts'
import { nameText } from './name-text.ts'
import type { RdataBytes } from './rdata-bytes.ts'
import type { RdataTokens } from './rdata-tokens.ts'
import { readPeriod } from './ttl.ts'

/** One part of an rdata: from its tokens to wire bytes, and from there to its one presentation form. */
export type Field = { read: (from: RdataTokens, to: number[]) => void; write: (from: RdataBytes) => string }

const unsigned = (bytes: 1 | 2 | 4): Field => ({
  read: (from, to) => pushNumber(to, from.number(2 ** (8 * bytes) - 1), bytes),
  write: (from) => String(from.number(bytes)),
})

export const u8 = unsigned(1)
export const u16 = unsigned(2)
export const u32 = unsigned(4)

/** Seconds, which may be written with units. */
export const period: Field = {
  read(from, to) {
    const seconds = readPeriod(from.word())
    if (seconds === null) from.fail('badTtl')
    pushNumber(to, seconds ?? 0, 4)
  },
  write: u32.write,
}

export const name: Field = { read: (from, to) => pushAll(to, from.name()), write: (from) => nameText(from.labels()) }

export const ipv4: Field = {
  read(from, to) {
    const text = from.word()
    const word = text.includes(':') ? undefined : parseAddress(text)?.words[0]
    if (word === undefined) from.fail('badIpv4')
    pushNumber(to, word ?? 0, 4)
  },
  write: (from) => from.take(4).join('.'),
}

export const ipv6: Field = {
  read(from, to) {
    const words = readIpv6(from.word())
    if (words === null) from.fail('badIpv6')
    for (const word of words ?? []) pushNumber(to, word, 4)
  },
  write: (from) => canonicalIpv6(Array.from({ length: 8 }, () => from.number(2).toString(16)).join(':')),
}

const quote = (bytes: readonly number[]): string => `"${escapeBytes(bytes, '"\\')}"`

export const string: Field = {
  read(from, to) {
    const bytes = from.string()
    to.push(bytes.length, ...bytes)
  },
  write: (from) => quote(from.string()),
}

/** One character-string or more; a longer one than there may be is cut into several, which readers put together. */
export const strings: Field = {
  read(from, to) {
    do {
      const bytes = from.string(65_535)
      for (let at = 0; at === 0 || at < bytes.length; at += 255) {
        const piece = bytes.slice(at, at + 255)
        to.push(piece.length, ...piece)
      }
    } while (from.hasMore())
  },
  write(from) {
    const written: string[] = []
    do written.push(string.write(from))
    while (from.hasMore())
    return written.join(' ')
  },
}

/** All that is left as one text, of any length. */
export const text: Field = { read: (from, to) => pushAll(to, from.string(65_535)), write: (from) => quote(from.rest()) }

/** Name of a CAA property (RFC 8659 4.1), whose case does not matter. */
export const tag: Field = {
  read(from, to) {
    const word = from.word().toLowerCase()
    if (!/^[a-z0-9]{1,255}$/.test(word)) from.fail('badTag')
    to.push(word.length, ...new TextEncoder().encode(word))
  },
  write(from) {
    const word = String.fromCharCode(...from.string()).toLowerCase()
    if (!/^[a-z0-9]+$/.test(word)) from.malformed = true
    return word
  },
}

/** All that is left in hexadecimal, at least one byte. */
export const hex: Field = {
  read(from, to) {
    const digits = from.rest()
    const bytes = hexBytes(digits)
    if (bytes === null || bytes.length === 0) from.fail('badHex')
    pushAll(to, bytes ?? [])
  },
  write(from) {
    const bytes = from.rest()
    if (bytes.length === 0) from.malformed = true
    return hexText(bytes)
  },
}

/** All that is left in base64, at least one byte. */
export const base64: Field = {
  read(from, to) {
    const bytes = base64Bytes(from.rest())
    if (bytes === null) from.fail('badHex')
    pushAll(to, bytes ?? [])
  },
  write(from) {
    const bytes = from.rest()
    if (bytes.length === 0) from.malformed = true
    return btoa(String.fromCharCode(...bytes))
  },
}

/** A hardware address: two hexadecimal digits for each byte, parted by hyphens (RFC 7043). */
export const eui = (length: 6 | 8): Field => ({
  read(from, to) {
    const word = from.word()
    const bytes = /^[0-9a-f]{2}(?:-[0-9a-f]{2})*$/i.test(word) ? hexBytes(word.replaceAll('-', '')) : null
    if (bytes?.length !== length) from.fail('badHex')
    pushAll(to, bytes ?? [])
  },
  write: (from) =>
    from
      .take(length)
      .map((byte) => hexText([byte]).toLowerCase())
      .join('-'),
})

/** 64 bits in four groups of hexadecimal digits (RFC 6742). */
export const identifier: Field = {
  read(from, to) {
    const word = from.word()
    if (!/^[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3}$/i.test(word)) from.fail('badHex')
    for (const group of word.split(':').slice(0, 4)) pushNumber(to, Number.parseInt(group, 16) || 0, 2)
  },
  write: (from) => Array.from({ length: 4 }, () => from.number(2).toString(16)).join(':'),
}

/**
 * A hash type of one byte and the hash, of the length that the type has; any length for a type that is not in
 * `lengths`.
 */
export const digest = (lengths: Readonly<Record<number, number>>): Field => ({
  read(from, to) {
    const type = from.number(255)
    to.push(type)
    const before = to.length
    hex.read(from, to)
    if (from.fault === null && (lengths[type] ?? to.length - before) !== to.length - before) from.fail('badHex')
  },
  write(from) {
    const type = from.number(1)
    const bytes = from.rest()
    if (bytes.length === 0 || (lengths[type] ?? bytes.length) !== bytes.length) from.malformed = true
    return `${type} ${hexText(bytes)}`
  },
})

/** Number of a DNSSEC algorithm or its mnemonic (RFC 4034 A.1). */
export const algorithm: Field = {
  read(from, to) {
    const word = from.word().toUpperCase()
    const code = ALGORITHMS[word] ?? (/^\d{1,3}$/.test(word) ? Number(word) : 256)
    if (code > 255) from.fail('badNumber')
    to.push(code)
  },
  write: u8.write,
}

const ALGORITHMS: Readonly<Record<string, number>> = {
  RSAMD5: 1,
  DH: 2,
  DSA: 3,
  RSASHA1: 5,
  NSEC3DSA: 6,
  NSEC3RSASHA1: 7,
  RSASHA256: 8,
  RSASHA512: 10,
  ECCGOST: 12,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
  INDIRECT: 252,
  PRIVATEDNS: 253,
  PRIVATEOID: 254,
}

/** Bytes of base64 with its padding; null for what is none or nothing. */
export function base64Bytes(text: string): number[] | null {
  const isBase64 = text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
  return isBase64 ? Array.from(atob(text), (character) => character.charCodeAt(0)) : null
}

/** Bytes of hexadecimal digits in either case; null when they are none. */
export const hexBytes = (digits: string): number[] | null =>
  /^(?:[0-9a-f]{2})*$/i.test(digits)
    ? Array.from({ length: digits.length / 2 }, (_, index) =>
        Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
      )
    : null

export const hexText = (bytes: readonly number[]): string =>
  bytes
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()

function pushNumber(to: number[], value: number, bytes: number): void {
  for (let shift = bytes - 1; shift >= 0; shift--) to.push(Math.floor(value / 256 ** shift) % 256)
}

/** Spreading this much into `push` could exceed the stack. */
function pushAll(to: number[], bytes: readonly number[]): void {
  for (const byte of bytes) to.push(byte)
}
