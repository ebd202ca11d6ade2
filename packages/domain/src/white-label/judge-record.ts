import type { WhiteLabelState } from '@fairway/contract'
import { canonicalIpv6, isIpv6 } from '../dns/addresses.ts'
import type { WantedRecord } from './wanted-records.ts'

/**
 * Whether what was seen is what has to be there; `seen` is null when nobody could be asked. Names and addresses have to
 * be the very set, so that no other server answers in our place; texts may stand beside others. With `ours`, addresses
 * of all our machines, some of those are enough: one that is away or new changes what is answered, not what is right.
 */
export function judgeRecord(
  { id, type, values }: Pick<WantedRecord, 'id' | 'type' | 'values'>,
  seen: readonly string[] | null,
  ours: readonly string[] | null = null,
): WhiteLabelState {
  if (seen === null) return 'unknown'
  if (id === 'spf') return judgeSpf(seen, values[0] ?? '')
  if (id === 'dkim') return judgeDkim(seen, values[0] ?? '')
  if (id === 'dmarc') return judgeDmarc(seen)
  if (seen.length === 0) return 'missing'
  if (ours !== null && (type === 'A' || type === 'AAAA')) return judgeAddresses(seen, type, [...values, ...ours])
  const plain = (value: string) => (type === 'AAAA' ? canonicalIpv6(value) : value.toLowerCase().replace(/\.$/, ''))
  const found = new Set(seen.map(plain))
  return found.size === values.length && values.every((value) => found.has(plain(value))) ? 'good' : 'wrong'
}

function judgeAddresses(seen: readonly string[], type: 'A' | 'AAAA', ours: readonly string[]): WhiteLabelState {
  const known = new Set(ours.map(canonicalIpv6))
  if (!seen.every((address) => known.has(canonicalIpv6(address)))) return 'wrong'
  return seen.some((address) => isIpv6(address) === (type === 'AAAA')) ? 'good' : 'missing'
}

const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text)

/** One SPF record only (RFC 7208 4.5), and our mechanism in it, passing, before whatever ends it. */
function judgeSpf(texts: readonly string[], wanted: string): WhiteLabelState {
  const found = texts.filter(isSpf)
  if (found.length === 0) return 'missing'
  const terms = (found[0] ?? '').toLowerCase().split(/ +/).slice(1)
  const end = terms.findIndex((term) => /^[+?~-]?all$/.test(term))
  const reached = end < 0 ? terms : terms.slice(0, end)
  const mechanism = wanted.toLowerCase().split(/ +/)[1] ?? ''
  return found.length === 1 && reached.some((term) => term.replace(/^\+/, '') === mechanism) ? 'good' : 'wrong'
}

/** Tags of a DKIM or DMARC record, in lower case, values without blanks; null when it is not of that form. */
function tagsOf(text: string): Map<string, string> | null {
  const tags = new Map<string, string>()
  for (const part of text.split(';')) {
    if (part.trim() === '') continue
    const [, name, value] = /^\s*([a-z][a-z0-9_]*)\s*=([\s\S]*)$/i.exec(part) ?? []
    if (name === undefined || value === undefined || tags.has(name.toLowerCase())) return null
    tags.set(name.toLowerCase(), value.replaceAll(/\s+/g, ''))
  }
  return tags
}

function judgeDkim(texts: readonly string[], wanted: string): WhiteLabelState {
  if (texts.length === 0) return 'missing'
  const key = tagsOf(wanted)?.get('p')
  // Several keys under one selector have no defined meaning (RFC 6376 3.6.2.2).
  const tags = texts.length === 1 ? tagsOf(texts[0] ?? '') : null
  const isOurs =
    tags !== null &&
    (tags.get('v') ?? 'DKIM1') === 'DKIM1' &&
    (tags.get('k') ?? 'rsa') === 'rsa' &&
    tags.get('p') === key &&
    key !== undefined
  // A key for trying out (t=y) tells receivers to treat letters as if they were not signed.
  return isOurs && !(tags.get('t') ?? '').split(':').includes('y') ? 'good' : 'wrong'
}

function judgeDmarc(texts: readonly string[]): WhiteLabelState {
  const found = texts.filter((text) => /^v=DMARC1\s*(?:;|$)/.test(text))
  if (found.length === 0) return 'missing'
  const policy = tagsOf(found[0] ?? '')
    ?.get('p')
    ?.toLowerCase()
  return found.length === 1 && policy !== undefined && ['none', 'quarantine', 'reject'].includes(policy)
    ? 'good'
    : 'wrong'
}

/** The SPF record that a partner should have: ours put into the one that is there. */
export function mergedSpf(wanted: string, seen: readonly string[]): string {
  const own = seen.filter(isSpf)
  const mechanism = wanted.split(' ')[1] ?? ''
  return own.length === 1 && judgeSpf(own, wanted) !== 'good'
    ? (own[0] ?? '').replace(/^v=spf1 ?/i, `v=spf1 ${mechanism} `).trim()
    : wanted
}
