import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLAN_FEATURES, type ZoneFileMode } from '@fairway/contract'
import * as fc from 'fast-check'
import type { WireRecord } from '../to-rrsets.ts'
import { validateZone } from '../validate-zone.ts'
import { exportZone } from './export-zone.ts'
import { readFileRecords } from './file-record.ts'
import { planImport, type CurrentRecord } from './plan-import.ts'
import { ORIGIN, mutatedZones, zones } from './zone-samples.ts'

const minimumTtlSeconds = 60
type Line = [type: WireRecord['type'], name: string, value: string, change?: Partial<WireRecord>]
const site = (...lines: Line[]): CurrentRecord[] =>
  lines.map(([type, name, value, change], index) => ({
    id: `r${index}`,
    type,
    name,
    value,
    preference: type === 'MX' ? 10 : null,
    ttlSeconds: null,
    multiCdn: false,
    ...change,
  }))
const plan = (text: string, current: CurrentRecord[] = [], mode: ZoneFileMode = 'merge') =>
  planImport({
    records: readFileRecords('bind', text, ORIGIN).records,
    current,
    siteName: ORIGIN,
    mode,
    minimumTtlSeconds,
    ability: PLAN_FEATURES,
  })
/** The preview in short. */
const rows = (...input: Parameters<typeof plan>) =>
  plan(...input).rows.map(({ action, type, name, value, ttlSeconds, reason, notes, before }) =>
    [
      action,
      type,
      name,
      value,
      ttlSeconds,
      ...(before === null ? [] : [`was ${before.value} ${before.ttlSeconds}`]),
      ...(reason === null ? [] : [reason]),
      ...notes,
    ].join(' '),
  )
const multiCdn = { multiCdn: true }

test('what is new is added, what is there already is left alone, with Auto as 300 seconds', () => {
  assert.deepEqual(rows('a 300 A 192.0.2.1\na 300 A 192.0.2.2\n@ 600 MX 10 mail\n', site(['A', 'a', '192.0.2.1'])), [
    'skipped A a 192.0.2.1 300 same',
    'added A a 192.0.2.2 300',
    'added MX @ mail.example.com 600',
  ])
})

test('a name and type that the file has becomes what the file says; others stay', () => {
  const current = site(['A', 'a', '192.0.2.1'], ['A', 'a', '192.0.2.2'], ['TXT', 'a', 'x'], ['A', 'b', '192.0.2.9'])
  assert.deepEqual(rows('a 300 A 192.0.2.3', current), [
    'changed A a 192.0.2.3 300 was 192.0.2.1 null',
    'removed A a 192.0.2.2 ',
  ])
  assert.deepEqual(rows('a 600 A 192.0.2.1\na 600 A 192.0.2.2', current), [
    'changed A a 192.0.2.1 600 was 192.0.2.1 null',
    'changed A a 192.0.2.2 600 was 192.0.2.2 null',
  ])
})

test('with replace all others go, but for what multi-CDN steers', () => {
  const current = site(['A', 'a', '192.0.2.1'], ['TXT', 'b', 'x'], ['A', 'www', '8.8.8.8', multiCdn])
  assert.deepEqual(rows('a 300 A 192.0.2.1', current, 'replace'), [
    'skipped A a 192.0.2.1 300 same',
    'removed TXT b x ',
    'skipped A www 8.8.8.8  steered',
  ])
})

test('with replace a name can become an alias; with merge what is there is in the way', () => {
  const current = site(['A', 'a', '192.0.2.1'])
  assert.deepEqual(rows('a 300 CNAME b', current), ['skipped CNAME a b.example.com 300 code:900104'])
  assert.deepEqual(rows('a 300 CNAME b', current, 'replace'), [
    'added CNAME a b.example.com 300',
    'removed A a 192.0.2.1 ',
  ])
})

test('a set of which nothing can be taken stays, also with replace', () => {
  assert.deepEqual(rows('a 300 MX 10 192.0.2.1.', site(['MX', 'a', 'mail.example.net']), 'replace'), [
    'skipped MX a 192.0.2.1 300 validation.fqdn',
  ])
})

test('what a site cannot hold is left out, and the reason says why', () => {
  const text = [
    '@ 300 SOA a b 1 2 3 4 5',
    '@ 300 NS ns1.example.net.',
    '@ 300 DNSKEY 257 3 13 AAAA',
    'd 300 DNAME e.example.com.',
    'a.example.net. 300 A 192.0.2.1',
    'a\\.example.com. 300 A 192.0.2.1',
    'x\\.y 300 A 192.0.2.1',
    'sip 300 SRV 1 2 3 sip.example.net.',
    '*.d 300 NS ns1.example.net.',
    'a 300 A 192.0.2.1',
    'A 300 A 192.0.2.1',
  ].join('\n')
  assert.deepEqual(
    plan(text).rows.map(({ reason }) => reason),
    [
      'managed',
      'managed',
      'signing',
      'unsupportedType',
      'outside',
      'outside',
      'validation.recordName',
      'validation.srvName',
      'validation.nsAtWildcard',
      null,
      'code:900101',
    ],
  )
})

test('a TTL is made to fit the plan, the limits and its set, and the row says so', () => {
  assert.deepEqual(rows('a 5 A 192.0.2.1\nb 604800 A 192.0.2.1\nc 300 A 192.0.2.1\nc 600 A 192.0.2.2'), [
    'added A a 192.0.2.1 60 ttlRaised',
    'added A b 192.0.2.1 86400 ttlLowered',
    'added A c 192.0.2.1 300',
    'added A c 192.0.2.2 300 ttlOfSet',
  ])
})

test('a name that multi-CDN steers is never touched', () => {
  const current = site(['A', 'www', '8.8.8.8', multiCdn], ['CNAME', '@', 'o.example.net', multiCdn])
  assert.deepEqual(
    rows(
      'www 300 A 8.8.8.8\nwww 300 A 8.8.4.4\nwww 300 CNAME x\nwww 300 TXT x\n@ 300 CNAME o.example.net.\n@ 300 TXT x',
      current,
      'replace',
    ).map((row) =>
      row
        .split(' ')
        .slice(0, 3)
        .concat(row.split(' ').at(-1) ?? '')
        .join(' '),
    ),
    [
      'skipped A www same',
      'skipped A www steered',
      'skipped CNAME www steered',
      'skipped TXT www code:900104',
      'skipped CNAME @ same',
      'added TXT @ 300',
    ],
  )
})

test('what would break the zone is left out, and the rest is taken', () => {
  const reasons = (text: string, ...lines: Line[]) => plan(text, site(...lines)).rows.map(({ reason }) => reason)
  assert.deepEqual(reasons('a 300 CNAME b\nb 300 CNAME a\nc 300 A 192.0.2.1'), ['code:900106', 'code:900106', null])
  assert.deepEqual(reasons('b 300 CNAME a', ['CNAME', 'a', 'b.example.com']), ['code:900106'])
  assert.deepEqual(reasons('o 300 CNAME www', ['CNAME', 'www', 'o.example.com', multiCdn]), ['code:900106'])
  assert.deepEqual(reasons('@ 300 CNAME a'), ['code:900105'])
  assert.deepEqual(reasons('sub 300 NS ns1.example.net.', ['TXT', 'x.sub', 'x']), ['code:900109'])
  assert.deepEqual(reasons('sub 300 NS ns1.example.net.\nx.sub 300 TXT x\nns.sub 300 A 192.0.2.1'), [
    null,
    'code:900109',
    null,
  ])
  assert.deepEqual(reasons('a 300 A 192.0.2.1\na 300 CNAME b\na 300 TXT x'), [null, 'code:900104', null])
})

test('a set that stays because its replacement is refused is in the way of what it would have made room for', () => {
  const current = site(['CNAME', 'a', 'x.example.net'])
  assert.deepEqual(rows('a 300 CNAME a\na 300 TXT x', current), [
    'skipped CNAME a a.example.com 300 code:900106',
    'skipped TXT a x 300 code:900104',
  ])
})

test('a change of more than 30 % of ten records or more needs force; added records touch nothing', () => {
  const current = site(...Array.from({ length: 10 }, (_, index): Line => ['A', `h${index}`, '192.0.2.1']))
  const change = (count: number) =>
    plan(Array.from({ length: count }, (_, index) => `h${index} 300 A 192.0.2.2`).join('\n'), current)
  assert.deepEqual(
    [change(3), change(4)].map(({ needsForce, touchedShare }) => [needsForce, touchedShare]),
    [
      [false, 0.3],
      [true, 0.4],
    ],
  )
  assert.deepEqual(
    [
      plan('x 300 A 192.0.2.1', current, 'replace').needsForce,
      plan('', current, 'replace').touchedShare,
      plan('$GENERATE 1-90 x$ 300 A 192.0.2.1', current).needsForce,
    ],
    [true, 1, false],
  )
})

/** The site after the plan. */
function applied(
  current: readonly CurrentRecord[],
  { added, changed, removed }: ReturnType<typeof plan>,
): CurrentRecord[] {
  const gone = new Set(removed)
  const edits = new Map(changed.map(({ before, record }) => [before, record]))
  return [
    ...current.filter((record) => !gone.has(record)).map((record) => ({ ...record, ...edits.get(record) })),
    ...added.map((record, index) => ({ ...record, id: `n${index}` })),
  ]
}
const apex = [
  {
    name: ORIGIN,
    type: 'SOA' as const,
    ttlSeconds: 3600,
    rdata: ['ns1.fairway.test. hostmaster.fairway.test. 1 2 3 4 5'],
  },
  { name: ORIGIN, type: 'NS' as const, ttlSeconds: 86_400, rdata: ['ns1.fairway.test.'] },
]

test('1,000 random zones: imported, exported and imported again, in both formats and into an empty site, they are the same', () => {
  fc.assert(
    fc.property(zones, ({ text }) => {
      const imported = applied([], plan(text))
      assert.equal(validateZone(imported, ORIGIN), null)
      for (const format of ['bind', 'csv'] as const) {
        const file = exportZone(format, imported, { name: ORIGIN, apex })
        const read = readFileRecords(format, file, ORIGIN)
        assert.deepEqual(read.errors, [])
        const again = planImport({
          records: read.records,
          current: imported,
          siteName: ORIGIN,
          mode: 'replace',
          minimumTtlSeconds,
          ability: PLAN_FEATURES,
        })
        assert.deepEqual([again.added, again.changed, again.removed], [[], [], []])
        const elsewhere = applied(
          [],
          planImport({
            records: read.records,
            current: [],
            siteName: ORIGIN,
            mode: 'merge',
            minimumTtlSeconds,
            ability: PLAN_FEATURES,
          }),
        )
        assert.equal(exportZone(format, elsewhere, { name: ORIGIN, apex }), file)
      }
    }),
    { numRuns: 1000 },
  )
})

test('whatever is imported into whatever zone, the zone stays right, multi-CDN untouched, and importing again changes nothing', () => {
  const steering = fc.boolean()
  fc.assert(
    fc.property(
      zones,
      fc.oneof(
        zones.map(({ text }) => text),
        mutatedZones,
      ),
      steering,
      fc.constantFrom<ZoneFileMode>('merge', 'replace'),
      (first, second, isSteered, mode) => {
        const current = applied(isSteered ? site(['A', 'www', '8.8.8.8', multiCdn]) : [], plan(first.text))
        const planned = plan(second, current, mode)
        const after = applied(current, planned)
        assert.equal(validateZone(after, ORIGIN), null)
        assert.equal(after.length, planned.after)
        assert.equal(
          planned.rows.length,
          Object.values(planned.counts).reduce((sum, count) => sum + count, 0),
        )
        assert.deepEqual(
          after.filter((record) => record.multiCdn),
          current.filter((record) => record.multiCdn),
        )
        const again = plan(second, after, mode)
        assert.deepEqual([again.changed, again.removed], [[], []])
      },
    ),
    { numRuns: 1000 },
  )
})

test('an import of as many records as a file may have is planned in a few seconds, whatever they are', () => {
  const many = (line: (index: number) => string) => Array.from({ length: 20_000 }, (_, index) => line(index)).join('\n')
  const texts = [
    many((index) => `c${index} 300 CNAME c${index + 1}`),
    many((index) => `c${index} 300 CNAME c${(index + 1) % 20_000}`),
    many((index) => `s${index} 300 NS ns.example.net.`),
    many((index) => `a 300 A 10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`),
    many((index) => `h${index % 10_000} 300 ${index < 10_000 ? 'A 192.0.2.1' : 'CNAME x'}`),
  ]
  const current = applied([], plan(texts[3] ?? ''))
  for (const text of texts) {
    const started = process.hrtime.bigint()
    plan(text, current, 'replace')
    const tookMs = Number(process.hrtime.bigint() - started) / 1e6
    assert.ok(tookMs < 8000, `${text.slice(0, 30)} took ${tookMs} ms`)
  }
})
