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
  assert.ok(longest <= 10_000, `${longest}`)
  const stalled = new Pace()
  stalled.take(0, 0)
  assert.equal(stalled.take(24_000, 0), 10_000)
  assert.ok(stalled.take(24_040, 10_000) >= 3_900, 'what is left is waited for behind the next frame')
})

test('a line that stalls for fifteen seconds, whose encoder drops what it cannot send, holds up nobody', () => {
  for (const stall of [11_000, 15_000]) {
    const pace = new Pace()
    for (let time = 0; time < 60_000; time += FRAME) assert.equal(pace.take(time, time), 0)
    // What lay in the line comes first, then what the encoder goes on with.
    assert.equal(pace.take(60_000, 60_000 + stall), 0)
    for (let time = 60_000 + stall; time < 600_000; time += FRAME) assert.equal(pace.take(time, time), 0, `${time}`)
  }
})

test('sound that was silent for longer than a picture may be comes back; where it is early it waits all the same', () => {
  const sound = new Pace(Infinity)
  sound.take(0, 0)
  for (let time = 3_600_000; time < 3_660_000; time += 20) assert.equal(sound.take(time, time), 0)
  assert.throws(() => sound.take(3_700_000, 3_660_000), /jumped/)
})

test('pictures in the order in which they are decoded count once: in real time none waits, at twice that it is held', () => {
  // I or P, the B that others refer to, and the two around it.
  const decoded = (frame: number) => (Math.floor(frame / 4) * 4 + ([4, 2, 1, 3][frame % 4] ?? 0)) * FRAME
  const real = new Pace()
  for (let frame = 0; frame < 90_000; frame++) assert.equal(real.take(decoded(frame), frame * FRAME), 0, `${frame}`)
  const fast = new Pace()
  let now = 0
  for (let frame = 0; frame < 15_000; frame++) now += FRAME / 2 + fast.take(decoded(frame), now)
  assert.ok(now > 580_000, `${now}`)
})

test('behind a clock that began anew time counts again', () => {
  const pace = new Pace()
  pace.take(60_000, 0)
  let [time, now] = [0, 40]
  while (time < 600_000) {
    now += pace.take(time, now)
    time += FRAME
  }
  assert.ok(now > 580_000, `${now}`)
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
    [26_000, 40],
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
  const stalls: [number, number][] = [
    [0, 0],
    [24_000, 0],
  ]
  jumps(stalls)
  assert.throws(() => jumps([...stalls, [48_000, 10_000]]), /jumped/, 'stalls one after the other')
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
  assert.ok(now > 60 * 3_500, `${now}`)
})
