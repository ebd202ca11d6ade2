import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS, type ZoneFileFormat } from '@fairway/contract'
import * as fc from 'fast-check'
import { AUTO_TTL_SECONDS } from '../to-rrsets.ts'
import { readFileRecords } from './file-record.ts'
import type { FileRecord } from './file-records.ts'
import { type SplitZoneFile, splitZoneFile } from './split-zone-file.ts'
import { ORIGIN, mutatedZones, zones } from './zone-samples.ts'

function split(text: string, records = 2, format: ZoneFileFormat = 'bind', characters = 10_000): SplitZoneFile {
  const turns = splitZoneFile(format, text, ORIGIN, { characters, records })
  for (;;) {
    const { done, value } = turns.next()
    if (done) return value
  }
}

/** What the parts say one after the other, each record at its line of the file as a whole. */
function together(parts: SplitZoneFile['parts'], format: ZoneFileFormat = 'bind'): FileRecord[] {
  return parts.flatMap(({ text, lines, records }) => {
    const read = readFileRecords(format, text, ORIGIN)
    assert.deepEqual([read.errors, read.records.length], [[], records])
    return read.records.map((record) => ({ ...record, line: lines[record.line - 1] ?? 0 }))
  })
}

const plain = (records: readonly FileRecord[]) =>
  records
    .map((record) => ({ ...record, ttlSeconds: record.ttlSeconds ?? AUTO_TTL_SECONDS }))
    .toSorted((a, b) => a.line - b.line || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

test('parts say what the file says, with its directives, comments and blank owners, whatever stands between', () => {
  const text = [
    'first A 192.0.2.1',
    '$TTL 1h',
    '$ORIGIN sub.example.com.',
    'a A 192.0.2.1 ; the old host tags=shop',
    '  TXT "x ; y"',
    'b 60 IN MX 10 mail',
    '$ORIGIN example.com.',
    'c ( A',
    ' 192.0.2.3 )',
    'a.sub AAAA 2001:db8::1',
    '$GENERATE 1-3 g$ A 192.0.2.$',
  ].join('\n')
  const { parts, records, errors } = split(text)
  assert.deepEqual([errors, records], [[], 9])
  assert.deepEqual(plain(together(parts)), plain(readFileRecords('bind', text, ORIGIN).records))
  // What is written of one name at two places is in one part.
  assert.deepEqual(
    parts.map((part) => readFileRecords('bind', part.text, ORIGIN).records.map(({ name }) => name)),
    [['first'], ['a.sub', 'a.sub', 'a.sub'], ['b.sub', 'c'], ['g1', 'g2'], ['g3']],
  )
})

test('a record without a TTL stays without one, and never takes that of the record before', () => {
  const { parts } = split('a A 192.0.2.1\nb A 192.0.2.2\na 60 TXT x\nb 90 TXT y', 10)
  assert.deepEqual(
    together(parts).map(({ name, type, ttlSeconds }) => [name, type, ttlSeconds]),
    [
      ['a', 'A', null],
      ['a', 'TXT', 60],
      ['b', 'A', AUTO_TTL_SECONDS],
      ['b', 'TXT', 90],
    ],
  )
})

test('a table is split too, cells over several lines and all', () => {
  const text =
    'name;type;value;comment\r\nwww;A;192.0.2.1;"one\r\ntwo"\r\napi;A;192.0.2.2;\r\nwww;TXT;"a ""b"";c";x\r\nold;A;192.0.2.4;'
  const { parts, records } = split(text, 2, 'csv')
  assert.deepEqual([records, parts.length], [4, 2])
  assert.deepEqual(plain(together(parts, 'csv')), plain(readFileRecords('csv', text, ORIGIN).records))
  assert.deepEqual(
    split('name,type,value\nwww,A\nx,A,192.0.2.1', 2, 'csv').errors.map(({ line, fault }) => [line, fault]),
    [[2, 'csvCells']],
  )
})

test('a file with an error has no parts, and every error has its line', () => {
  const { parts, errors } = split('a A 192.0.2.1\nb A 192.0.2.300\n$INCLUDE x')
  assert.deepEqual(
    [parts, errors.map(({ line, fault }) => [line, fault])],
    [
      [],
      [
        [2, 'badIpv4'],
        [3, 'include'],
      ],
    ],
  )
})

test('any zone in parts is the zone', () => {
  fc.assert(
    fc.property(zones, fc.integer({ min: 1, max: 5 }), ({ text }, most) => {
      const { parts, errors } = split(text, most)
      assert.deepEqual(errors, [])
      assert.deepEqual(plain(together(parts)), plain(readFileRecords('bind', text, ORIGIN).records))
    }),
  )
})

test('any text is split without an exception', () => {
  fc.assert(fc.property(fc.oneof(mutatedZones, fc.string({ unit: 'binary' })), (text) => void split(text)))
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void split(`name,type,value\n${text}`, 2, 'csv')))
})

test('each part is one that a call takes, of a file that is beyond one', () => {
  const text = Array.from({ length: 45_000 }, (_, at) => `h${at} 300 IN TXT "${'x'.repeat(60)}"\n`).join('')
  const { part, characters } = LIMITS.zoneFile
  const { parts, records } = split(text, part.records, 'bind', part.characters)
  assert.equal(records, 45_000)
  assert.ok(parts.length >= 5)
  for (const one of parts) assert.ok(one.records <= part.records && one.text.length <= characters)
})
