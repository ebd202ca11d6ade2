import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InputMeter } from './input-meter.ts'
import { AUDIO, VIDEO } from './rtmp/publisher.ts'

const FRAME = Buffer.from([0x27, 1, 0, 0, 0, 0])
/** AAC-LC, 48 kHz, two channels (ISO 14496-3, 1.6.2.1). */
const SOUND_HEADER = Buffer.from([0xaf, 0, 0x11, 0x90])
const SOUND = Buffer.from([0xaf, 1, 0])

/** So many seconds of picture and sound, where frames and times are as said. */
function measured(seconds: number, frame: (index: number) => boolean, soundTime: (ms: number) => number) {
  const meter = new InputMeter()
  meter.note(AUDIO, 0, SOUND_HEADER, 0)
  let sounds = 0
  for (let index = 0; index < seconds * 25; index++) {
    const now = index * 40
    if (frame(index)) meter.note(VIDEO, now, FRAME, now)
    for (; (sounds * 1024) / 48 <= now; sounds++)
      meter.note(AUDIO, Math.round(soundTime((sounds * 1024) / 48)), SOUND, now)
  }
  return meter.facts(seconds * 1000)
}

test('frames that do not come are counted, whatever the usual distance of those that do', () => {
  const same = (ms: number) => ms
  assert.equal(measured(20, () => true, same).droppedPercent, 0)
  assert.equal(measured(20, (index) => index % 2 === 0, same).droppedPercent, 0)
  const { droppedPercent } = measured(20, (index) => index % 10 !== 0, same)
  assert.ok(droppedPercent !== null && Math.abs(droppedPercent - 10) < 1, `${droppedPercent}`)
  assert.equal(measured(0.3, () => true, same).droppedPercent, null)
})

test('sound that is shorter or longer than its clock says drifts; that it is late from the beginning is none', () => {
  const drift = (soundTime: (ms: number) => number) => measured(60, () => true, soundTime).audioDriftMs ?? Number.NaN
  assert.ok(Math.abs(drift((ms) => ms + 800)) <= 1)
  assert.ok(Math.abs(drift((ms) => ms * 1.005) - 300) <= 5)
  assert.ok(Math.abs(drift((ms) => ms * 0.995) + 300) <= 5)
  assert.equal(
    measured(
      5,
      () => true,
      (ms) => ms,
    ).audioDriftMs,
    null,
  )
})

test('what says nothing of its sound that can be is not measured', () => {
  for (const header of [
    Buffer.from([0xaf, 0]),
    Buffer.from([0xaf, 0, 0xff, 0xff]),
    Buffer.from([0xaf, 0, 0x17, 0xff]),
  ]) {
    const meter = new InputMeter()
    meter.note(AUDIO, 0, header, 0)
    for (let ms = 0; ms < 20_000; ms += 21) meter.note(AUDIO, ms, SOUND, ms)
    assert.equal(meter.facts(20_000).audioDriftMs, null)
  }
})
