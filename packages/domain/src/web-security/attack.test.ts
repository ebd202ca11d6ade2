import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAttack, isAttackOver, usualPerMinute } from './attack.ts'

const week = (perHour: number) => Array.from({ length: 168 }, () => perHour)

test('an attack is many at once, and many more than usual', () => {
  const minutes = [0, 0, 0, 0, 0]
  const table: [number, number[], boolean][] = [
    [199, [], false],
    [200, [], true],
    [500, week(12_000), false],
    [1000, week(12_000), true],
    // One hour of an attack among quiet ones makes nothing usual.
    [300, [...week(0).slice(1), 1_000_000], true],
  ]
  for (const [lately, hours, expected] of table)
    assert.equal(isAttack({ lately, minutes, hours }), expected, `${lately}`)
  assert.equal(usualPerMinute(week(600)), 10)
})

test('an attack is over after five quiet minutes, not in a pause', () => {
  assert.equal(isAttackOver({ lately: 0, minutes: [300, 0, 0, 0, 0], hours: [] }), false)
  assert.equal(isAttackOver({ lately: 0, minutes: [49, 10, 0, 0, 0], hours: [] }), true)
  assert.equal(isAttackOver({ lately: 60, minutes: [0, 0, 0, 0, 60], hours: week(3000) }), true)
})
