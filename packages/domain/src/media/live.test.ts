import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviseInput, liveLadder, maySwitch, transcoderStatus } from './live.ts'

const FACTS = { isOn: true, revision: 2, appliedRevision: 2, isRunnerThere: true, ageSeconds: 10 }

test('the transcoder’s status is what the role reports, and only off and running can be switched', () => {
  for (const [facts, status] of [
    [{ appliedRevision: null }, 0],
    [{ appliedRevision: null, ageSeconds: 1801 }, -1],
    [{}, 3],
    [{ appliedRevision: 1 }, 4],
    [{ isRunnerThere: false }, 2],
    [{ isOn: false }, 1],
    [{ isOn: false, appliedRevision: 1 }, 5],
    [{ isOn: false, appliedRevision: 1, isRunnerThere: false }, 1],
  ] as const)
    assert.equal(transcoderStatus({ ...FACTS, ...facts }), status, JSON.stringify(facts))
  assert.deepEqual(
    ([-1, 0, 1, 2, 3, 4, 5] as const).filter((status) => maySwitch(status)),
    [1, 3],
  )
})

test('a live ladder is never above its input, holds at most three, and stays where real time can be kept', () => {
  assert.deepEqual(
    liveLadder({ width: 1920, height: 1080, fps: 30 }).map(({ name }) => name),
    ['360p', '480p', '720p'],
  )
  assert.deepEqual(
    liveLadder({ width: 320, height: 180, fps: 25 }).map(({ name }) => name),
    ['180p'],
  )
})

test('advice says what to change, and nothing about what is not known', () => {
  const well = {
    state: 'live' as const,
    since: '2026-01-01T00:00:00.000Z',
    bitrate: 4_000_000,
    fps: 30,
    keyFrameSeconds: 2,
    width: 1920,
    height: 1080,
    hasAudio: true,
    droppedPercent: 0.4,
    audioDriftMs: -20,
    speed: 1,
    problem: '',
    isTest: false,
  }
  assert.deepEqual(adviseInput(well, 2), [])
  assert.deepEqual(adviseInput({ ...well, bitrate: 500_000, hasAudio: false }, 2), ['bitrate-low', 'no-audio'])
  assert.deepEqual(adviseInput({ ...well, keyFrameSeconds: 8, speed: 0.7 }, 2), ['encoding-slow', 'key-frames-far'])
  assert.deepEqual(adviseInput({ ...well, droppedPercent: 2, audioDriftMs: -101 }, 2), [
    'frames-dropped',
    'audio-drift',
  ])
  assert.deepEqual(adviseInput({ ...well, bitrate: null, fps: null, hasAudio: null, speed: null }, 2), [])
  assert.deepEqual(adviseInput({ ...well, state: 'lost', bitrate: 1 }, 2), [])
})
