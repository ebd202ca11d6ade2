import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableAppender } from './append-to-tables.ts'
import { NotTaken, SpoolFull } from './spool.ts'

function tables() {
  const table = () => {
    const one = {
      rows: [] as string[],
      isFull: false,
      isBroken: false,
      expectRoom: () => {
        if (one.isFull) throw new SpoolFull('full')
      },
      append: async (lines: string) => {
        if (one.isFull || one.isBroken) throw new NotTaken('not now')
        one.rows.push(lines)
      },
    }
    return one
  }
  return { a: table(), b: table(), c: table() }
}

test('a report for which one table has no room is in none, and once in all when there is room', async () => {
  const spools = tables()
  const append = tableAppender(spools)
  spools.b.isFull = true
  for (let i = 0; i < 3; i++) await assert.rejects(append({ a: '1', b: '2', c: '' }, 'x'), NotTaken)
  assert.deepEqual(spools.a.rows, [])
  await append({ a: 'other', b: '', c: '3' }, 'y')
  spools.b.isFull = false
  await append({ a: '1', b: '2', c: '' }, 'x')
  assert.deepEqual([spools.a.rows, spools.b.rows, spools.c.rows], [['other', '1'], ['2'], ['3']])
})

test('what some tables have taken of a report is not taken again with the rest', async () => {
  const spools = tables()
  const append = tableAppender(spools)
  spools.c.isBroken = true
  for (let i = 0; i < 3; i++) await assert.rejects(append({ a: '1', b: '2', c: '3' }, 'x'), NotTaken)
  spools.c.isBroken = false
  await append({ a: '1', b: '2', c: '3' }, 'x')
  await append({ a: '1', b: '2', c: '3' }, 'z')
  assert.deepEqual(
    [spools.a.rows, spools.b.rows, spools.c.rows],
    [
      ['1', '1'],
      ['2', '2'],
      ['3', '3'],
    ],
  )
})
