import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '@fairway/contract'
import * as fc from 'fast-check'
import { readCsv, writeCsv } from './csv.ts'
import { exportZone } from './export-zone.ts'
import { readFileRecords } from './file-record.ts'

const read = (text: string) => readFileRecords('csv', text, 'example.com')
const short = (text: string) =>
  read(text).records.map(({ line, name, type, ttlSeconds, preference, value, multiCdn }) => [
    line,
    name,
    type,
    ttlSeconds,
    preference,
    value,
    multiCdn,
  ])
const faults = (text: string) =>
  read(text).errors.map(({ line, column, fault, text: piece }) => `${line}:${column} ${fault} ${piece}`)

test('columns in any order, by other names too, in capitals, with other separators', () => {
  const expected = [[2, 'www', 'A', 300, null, '192.0.2.1', false]]
  assert.deepEqual(short('name,type,ttl,value\nwww,A,300,192.0.2.1\n'), expected)
  assert.deepEqual(short('Type;Host;Content;TTL\r\na;WWW;192.0.2.1;5m\r\n'), expected)
  assert.deepEqual(short('\ufefftype\tname\tdata\tttl\nA\twww\t192.0.2.1\t300'), expected)
})

test('names are relative to the site or end with it, @ and nothing are the root', () => {
  assert.deepEqual(
    short(
      'name,type,value\n@,A,1\n,A,1\nexample.com,A,1\nWWW.Example.com.,A,1\na.example.net.,A,1\nb.example.net,A,1',
    ).map(([, name]) => name),
    ['@', '@', '@', 'www', 'a.example.net.', 'b.example.net'],
  )
})

test('Auto, preferences and flags', () => {
  assert.deepEqual(
    short('name,type,ttl,preference,value,multi_cdn\na,MX,auto,5,m.example.net,yes\na,mx,,,7 m.example.net,0'),
    [
      [2, 'a', 'MX', null, 5, 'm.example.net', true],
      [3, 'a', 'MX', null, 7, 'm.example.net', false],
    ],
  )
})

test('cells in quotes hold separators, line breaks and doubled quotes; lines are counted through them', () => {
  assert.deepEqual(short('name,type,value\n"a",TXT,"say ""hi"", or\nnot"\n\nb,TXT,"""x"" ""y"""\n'), [
    [2, 'a', 'TXT', null, null, 'say "hi", or\nnot', false],
    [5, 'b', 'TXT', null, null, '"x" "y"', false],
  ])
})

const wrong: [text: string, expected: string[]][] = [
  ['', ['1:1 csvHeader ']],
  ['www,A,192.0.2.1', ['1:1 csvHeader www']],
  ['name,type,colour,value', ['1:11 csvUnknownColumn colour']],
  ['name,type,name,value', ['1:11 csvUnknownColumn name']],
  ['name,ttl', ['1:1 csvMissingColumn type', '1:1 csvMissingColumn value']],
  ['name,type,value\nwww,A', ['2:1 csvCells www']],
  ['name,type,value\nwww,TXT,a "b"', ['2:9 csvQuote a "b"']],
  ['name,type,value\nwww,TXT,"a" b', ['2:9 csvQuote "a" b']],
  ['name,type,value\nwww,TXT,"a', ['2:9 csvQuote "a']],
  ['name,type,ttl,value\nwww,A,soon,192.0.2.1', ['2:7 badTtl soon']],
  ['name,type,preference,value\nwww,MX,first,m', ['2:8 badNumber first']],
  ['name,type,value,multi_cdn\nwww,A,192.0.2.1,maybe', ['2:17 csvFlag maybe']],
]
for (const [text, expected] of wrong)
  test(`${JSON.stringify(text.slice(0, 50))} says ${expected[0]}`, () => assert.deepEqual(faults(text), expected))

test('any table is read as it was written', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'b', ',', '"', '\n', '\r', ' ', ';', '\t', 'é'), maxLength: 8 })
  const tables = fc
    .integer({ min: 2, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }))
  fc.assert(
    fc.property(tables, (table) => {
      const rows = [...readCsv(writeCsv(table), ',')]
      assert.deepEqual(
        rows.map((row) => row.map(({ text }) => text)),
        table,
      )
    }),
  )
})

test('any text is read without an exception and in time', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void read(text)))
  for (const piece of ['"', ',', '""', 'a,', '\n', '\r', '"a"\n', '"\n']) {
    const started = process.hrtime.bigint()
    read(`name,type,value\n${piece.repeat(LIMITS.zoneFile.characters / piece.length)}`)
    assert.ok(process.hrtime.bigint() - started < 3_000_000_000n, JSON.stringify(piece))
  }
  const { records, errors } = read(`name,type,value\n${'a,A,192.0.2.1\n'.repeat(LIMITS.zoneFile.records + 3)}`)
  assert.deepEqual([records.length, errors.map(({ fault }) => fault)], [LIMITS.zoneFile.records, ['tooManyRecords']])
})

test('an exported table has nothing that a spreadsheet takes for a formula', () => {
  const table = exportZone(
    'csv',
    [
      { type: 'TXT', name: 'a', value: '=1+1', preference: null, ttlSeconds: null, multiCdn: false },
      { type: 'A', name: '@', value: '8.8.8.8', preference: null, ttlSeconds: 60, multiCdn: true },
    ],
    { name: 'example.com', apex: [] },
  )
  assert.equal(
    table,
    'name,type,ttl,preference,value,multi_cdn\r\n@,A,60,,8.8.8.8,true\r\na,TXT,auto,,"""=1+1""",false\r\n',
  )
})

test('an exported zone file says what multi-CDN steers, and leaves an alias at the root as a remark', () => {
  const steered = { preference: null, ttlSeconds: null, multiCdn: true }
  const zone = exportZone(
    'bind',
    [
      { type: 'CNAME', name: '@', value: 'o.example.net', ...steered },
      { type: 'A', name: 'www', value: '8.8.8.8', ...steered },
    ],
    { name: 'example.com', apex: [] },
  )
  const remark = 'multi-CDN answers this name, the record is its origin'
  assert.equal(
    zone,
    `; example.com. 30 IN CNAME o.example.net. ; ${remark}\nwww.example.com. 30 IN A 8.8.8.8 ; ${remark}\n`,
  )
  assert.deepEqual(
    readFileRecords('bind', zone, 'example.com').records.map(({ name }) => name),
    ['www'],
  )
})
