import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isWithin, lowerName, nameToText, nameToWire } from './name.ts'
import { NameCursor } from './name-cursor.ts'
import { PresentationError } from './presentation.ts'

const label = fc.uint8Array({ minLength: 1, maxLength: 63 })
const wireName = fc
  .array(label, { maxLength: 8 })
  .map((labels) => Uint8Array.from([...labels.flatMap((bytes) => [bytes.length, ...bytes]), 0]))
  .filter((wire) => wire.length <= 255)

test('any name survives being written down and read again', () => {
  fc.assert(fc.property(wireName, (wire) => assert.deepEqual(nameToWire(nameToText(wire)), wire)))
})

test('the last dot makes no difference', () => {
  assert.deepEqual(nameToWire('www.example.test.'), nameToWire('www.example.test'))
})

test('a name is the same with and without escapes, and wrong with what no name has', () => {
  assert.deepEqual(nameToWire('A-_*.ex\\097mple.test'), nameToWire('A-_*.example.test'))
  for (const wrong of ['', '..', '.a', 'a..b', 'a b', 'é', `${'a'.repeat(64)}.b`, 'ab.'.repeat(85)])
    assert.throws(() => nameToWire(wrong), PresentationError)
  assert.equal(nameToWire(`${'ab.'.repeat(84)}c`).length, 255)
})

test('a name is within a zone by labels, not by letters', () => {
  const within = (name: string, zone: string) => isWithin(nameToWire(name), nameToWire(zone))
  assert.equal(within('a.example.test', 'example.test'), true)
  assert.equal(within('example.test', 'example.test'), true)
  assert.equal(within('badexample.test', 'example.test'), false)
  assert.equal(within('test', 'example.test'), false)
  assert.equal(within('a.test', '.'), true)
})

test('every suffix of a name hashes as the suffix alone does, in any case', () => {
  fc.assert(
    fc.property(wireName, (wire) => {
      const whole = new NameCursor()
      assert.equal(whole.read(wire, 0, wire.length), wire.length)
      assert.deepEqual(whole.lower.subarray(0, whole.length), lowerName(wire))
      for (let i = 0; i <= whole.labels; i++) {
        const suffix = new NameCursor()
        const part = lowerName(wire).subarray(whole.starts[i])
        suffix.read(part, 0, part.length)
        assert.equal(suffix.hashes[0], whole.hashes[i])
      }
    }),
  )
})
