import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Failure, type Timing, WHOLE_FILE, failedFiles, sum, tell } from './test-outcome.ts'

const failure = (file: string, name: string): Failure => ({ file, name, said: 'expected 1, got 2\n    at line 3' })

const ran = (...names: string[]): Timing[] => names.map((name) => ({ file: 'a.test.ts', name, ms: 1 }))

test('a run ends with each failure in full and the counts', () => {
  const outcome = sum([
    { passed: 3, failures: [failure('a.test.ts', 'adds')], timings: [] },
    { passed: 4, failures: [], timings: [] },
  ])
  assert.deepEqual(tell(outcome, null), {
    text: '✖ adds (a.test.ts)\n    expected 1, got 2\n        at line 3\n7 passed, 1 failed',
    isGood: false,
  })
  assert.deepEqual(tell({ passed: 7, failures: [], timings: [] }, null), { text: '7 passed, 0 failed', isGood: true })
})

test('what passes at the second try is told as unsteady; what fails again, and what has no file to try again, fails', () => {
  const first = {
    passed: 5,
    failures: [failure('a.test.ts', 'adds'), failure('a.test.ts', 'takes away'), failure('', 'lint')],
    timings: [],
  }
  assert.deepEqual(failedFiles(first), ['a.test.ts'])
  const { text, isGood } = tell(first, {
    passed: 1,
    failures: [failure('a.test.ts', 'takes away')],
    timings: ran('adds', 'takes away'),
  })
  assert.deepEqual(
    text.split('\n').filter((line) => !line.startsWith(' ')),
    [
      'unsteady: failed, then passed adds (a.test.ts)',
      '✖ lint',
      '✖ takes away (a.test.ts)',
      '6 passed, 2 failed; 1 passed at the second try only',
    ],
  )
  assert.equal(isGood, false)
  const mended = tell(
    { passed: 5, failures: [failure('a.test.ts', 'adds')], timings: [] },
    { passed: 2, failures: [], timings: ran('adds') },
  )
  assert.equal(mended.isGood, true)
})

test('what did not run at the second try has failed; a file that could not begin has passed when its tests did', () => {
  const first = { passed: 5, failures: [failure('a.test.ts', 'adds')], timings: [] }
  assert.equal(tell(first, { passed: 0, failures: [], timings: [] }).isGood, false)
  assert.equal(tell(first, { passed: 1, failures: [], timings: ran('another') }).isGood, false)
  const whole = { passed: 5, failures: [failure('a.test.ts', WHOLE_FILE)], timings: [] }
  assert.equal(tell(whole, { passed: 1, failures: [], timings: ran('adds') }).isGood, true)
  assert.equal(tell(whole, { passed: 0, failures: [], timings: [] }).isGood, false)
})

test('a run names its slowest tests, slowest first, twenty at most, and not those that are quick', () => {
  const timings = Array.from({ length: 30 }, (_, index) => ({
    file: 'a.test.ts',
    name: `no. ${index}`,
    ms: index * 500,
  }))
  const lines = tell({ passed: 30, failures: [], timings }, null).text.split('\n')
  assert.deepEqual(lines.slice(0, 2), ['the slowest:', '    14.5 s  no. 29 (a.test.ts)'])
  assert.equal(lines.length, 22)
  assert.deepEqual(tell({ passed: 1, failures: [], timings: timings.slice(0, 2) }, null).text, '1 passed, 0 failed')
})
