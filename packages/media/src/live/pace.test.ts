import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pace } from './pace.ts'

const FRAME = 40

/** Seconds of picture that get through in so many seconds, of an encoder that sends whenever it may. */
function through(seconds: number, step = FRAME): number {
  const pace = new Pace()
  let [time, now] = [0, 0]
  while (now < seconds * 1000) {
    now += 0.1 + pace.take(time >>> 0, now)
    time += step
  }
  return time / 1000
}

test('an encoder faster than the clock gets as much through as time passes, and ten seconds', () => {
  for (const step of [1, FRAME, 1_000, 10_000]) {
    const got = through(600, step)
    assert.ok(got >= 600 && got <= 615 + (2 * step) / 1000, `${step}: ${got}`)
  }
})

test('one that waits is not silent for as long as would end it', () => {
  const pace = new Pace()
  let [time, now, longest] = [0, 0, 0]
  for (let frame = 0; frame < 200; frame++, time += 10_000) {
    const wait = pace.take(time, now)
    longest = Math.max(longest, wait)
    now += wait + 1
  }
  assert.ok(longest <= 10_100, `${longest}`)
})

test('an encoder in real time never waits: one that catches up after a line was cut, one whose clock is a little fast', () => {
  const cut = new Pace()
  for (let time = 0, now = 0; time < 3_600_000; time += FRAME) {
    // Fourteen seconds of every minute come at once.
    const second = time % 60_000
    now = second > 20_000 && second < 34_000 ? time - second + 34_000 : time
    assert.equal(cut.take(time, now), 0, `${time}`)
  }
  const fast = new Pace()
  for (let now = 0; now < 14 * 86_400_000; now += 5_000)
    assert.equal(fast.take(Math.round(now * 1.0005) >>> 0, now), 0, `${now}`)
})

test('a clock that jumps ends it, 32 bits that begin anew and a pause do not', () => {
  const jumps = (steps: [number, number][]) => {
    const pace = new Pace()
    for (const [time, now] of steps) pace.take(time >>> 0, now)
  }
  for (const [time, now] of [
    [11_000, 40],
    [-61_000, 40],
    [70_000, 70_000],
  ] as const)
    assert.throws(
      () =>
        jumps([
          [0, 0],
          [time, now],
        ]),
      /jumped/,
    )
  jumps([
    [2 ** 32 - 20, 0],
    [2 ** 32 + 20, 40],
    [2 ** 32 + 40_000, 40_000],
    [2 ** 32 + 39_000, 40_040],
  ])
})

test('going back and forth brings nobody forth', () => {
  const pace = new Pace()
  let now = 0
  for (let pair = 0; pair < 60; pair++) {
    now += pace.take(9_000, now)
    now += pace.take(0, now)
  }
  assert.ok(now > 60 * 8_000, `${now}`)
})
