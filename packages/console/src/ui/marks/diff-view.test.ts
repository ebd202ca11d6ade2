import { expect, test } from 'vitest'
import { diffRows } from './diff-view.tsx'

const show = (_: string, value: unknown) => String(value ?? '—')
const label = (field: string) => field

test('only fields that differ are shown', () => {
  expect(diffRows({ a: 1, b: [1, 2], c: null }, { a: 2, b: [1, 2] }, show, label)).toEqual([
    { label: 'a', before: '1', after: '2' },
  ])
})

test('something new has no before, something gone no after', () => {
  expect(diffRows(null, { a: 1 }, show, label)).toEqual([{ label: 'a', before: null, after: '1' }])
  expect(diffRows({ a: 1 }, null, show, label)).toEqual([{ label: 'a', before: '1', after: null }])
})
