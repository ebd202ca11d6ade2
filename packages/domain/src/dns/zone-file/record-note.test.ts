import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { exportZone } from './export-zone.ts'
import { readFileRecords } from './file-record.ts'
import { planImport, type CurrentRecord } from './plan-import.ts'
import { readNote, writeNote } from './record-note.ts'

test('a comment of a zone file is a note, with tags at its end', () => {
  const cases: [text: string, note: ReturnType<typeof readNote>][] = [
    ['', null],
    ['   ', null],
    [' old host', { comment: 'old host', tags: [] }],
    [' old host tags=shop, old one,,shop', { comment: 'old host', tags: ['shop', 'old one'] }],
    ['tags=shop', { comment: '', tags: ['shop'] }],
    ['a tags=<b>,ok', { comment: 'a', tags: ['ok'] }],
    ['mytags=x', { comment: 'mytags=x', tags: [] }],
    ['a\u0000b\u001b', { comment: 'a b', tags: [] }],
    [
      `tags=${Array.from({ length: 12 }, (_, i) => `t${i}`).join()}`,
      { comment: '', tags: Array.from({ length: 10 }, (_, i) => `t${i}`) },
    ],
  ]
  for (const [text, note] of cases) assert.deepEqual(readNote(text), note, JSON.stringify(text))
  assert.equal(readNote('x'.repeat(900))?.comment.length, 500)
  assert.equal(writeNote({ comment: '', tags: [] }), null)
})

test('whatever is noted, in both formats it comes back once it has been read', () => {
  const current = (comment: string, tags: string[]): CurrentRecord => ({
    id: 'r',
    type: 'A',
    name: 'www',
    value: '192.0.2.1',
    preference: null,
    ttlSeconds: 300,
    multiCdn: false,
    comment,
    tags,
  })
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom('=1+1', "'=x", 'a "b"; c', '\\', 'a tags=b c tags=d', 'ALIAS x'),
  )
  fc.assert(
    fc.property(texts, texts, (comment, tags) => {
      const note = readNote(`${comment} tags=${tags}`) ?? { comment: '', tags: [] }
      const record = current(note.comment, note.tags)
      for (const format of ['bind', 'csv'] as const) {
        const { records, errors } = readFileRecords(
          format,
          exportZone(format, [record], { name: 'example.com', apex: [] }),
          'example.com',
        )
        assert.deepEqual(errors, [])
        const plan = planImport({
          records,
          current: [record],
          siteName: 'example.com',
          mode: 'replace',
          minimumTtlSeconds: 30,
          ability: [],
        })
        assert.deepEqual(plan.changed, [], format)
        assert.deepEqual(plan.counts.skipped, 1)
      }
    }),
  )
})

test('a file that says nothing beside a record leaves what is noted; one that does, changes it', () => {
  const noted: CurrentRecord = {
    id: 'r',
    type: 'A',
    name: 'www',
    value: '192.0.2.1',
    preference: null,
    ttlSeconds: 300,
    multiCdn: false,
    comment: 'kept',
    tags: ['a'],
  }
  const plan = (text: string) =>
    planImport({
      records: readFileRecords('bind', text, 'example.com').records,
      current: [noted],
      siteName: 'example.com',
      mode: 'merge',
      minimumTtlSeconds: 30,
      ability: [],
    })
  assert.equal(plan('www 300 A 192.0.2.1').changed.length, 0)
  const [changed] = plan('www 300 A 192.0.2.2').changed
  assert.deepEqual([changed?.record.comment, changed?.record.tags], [undefined, undefined])
  const [other] = plan('www 300 A 192.0.2.1 ; new tags=b').changed
  assert.deepEqual([other?.record.comment, other?.record.tags], ['new', ['b']])
  assert.deepEqual(
    plan('www 300 A 192.0.2.1 ; kept tags=a').rows.map(({ action, reason }) => [action, reason]),
    [['skipped', 'same']],
  )
})

test('what begins like a formula is no formula in a table', () => {
  const record: CurrentRecord = {
    id: 'r',
    type: 'A',
    name: 'www',
    value: '192.0.2.1',
    preference: null,
    ttlSeconds: 300,
    multiCdn: false,
    comment: '=HYPERLINK("x")',
    tags: [],
  }
  assert.match(exportZone('csv', [record], { name: 'example.com', apex: [] }), /"'=HYPERLINK/)
})
