import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntityChange } from '@fairway/contract'
import { inverse, netChanges } from './net-changes.ts'

const change = (id: string, before: string | null, after: string | null, entity = 'dns-record'): EntityChange => ({
  entity,
  id,
  label: `${id} ${after ?? before}`,
  before: before === null ? null : { value: before },
  after: after === null ? null : { value: after },
})

test('several changes of a row are one, from what it was to what it is', () => {
  const cases: [EntityChange[], EntityChange[]][] = [
    [[], []],
    [
      [change('a', '1', '2'), change('b', null, '1'), change('a', '2', '3')],
      [change('a', '1', '3'), change('b', null, '1')],
    ],
    [[change('a', null, '1'), change('a', '1', '2')], [change('a', null, '2')]],
    [[change('a', null, '1'), change('a', '1', null)], []],
    [[change('a', '1', null), change('a', null, '1')], []],
    [[change('a', '1', '2'), change('a', '2', '1')], []],
    [
      [change('a', null, '1'), change('a', null, '1', 'domain')],
      [change('a', null, '1'), change('a', null, '1', 'domain')],
    ],
  ]
  for (const [given, expected] of cases) assert.deepEqual(netChanges(given), expected)
})

test('columns in another order are no change', () =>
  assert.deepEqual(netChanges([{ ...change('a', null, null), before: { x: 1, y: 2 }, after: { y: 2, x: 1 } }]), []))

test('seen from the other end, what came goes', () => {
  const changes = [change('a', '1', '2'), change('b', null, '1')]
  assert.deepEqual(
    inverse(changes).map(({ id, before, after }) => [id, before?.['value'] ?? null, after?.['value'] ?? null]),
    [
      ['b', '1', null],
      ['a', '2', '1'],
    ],
  )
  assert.deepEqual(netChanges([...changes, ...inverse(changes)]), [])
})
