import { ATTACK_PAYLOADS, HEADER_INJECTIONS, PROBES, SCANNERS } from '@fairway/domain'
import { CARRIERS, sample, type Sample } from './carriers.ts'

/** The same, written otherwise: what filters that look at bytes miss, and applications undo. */
const DISGUISES: Record<string, (value: string) => string> = {
  plain: (value) => value,
  'mixed case': (value) =>
    [...value].map((char, i) => (i % 2 === 0 ? char.toUpperCase() : char.toLowerCase())).join(''),
  'among words': (value) => `nice article ${value} thanks`,
}
/** What must keep its letters to do anything. */
const EXACT = new Set(['path traversal', 'command injection', 'code injection', 'Java and templates'])

const WAYS = ['query', 'form', 'json', 'multipart', 'graphql', 'nested', 'cookie'] as const

/** Every payload in every way it may come, and attacks on the protocol itself. */
export function attacks(): Sample[] {
  const all: Sample[] = []
  let n = 0
  for (const [category, payloads] of Object.entries(ATTACK_PAYLOADS))
    for (const payload of payloads)
      for (const [disguise, written] of Object.entries(DISGUISES)) {
        if (disguise === 'mixed case' && EXACT.has(category)) continue
        // A path or a command among words is none.
        if (disguise === 'among words' && category === 'path traversal') continue
        for (const way of WAYS) all.push(carried(way, category, written(payload), n++))
      }
  for (const payload of ATTACK_PAYLOADS['cross-site scripting'] ?? [])
    all.push(carried('referer', 'cross-site scripting', payload, n++))
  return [...all, ...onTheProtocol(), ...encoded(n)]
}

function carried(way: string, category: string, value: string, n: number): Sample {
  const carry = CARRIERS[way]
  if (!carry) throw new Error(`there is no carrier ${way}`)
  return carry(category, value, n)
}

/** Encodings within encodings, which servers undo more often than they should. */
function encoded(from: number): Sample[] {
  const twice = (value: string) => encodeURIComponent(encodeURIComponent(value))
  const wide = (value: string) =>
    [...value].map((char) => `%u00${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
  const entities = (value: string) => encodeURIComponent(value.replaceAll('<', '&lt;').replaceAll('(', '&#40;'))
  const plus = (value: string) => encodeURIComponent(value).replaceAll('%20', '+')
  const comment = (value: string) => encodeURIComponent(value.replaceAll(' ', '/**/'))
  const tab = (value: string) => encodeURIComponent(value.replaceAll(' ', '\t'))
  const of = (category: string, ways: ((value: string) => string)[], most: number) =>
    (ATTACK_PAYLOADS[category] ?? [])
      .slice(0, most)
      .flatMap((payload, i) =>
        ways.map((way) => sample('disguised', 'GET', `/search?page=${from + i}&q=${way(payload)}`)),
      )
  return [
    ...of('cross-site scripting', [twice, wide, plus], 20),
    ...of('SQL injection', [comment, tab, plus, twice], 20),
    ...of('path traversal', [twice], 8),
    ...of('cross-site scripting', [entities], 4),
  ]
}

function onTheProtocol(): Sample[] {
  return [
    ...SCANNERS.map((agent, i) => sample('scanners and probes', 'GET', `/?scan=${i}`, '', { 'user-agent': agent })),
    ...PROBES.map((target) => sample('scanners and probes', 'GET', target)),
    ...HEADER_INJECTIONS.map((target) => sample('header injection', 'GET', target)),
  ]
}
