import { expect, test } from 'vitest'

const modules: Record<string, string> = import.meta.glob('../../**/*.module.css', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const files = Object.entries(modules)

const matches = (pattern: RegExp) =>
  files.flatMap(([file, text]) => (text.match(pattern) ?? []).map((found) => `${file}: ${found}`))

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
  const read = files.flatMap(([file, text]) =>
    [...text.matchAll(/var\((--c-[\w-]+|--space-[\w-]+|--radius-[\w-]+|--text-[\w-]+|--size-[\w-]+)/g)].map(
      ([, name]) => ({ file, name }),
    ),
  )
  // A token with a fallback may be set by the part's owner.
  const ownTokens = new Set(
    files.flatMap(([, text]) => [...text.matchAll(/var\((--c-[\w-]+),/g)].map(([, name]) => name)),
  )
  expect(read.filter(({ name }) => name !== undefined && !known.has(name) && !ownTokens.has(name))).toEqual([])
})

// No page is laid out here: that the rule is there is all that can be asked.
test.each([
  [
    '/flush-table',
    '.table thead :is(th, td)',
    'border-bottom',
    'the line under a table’s head goes on over an empty cell',
  ],
  ['/flush-table', "  .table th[scope='row']", 'min-width', 'a name in a table on a phone is more than three letters'],
  [
    '/charts/breakdown',
    '.root',
    'grid-template-columns: minmax(0, 1fr)',
    'a table that scrolls by itself does not widen the page',
  ],
  [
    'features/cdn-management/cdn-cells',
    '.share > :last-child',
    'min-width',
    'bars of rows below each other are of one length',
  ],
  ['features/domains/domains', '.cdns,\n.tags', 'padding-block', 'CDNs in two lines keep off the lines of the table'],
  [
    'features/analytics-dem/country-table',
    '.table :is(th, td):last-child',
    'padding-inline-end',
    'figures keep off the edge of their card',
  ],
])('%s: %s has %s: %s', (file, selector, declaration) => {
  const rule = files
    .find(([path]) => path.endsWith(`${file}.module.css`))?.[1]
    .split('}')
    .find((one) => `\n${one}`.includes(`\n${selector} {`))
  expect(rule).toContain(declaration)
})
