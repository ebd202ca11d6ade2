import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { recordHints } from './record-hints.ts'
import type { WireRecord } from './to-rrsets.ts'

type Line = [type: WireRecord['type'], name: string, value: string, change?: Partial<WireRecord>]
const hints = (...lines: Line[]) => {
  const records = lines.map(([type, name, value, change]): WireRecord => ({
    type,
    name,
    value,
    preference: type === 'MX' ? 10 : null,
    ttlSeconds: null,
    multiCdn: false,
    ...change,
  }))
  const found = recordHints(records, 'example.com')
  return records.map((_, index) => found.get(index) ?? null)
}

const CASES: [about: string, lines: Line[], expected: (string | null)[]][] = [
  [
    'a mail server that is there',
    [
      ['MX', '@', 'mail.example.com'],
      ['A', 'mail', '192.0.2.1'],
    ],
    [null, null],
  ],
  ['one that is not', [['MX', '@', 'mail.example.com']], ['noTarget']],
  [
    'one that has a text only',
    [
      ['MX', '@', 'mail.example.com'],
      ['TXT', 'mail', 'x'],
    ],
    ['noAddress', null],
  ],
  [
    'one that is above a name with an address',
    [
      ['MX', '@', 'mail.example.com'],
      ['A', 'a.mail', '192.0.2.1'],
    ],
    ['noAddress', null],
  ],
  [
    'one that is an alias',
    [
      ['MX', '@', 'mail.example.com'],
      ['CNAME', 'mail', 'x.example.net'],
    ],
    ['aliasTarget', null],
  ],
  [
    'one that is flattened',
    [
      ['MX', '@', 'mail.example.com'],
      ['ALIAS', 'mail', 'x.example.net'],
    ],
    [null, null],
  ],
  [
    'one that multi-CDN steers',
    [
      ['MX', '@', 'mail.example.com'],
      ['CNAME', 'mail', 'x.example.net', { multiCdn: true }],
    ],
    [null, null],
  ],
  [
    'one that a wildcard answers',
    [
      ['MX', '@', 'mail.example.com'],
      ['A', '*', '192.0.2.1'],
    ],
    [null, null],
  ],
  [
    'a wildcard that an existing name hides',
    [
      ['MX', '@', 'x.sub.example.com'],
      ['A', '*', '192.0.2.1'],
      ['TXT', 'sub', 'x'],
    ],
    ['noTarget', null, null],
  ],
  [
    'one elsewhere',
    [
      ['MX', '@', 'mail.example.net'],
      ['MX', 'x', 'mail.notexample.com'],
    ],
    [null, null],
  ],
  ['no mail at all', [['MX', '@', '.', { preference: 0 }]], [null]],
  ['the site itself without an address', [['MX', 'x', 'example.com']], ['noAddress']],
  [
    'below a delegation others know',
    [
      ['MX', '@', 'mail.sub.example.com'],
      ['NS', 'sub', 'ns.example.net'],
    ],
    [null, null],
  ],
  ['a nameserver without its address', [['NS', 'sub', 'ns.example.com']], ['noTarget']],
  [
    'a nameserver below its own delegation needs glue that is there',
    [
      ['NS', 'sub', 'ns.sub.example.com'],
      ['A', 'ns.sub', '192.0.2.1'],
    ],
    [null, null],
  ],
  [
    'a service',
    [
      ['SRV', '_sip._tcp', '1 2 3 sip.example.com'],
      ['SRV', '_x._tcp', '0 0 0 .'],
    ],
    ['noTarget', null],
  ],
  [
    'an alias to nothing',
    [
      ['CNAME', 'www', 'web.example.com'],
      ['ALIAS', '@', 'www.example.com'],
    ],
    ['noTarget', null],
  ],
  [
    'an alias to a text is an alias',
    [
      ['CNAME', 'www', 'web.example.com'],
      ['TXT', 'web', 'x'],
    ],
    [null, null],
  ],
  [
    'two SPF policies',
    [
      ['TXT', '@', 'v=spf1 -all'],
      ['TXT', '@', '"v=spf1 " "mx -all"'],
      ['TXT', 'x', 'v=spf1 -all'],
    ],
    ['twoSpf', 'twoSpf', null],
  ],
  [
    'what only looks like one',
    [
      ['TXT', '@', 'v=spf1 -all'],
      ['TXT', '@', 'v=spf10'],
      ['TXT', '@', 'spf'],
    ],
    [null, null, null],
  ],
  [
    'two DMARC policies',
    [
      ['TXT', '_dmarc', 'v=DMARC1; p=none'],
      ['TXT', '_dmarc', 'v=DMARC1;p=reject'],
    ],
    ['twoDmarc', 'twoDmarc'],
  ],
  [
    'DMARC at another name is no policy',
    [
      ['TXT', '@', 'v=DMARC1; p=none'],
      ['TXT', '@', 'v=DMARC1;p=reject'],
    ],
    [null, null],
  ],
  ['ten lookups', [['TXT', '@', `v=spf1 ${'include:a.test '.repeat(9)}mx ip4:192.0.2.1 all`]], [null]],
  ['eleven', [['TXT', '@', `v=spf1 ${'include:a.test '.repeat(9)}a -exists:%{i}.b.test ~all`]], ['manySpfLookups']],
]

for (const [about, lines, expected] of CASES) test(about, () => assert.deepEqual(hints(...lines), expected))

test('any records: never a throw, and a hint only on what is there', () => {
  const name = fc.constantFrom('@', '*', 'a', 'b.a', '*.a', 'c.b.a')
  const type = fc.constantFrom('A', 'CNAME', 'ALIAS', 'MX', 'NS', 'SRV', 'TXT')
  const value = fc.oneof(
    fc.string(),
    name.map((one) => (one === '@' ? 'example.com' : `${one}.example.com`)),
  )
  const line = fc.tuple(type, name, value).map((one): Line => one as Line)
  fc.assert(fc.property(fc.array(line, { maxLength: 12 }), (lines) => void hints(...lines)))
})
