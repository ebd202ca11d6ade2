import { expect, test } from 'vitest'
import { findNamed } from './scope.ts'

const rows = [
  { id: '1', name: 'all.example' },
  { id: '2', name: 'shop.example' },
]
const nameOf = ({ name }: { name: string }) => name

test('an address names a site by its name or its id', () => {
  expect(findNamed(rows, 'shop.example', nameOf)?.id).toBe('2')
  expect(findNamed(rows, '2', nameOf)?.id).toBe('2')
})

test.each(['all', 'no-site', 'no-domain', undefined, 'elsewhere.example'])('%s names none', (text) => {
  expect(findNamed(rows, text, nameOf)).toBeUndefined()
})
