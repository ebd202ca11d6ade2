import { PlaceKey } from '@fairway/contract'
import { describe, expect, test } from 'vitest'
import { PLACE_TREE, ROOT_KEYS, checkState, togglePlace } from './place-tree.ts'

test('every place of the tree is a place key of the contract', () => {
  expect([...PLACE_TREE.keys()].filter((key) => !PlaceKey.safeParse(key).success)).toEqual([])
  expect(PLACE_TREE.size).toBeGreaterThan(300)
  expect(ROOT_KEYS).toHaveLength(7)
})

describe('choosing', () => {
  test('a country makes its continent partly chosen', () => {
    const chosen = togglePlace('country:JP', [])
    expect(chosen).toEqual(['country:JP'])
    expect(checkState('continent:AS', chosen)).toBe('part')
    expect(checkState('country:TW', chosen)).toBe('off')
  })

  test('a continent takes in what was chosen inside it', () => {
    expect(togglePlace('continent:AS', ['country:JP', 'region:CN-11', 'country:FR'])).toEqual([
      'country:FR',
      'continent:AS',
    ])
  })

  test('inside a chosen continent everything is on', () => {
    expect(checkState('region:US-CA', ['continent:NA'])).toBe('on')
  })

  test('taking one region out of a chosen country leaves the others', () => {
    const chosen = togglePlace('region:US-CA', ['country:US'])
    expect(checkState('region:US-CA', chosen)).toBe('off')
    expect(checkState('region:US-NY', chosen)).toBe('on')
    expect(checkState('country:US', chosen)).toBe('part')
  })

  test('taking one region out of a chosen continent leaves its other countries', () => {
    const chosen = togglePlace('region:US-CA', ['continent:NA'])
    expect(checkState('country:CA', chosen)).toBe('on')
    expect(checkState('region:US-TX', chosen)).toBe('on')
    expect(checkState('region:US-CA', chosen)).toBe('off')
    expect(chosen).not.toContain('continent:NA')
    expect(chosen).not.toContain('country:US')
  })

  test('choosing again takes it away', () => {
    expect(togglePlace('country:JP', ['country:JP', 'country:FR'])).toEqual(['country:FR'])
  })
})
