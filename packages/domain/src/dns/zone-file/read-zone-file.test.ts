import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '@fairway/contract'
import * as fc from 'fast-check'
import { readZoneFile } from './read-zone-file.ts'
import { writeZoneFile } from './write-zone-file.ts'
import { ORIGIN, mutatedZones, zones } from './zone-samples.ts'

const read = (text: string) => readZoneFile(text, ORIGIN)
const lines = (text: string) =>
  read(text).records.map(({ name, ttlSeconds, type, rdata }) => `${name} ${ttlSeconds} ${type} ${rdata}`)
const faults = (text: string) =>
  read(text).errors.map(({ line, column, fault, text: piece }) => `${line}:${column} ${fault} ${piece}`)

const forms: [about: string, text: string, expected: string[]][] = [
  [
    'a relative name is below the origin, @ is it',
    'www 60 A 192.0.2.1\n@ 60 A 192.0.2.2',
    ['www.example.com. 60 A 192.0.2.1', 'example.com. 60 A 192.0.2.2'],
  ],
  [
    '$ORIGIN moves the origin, relative ones too',
    '$ORIGIN a\n$origin b\nx 1 NS y',
    ['x.b.a.example.com. 1 NS y.b.a.example.com.'],
  ],
  [
    'a blank owner is the one before',
    'www 60 A 192.0.2.1\n\t60 A 192.0.2.2\n  \n  60 AAAA ::1',
    ['www.example.com. 60 A 192.0.2.1', 'www.example.com. 60 A 192.0.2.2', 'www.example.com. 60 AAAA ::1'],
  ],
  [
    'TTL and class in either order or absent',
    '$TTL 1D2H\na A 192.0.2.1\nb IN A 192.0.2.1\nc in 5 A 192.0.2.1\nd 5 IN A 192.0.2.1\ne CLASS1 A 192.0.2.1',
    ['a 93600', 'b 93600', 'c 5', 'd 5', 'e 93600'].map((head) => head.replace(' ', '.example.com. ') + ' A 192.0.2.1'),
  ],
  [
    "without $TTL the last stated TTL counts (RFC 1035), then the SOA's minimum, then nothing",
    'a A 192.0.2.1\n@ SOA a b 1 2 3 4 5\nb A 192.0.2.1\nc 9 A 192.0.2.1\nd A 192.0.2.1',
    [
      'a.example.com. null A 192.0.2.1',
      'example.com. 5 SOA a.example.com. b.example.com. 1 2 3 4 5',
      'b.example.com. 5 A 192.0.2.1',
      'c.example.com. 9 A 192.0.2.1',
      'd.example.com. 5 A 192.0.2.1',
    ],
  ],
  ['a TTL beyond 31 bits is 0 (RFC 2181 8)', 'a 4294967295 A 192.0.2.1', ['a.example.com. 0 A 192.0.2.1']],
  [
    'parentheses hold lines together, comments go',
    '@ 60 SOA ns (hm ; the mailbox ) "\n 1\n2H 3m ; x\n 4W\n\n5 ) ; end',
    ['example.com. 60 SOA ns.example.com. hm.example.com. 1 7200 180 2419200 5'],
  ],
  [
    'quotes keep blanks, semicolons and parentheses',
    'a 1 TXT "b; (c" d\\;e "" "f\\"\\\\"',
    ['a.example.com. 1 TXT "b; (c" "d;e" "" "f\\"\\\\"'],
  ],
  ['strings need no blank between them', 'a 1 TXT "b""c"d', ['a.example.com. 1 TXT "b" "c" "d"']],
  [
    'escapes stand for one byte, UTF-8 for its bytes',
    'a 1 TXT \\098\\099 \\200é\nb\\.c 1 A 192.0.2.1\n\\119ww 1 A 192.0.2.1',
    [
      'a.example.com. 1 TXT "bc" "\\200\\195\\169"',
      'b\\.c.example.com. 1 A 192.0.2.1',
      'www.example.com. 1 A 192.0.2.1',
    ],
  ],
  [
    'types by number, and rdata by length and bytes (RFC 3597)',
    'a 1 TYPE1 \\# 4 C0 000201\nb 1 A \\# 4 c0000201\nc 1 type65000 \\# 2 abcd\nd 1 TYPE65000 \\# 0\ne 1 MX \\# 5 000a 016100',
    [
      'a.example.com. 1 A 192.0.2.1',
      'b.example.com. 1 A 192.0.2.1',
      'c.example.com. 1 TYPE65000 \\# 2 ABCD',
      'd.example.com. 1 TYPE65000 \\# 0',
      'e.example.com. 1 MX 10 a.',
    ],
  ],
  [
    '$GENERATE counts',
    '$GENERATE 1-3 h$ 60 A 192.0.2.$\n$GENERATE 8-10/2 h${-8,3,x} CNAME $$.${0,2}\n$GENERATE 0-1 m$ 5 IN MX "1$ mx"',
    [
      'h1.example.com. 60 A 192.0.2.1',
      'h2.example.com. 60 A 192.0.2.2',
      'h3.example.com. 60 A 192.0.2.3',
      'h000.example.com. 60 CNAME \\$.08.example.com.',
      'h002.example.com. 60 CNAME \\$.10.example.com.',
      'm0.example.com. 5 MX 10 mx.example.com.',
      'm1.example.com. 5 MX 11 mx.example.com.',
    ],
  ],
  [
    '$GENERATE in nibbles, and a dollar of its own',
    '$GENERATE 18-18 ${0,3,n} 1 PTR a\\$',
    ['2.1.example.com. 1 PTR a\\$.example.com.'],
  ],
  [
    'line ends of every kind, no last one, a byte order mark',
    '\ufeffa 1 A 192.0.2.1\r\nb 1 A 192.0.2.1\rc 1 A 192.0.2.1',
    ['a', 'b', 'c'].map((name) => `${name}.example.com. 1 A 192.0.2.1`),
  ],
  [
    'a type that no site holds stays as it is written',
    'a 1 APL 1:192.0.2.0/24 "x y"',
    ['a.example.com. 1 APL 1:192.0.2.0/24 "x y"'],
  ],
  [
    'numbers, addresses and tags have one form',
    'a 1 AAAA 2001:DB8:0:0::1\nb 1 SRV 01 2 3 .\nc 1 CAA 0 Issue ca.example',
    ['a.example.com. 1 AAAA 2001:db8::1', 'b.example.com. 1 SRV 1 2 3 .', 'c.example.com. 1 CAA 0 issue "ca.example"'],
  ],
  [
    'parameters of HTTPS are sorted',
    'd 1 HTTPS 1 . port=443 alpn=h2,h3',
    ['d.example.com. 1 HTTPS 1 . alpn="h2,h3" port=443'],
  ],
]
for (const [about, text, expected] of forms)
  test(about, () => assert.deepEqual({ records: lines(text), faults: faults(text) }, { records: expected, faults: [] }))

const wrong: [text: string, expected: string][] = [
  ['a 1 TXT "open\nb 1 A 192.0.2.1', '1:9 unclosedQuote "open'],
  ['a 1 TXT (\n "b"\n\nc', '1:9 unclosedParenthesis ('],
  ['a 1 A 192.0.2.1 )', '1:17 extraParenthesis )'],
  ['a 1 TXT b\u0000c', '1:9 controlCharacter b\u0000c'],
  ['a 1 TXT \\300', '1:9 badEscape \\300'],
  ['a 1 TXT b\\', '1:9 badEscape b\\'],
  ['a\\1 1 A 192.0.2.1', '1:1 badEscape a\\1'],
  ['a..b 1 A 192.0.2.1', '1:1 emptyLabel a..b'],
  [`${'a'.repeat(64)} 1 A 192.0.2.1`, `1:1 longLabel ${'a'.repeat(64)}`],
  [`${'abcdefg.'.repeat(31)} 1 A 192.0.2.1`, ''],
  [`${'abcdefg.'.repeat(32)} 1 A 192.0.2.1`, `1:1 longName ${'abcdefg.'.repeat(10)}`],
  [' 1 A 192.0.2.1', '1:2 noOwner 1'],
  ['a', '1:1 noType a'],
  ['a 1 IN', '1:5 noType IN'],
  ['a 1 AA 192.0.2.1', '1:5 unknownType AA'],
  ['a 1 NOSUCH b', '1:5 unknownType NOSUCH'],
  ['a 1 TYPE255 \\# 0', '1:5 metaType TYPE255'],
  ['a 1 TYPE65536 \\# 0', '1:5 unknownType TYPE65536'],
  ['a 1 CH TXT b', '1:5 wrongClass CH'],
  ['a 1h30 A 192.0.2.1', '1:3 badTtl 1h30'],
  ['a 4294967296 A 192.0.2.1', '1:3 badTtl 4294967296'],
  ['$TTL x', '1:6 badTtl x'],
  ['a 1 MX 10', '1:8 missingField 10'],
  ['a 1 TXT', '1:5 missingField TXT'],
  ['a 1 A 192.0.2.1 192.0.2.2', '1:17 extraText 192.0.2.2'],
  ['$ORIGIN a b', '1:11 extraText b'],
  ['a 1 A "192.0.2.1"', '1:7 unexpectedQuote 192.0.2.1'],
  ['a 1 MX -1 b', '1:8 badNumber -1'],
  ['a 1 MX 65536 b', '1:8 badNumber 65536'],
  ['a 1 A 192.0.2', '1:7 badIpv4 192.0.2'],
  ['a 1 AAAA 192.0.2.1', '1:10 badIpv6 192.0.2.1'],
  [`a 1 HINFO ${'b'.repeat(256)} c`, `1:11 longString ${'b'.repeat(80)}`],
  ['a 1 CAA 0 is-sue b', '1:11 badTag is-sue'],
  ['a 1 TLSA 3 1 1 abc', '1:16 badHex abc'],
  ['a 1 DS 1 13 2 abcd', '1:15 badHex abcd'],
  ['a 1 A \\# 3 c00002', '1:12 badGeneric c00002'],
  ['a 1 A \\# 4 c00002', '1:12 badGeneric c00002'],
  ['a 1 TYPE65000 abc', '1:15 badGeneric abc'],
  ['a 1 MX \\# 4 000ac00c', '1:13 badGeneric 000ac00c'],
  ['a 1 HTTPS 1 . port=70000', '1:15 badParameter port=70000'],
  ['a 1 HTTPS 1 . mandatory=port', '1:15 badParameter mandatory=port'],
  ['$INCLUDE other.zone', '1:1 include $INCLUDE'],
  ['$DATE 2026', '1:1 unknownDirective $DATE'],
  ['$GENERATE 3-1 a$ A 192.0.2.$', '1:11 badGenerate 3-1'],
  ['$GENERATE 1-3 a${x} 1 A 192.0.2.$', '1:15 badGenerate a${x}'],
  ['$GENERATE 1-3 a${0,999} 1 A 192.0.2.$', '1:15 badGenerate a${0,999}'],
  ['$GENERATE 1-3 a$ 1 MX 10 m$', '1:26 extraText m$'],
  ['$GENERATE 255-257 a$ 1 A 192.0.2.$', '1:26 badIpv4 192.0.2.256'],
]
for (const [text, expected] of wrong)
  test(`${JSON.stringify(text.slice(0, 40))} says ${expected.split(' ').slice(0, 2).join(' ') || 'nothing'}`, () =>
    assert.equal(faults(text)[0] ?? '', expected))

test('what is wrong does not hide what is right after it, and every line is named', () => {
  const { records, errors } = read('a 1 A x\nb 1 A 192.0.2.1\nc 1 TXT "d\ne 1 A y\nf 1 A 192.0.2.1')
  assert.deepEqual(
    [records.map(({ line }) => line), errors.map(({ line }) => line)],
    [
      [2, 5],
      [1, 3, 4],
    ],
  )
})

test('a random zone, however it is written, is read as the records it was made of', () => {
  fc.assert(
    fc.property(zones, ({ text, records }) => {
      const { records: found, errors } = read(text)
      // What is written behind the records is not in the sample.
      for (const record of found) delete record.comment
      assert.deepEqual([found, errors], [records, []])
    }),
    { numRuns: 1000 },
  )
})

test('1,000 random zones of all types are the same after being written and read again, and writing is canonical', () => {
  const withoutLine = (text: string) =>
    read(text).records.map(({ name, ttlSeconds, type, rdata }) => ({
      name,
      ttlSeconds: ttlSeconds ?? 300,
      type,
      rdata,
    }))
  fc.assert(
    fc.property(zones, ({ text }) => {
      const before = withoutLine(text)
      const written = writeZoneFile(before)
      const after = withoutLine(written)
      const sorted = (records: typeof before) => records.map((record) => JSON.stringify(record)).sort()
      assert.deepEqual(sorted(after), sorted(before))
      assert.equal(writeZoneFile(after), written)
      assert.equal(writeZoneFile([...before].reverse()), written)
    }),
    { numRuns: 1000 },
  )
})

test('no text makes the reader throw, and what it reads it can read again', () => {
  const texts = fc.oneof(
    mutatedZones,
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          'a',
          ' ',
          '\n',
          '"',
          '(',
          ')',
          ';',
          '\\',
          '$',
          '1',
          'A ',
          'TXT ',
          '$GENERATE 0-9 ',
          '@',
          '.',
          '\r',
        ),
        { maxLength: 60 },
      )
      .map((pieces) => pieces.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const { records } = read(text)
      const again = read(writeZoneFile(records.map((record) => ({ ...record, ttlSeconds: record.ttlSeconds ?? 0 }))))
      assert.deepEqual(again.errors, [])
      assert.equal(again.records.length, records.length)
    }),
    { numRuns: 3000 },
  )
})

test('no more records than allowed are made, also by $GENERATE, and no more faults are listed', () => {
  for (const text of [
    '$GENERATE 0-2147483647 h$ 1 A 192.0.2.1',
    'a 1 A 192.0.2.1\n'.repeat(LIMITS.zoneFile.records + 5),
  ]) {
    const { records, errors } = read(text)
    assert.deepEqual([records.length, errors.map(({ fault }) => fault)], [LIMITS.zoneFile.records, ['tooManyRecords']])
  }
  assert.equal(read('x\n'.repeat(5000)).errors.length, LIMITS.zoneFile.errors)
})

test('a hostile megabyte is read to its end, within the limits', () => {
  const size = LIMITS.zoneFile.characters
  const hostile = [
    '(',
    ')',
    '"',
    '\\',
    ';',
    '\n',
    ' ',
    'a',
    '.',
    'a.',
    '$',
    '"" ',
    '1d',
    '( ) ',
    'a 1 TXT "b" (\n',
    '$GENERATE 0-1 a$ 1 TXT "',
    '\u00e9',
  ].map((piece) => piece.repeat(size / piece.length))
  const long = ['a 1 TXT ', 'a 1 CAA 0 issue ', 'a 1 TYPE65000 \\# 65535 ', 'a 1 HTTPS 1 . alpn=', 'a '].flatMap(
    (head) => ['a', '00', 'a ', '\\000', 'a,'].map((piece) => head + piece.repeat((size - 40) / piece.length)),
  )
  for (const text of [...hostile, ...long]) {
    const { records, errors } = read(text)
    assert.ok(
      records.length <= LIMITS.zoneFile.records && errors.length <= LIMITS.zoneFile.errors,
      JSON.stringify(text.slice(0, 30)),
    )
  }
})
