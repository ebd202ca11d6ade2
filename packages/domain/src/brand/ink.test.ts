import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrast, inkOn } from './ink.ts'

test('contrast is 21 between black and white, 1 of a colour with itself, and that of the published examples', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#3a5bff', '#3a5bff'), 1)
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
  assert.equal(contrast('#ffffff', '#767676').toFixed(2), '4.54')
})

test('ink is white on dark colours and black on light ones', () => {
  assert.deepEqual(['#3a5bff', '#000000', '#ffe14d', '#ffffff', '#b00020'].map(inkOn), [
    '#ffffff',
    '#ffffff',
    '#000000',
    '#000000',
    '#ffffff',
  ])
})
