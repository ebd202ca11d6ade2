import { expect, test } from 'vitest'
import { sentenceOf } from './sentence-of.ts'

test('a sentence is translated once and names whatever it is asked for, wherever and however often', () => {
  let translated = 0
  const say = sentenceOf((name) => `${name}: open ${name} (${++translated})`)
  expect([say('a A'), say('$& b')]).toEqual(['a A: open a A (1)', '$& b: open $& b (1)'])
  expect(sentenceOf(() => 'no name')('a')).toBe('no name')
})
