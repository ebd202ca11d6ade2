import type { DnsZone, Rrset } from '@fairway/contract'
import { ORGANIZATION, soa } from '../fairway.ts'

type Random = () => number

const LABELS = ['a', 'b', 'c', 'd', 'www', '_tcp']
const NAMES = 70
const CUT_SHARE = 0.07
const CNAME_SHARE = 0.25
const WILDCARD_SHARE = 0.15

const pick = <T>(random: Random, of: readonly T[]): T => of[Math.floor(random() * of.length)] as T

/**
 * A zone in which names of few labels become everything to each other that names can be: wildcards over and beside
 * names, cuts with and without glue, chains and circles of CNAMEs, names that are only above others.
 */
export function randomZone(origin: string, random: Random): DnsZone {
  const sets = new Map<string, Rrset>()
  const taken = new Set([origin, `ns1.${origin}`])
  const put = (name: string, type: Rrset['type'], rdata: string[]) =>
    sets.set(`${name} ${type}`, { name, type, ttlSeconds: 300, rdata })
  for (let index = 0; index < NAMES; index++) {
    const below = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, LABELS)).join('.')
    const isWildcard = random() < WILDCARD_SHARE
    const name = `${isWildcard ? '*.' : ''}${below}.${origin}`
    if (taken.has(name)) continue
    taken.add(name)
    const target = `${pick(random, [below, randomName(random, origin), 'www.elsewhere.test'])}`
    const kind = random()
    if (kind < CUT_SHARE && !isWildcard) cut(name, random, put)
    else if (kind < CUT_SHARE + CNAME_SHARE)
      put(name, 'CNAME', [`${target.endsWith('.test') ? target : `${target}.${origin}`}.`])
    else addData(name, origin, random, put)
  }
  return {
    zoneId: origin,
    organizationId: ORGANIZATION,
    origin,
    version: 1,
    rrsets: [...soa(origin), ...sets.values()],
    steered: [],
    policies: [],
  }
}

function randomName(random: Random, origin: string): string {
  return `${Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(random, LABELS)).join('.')}.${origin}`
}

type Put = (name: string, type: Rrset['type'], rdata: string[]) => void

function cut(name: string, random: Random, put: Put): void {
  const inside = random() < 0.6
  put(name, 'NS', inside ? [`ns.${name}.`, 'ns.elsewhere.test.'] : ['ns.elsewhere.test.'])
  if (inside) put(`ns.${name}`, 'A', ['192.0.2.5'])
  if (random() < 0.5) put(name, 'DS', [`12345 13 2 ${'AB'.repeat(32)}`])
}

const DATA: Partial<Record<Rrset['type'], (random: Random, origin: string) => string[]>> = {
  A: (random) => Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) => `192.0.2.${10 + index}`),
  AAAA: () => ['2001:db8::1'],
  TXT: () => ['"one" "two"'],
  MX: (_, origin) => [`10 a.${origin}.`],
  SRV: (_, origin) => [`1 2 5060 b.${origin}.`],
  CAA: () => ['0 issue "ca.example"'],
  HTTPS: () => ['1 . alpn="h3,h2"'],
  TLSA: () => [`3 1 1 ${'CD'.repeat(32)}`],
  SSHFP: () => [`4 2 ${'EF'.repeat(32)}`],
  NAPTR: (_, origin) => [`10 20 "S" "SIP+D2U" "" c.${origin}.`],
  TYPE65400: () => ['\\# 2 0102'],
}

function addData(name: string, origin: string, random: Random, put: Put): void {
  const types = Object.keys(DATA) as Rrset['type'][]
  for (let left = 1 + Math.floor(random() * 3); left > 0; left--) {
    const type = pick(random, types)
    put(name, type, DATA[type]?.(random, origin) ?? [])
  }
}

/** The same zone as text for other servers. */
export function zoneText({ rrsets }: DnsZone): string {
  return rrsets
    .flatMap(({ name, type, ttlSeconds, rdata }) => rdata.map((one) => `${name}. ${ttlSeconds} IN ${type} ${one}\n`))
    .join('')
}

const TYPES = [
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'TXT',
  'NS',
  'SOA',
  'SRV',
  'DS',
  'CAA',
  'SSHFP',
  'TLSA',
  'NAPTR',
  'PTR',
  'DNSKEY',
  'NSEC',
  'ANY',
  'UNKNOWN_65',
  'UNKNOWN_65400',
  'UNKNOWN_99',
  'UNKNOWN_1000',
]

/** A question about a name that is likely near one of the zone's, in mixed case. */
export function randomQuestion(zone: DnsZone, random: Random): { name: string; type: string } {
  const near = random() < 0.5 ? pick(random, zone.rrsets).name : randomName(random, zone.origin)
  const name = random() < 0.25 ? `${pick(random, [...LABELS, '*', 'zz'])}.${near}` : near
  return {
    name: [...name].map((letter) => (random() < 0.2 ? letter.toUpperCase() : letter)).join(''),
    type: pick(random, TYPES),
  }
}
