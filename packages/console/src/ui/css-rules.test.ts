import { expect, test } from 'vitest'

const modules: Record<string, string> = import.meta.glob('../**/*.module.css', { query: '?raw', import: 'default', eager: true })
const files = Object.entries(modules)

const matches = (pattern: RegExp) => files.flatMap(([file, text]) => (text.match(pattern) ?? []).map((found) => `${file}: ${found}`))

test('style sheets read colours from tokens only', () => {
  expect(files.length).toBeGreaterThan(20)
  expect(matches(/#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch)\(/gi)).toEqual([])
})

test('nothing is forced', () => {
  expect(matches(/!important/g)).toEqual([])
})

test('every token that is read exists', async () => {
  const { default: tokens } = await import('./tokens.css?raw')
  const known = new Set([...tokens.matchAll(/(--[\w-]+):/g)].map(([, name]) => name))
  const read = files.flatMap(([file, text]) => [...text.matchAll(/var\((--c-[\w-]+|--space-[\w-]+|--radius-[\w-]+|--text-[\w-]+|--size-[\w-]+)/g)].map(([, name]) => ({ file, name })))
  // A token with a fallback may be set by the part's owner.
  const ownTokens = new Set(files.flatMap(([, text]) => [...text.matchAll(/var\((--c-[\w-]+),/g)].map(([, name]) => name)))
  expect(read.filter(({ name }) => name !== undefined && !known.has(name) && !ownTokens.has(name))).toEqual([])
})
