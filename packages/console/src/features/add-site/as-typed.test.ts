import { expect, test } from 'vitest'
import { asTyped } from './as-typed.ts'

test('a pasted address becomes the name in it', () => {
  expect(['https://Example.com/shop?x=1', ' example.com. ', 'EXAMPLE.COM', 'example.com#top'].map(asTyped)).toEqual([
    'example.com',
    'example.com',
    'example.com',
    'example.com',
  ])
})

test('a name in another script becomes what DNS holds', () => {
  expect(asTyped('bücher.example')).toBe('xn--bcher-kva.example')
  expect(asTyped('例子.example')).toBe('xn--fsqu00a.example')
})

test('what is no name stays as it was, for its own reason', () => {
  expect(['*.example.com', '_x.example.com', 'two words.com'].map(asTyped)).toEqual([
    '*.example.com',
    '_x.example.com',
    'two words.com',
  ])
})
