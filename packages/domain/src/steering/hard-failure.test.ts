import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hardFailure, type Check } from './hard-failure.ts'

const NOW = 1_000_000
/** A node's checks one second apart, newest first, of marks with the oldest first: `+` good, `-` bad. */
const checks = (marks: string): Check[] =>
  [...marks].reverse().map((mark, index) => ({ at: NOW - index * 1000, ok: mark === '+' }))
const state = (wasDown: boolean, ...nodes: string[]) => hardFailure({ nodes: nodes.map(checks), wasDown, now: NOW })

test('two of three nodes seeing it dead make it dead at once', () => {
  assert.equal(state(false, '++-', '++-', '+++'), true)
  assert.equal(state(false, '---', '+++', '+++'), false)
})

test('with two nodes both must see it, so that a broken node condemns nobody', () => {
  assert.equal(state(false, '----', '++++'), false)
  assert.equal(state(false, '-', '-'), true)
})

test('a single node needs two of its last three checks', () => {
  assert.deepEqual(
    ['-', '+-', '--', '-+-', '-++', '--++', '+--'].map((marks) => state(false, marks)),
    [false, false, true, true, false, false, true],
  )
})

test('it is alive again after two good rounds, however long it was dead', () => {
  assert.deepEqual(
    ['--+', '--++', '---+-', '---+-+', '------++'].map((marks) => state(true, marks)),
    [true, false, true, true, false],
  )
  assert.equal(state(true, '------+', '------++', '------+'), true)
  assert.equal(state(true, '-----++', '-----++', '-------'), false)
})

test('a CDN that fails every other time does not flap', () => {
  let down = false
  const turns: number[] = []
  for (let second = 1; second <= 60; second++) {
    const marks = Array.from({ length: second }, (_, index) => (index % 2 === 0 ? '-' : '+'))
      .join('')
      .slice(-10)
    const now = state(down, marks, marks, marks)
    if (now !== down) turns.push(second)
    down = now
  }
  assert.equal(turns.length, 1)
})

test('checks that are old, or of a clock that was ahead, do not count, and without any the state stays', () => {
  for (const [marks, shift] of [
    ['---', -60_000],
    ['+++', -60_000],
    ['---', 60_000],
    ['+++', 60_000],
  ] as const)
    for (const wasDown of [false, true]) {
      const nodes = [checks(marks).map((check) => ({ ...check, at: check.at + shift }))]
      assert.equal(hardFailure({ nodes, wasDown, now: NOW }), wasDown, `${marks} ${shift}`)
    }
  assert.equal(hardFailure({ nodes: [], wasDown: true, now: NOW }), true)
})
