import { describe, expect, test } from 'vitest'
import css from './tokens.css?raw'

type Scheme = 'light' | 'dark'

/** The tokens of a scheme that are plain colours. */
function tokensOf(scheme: Scheme): Record<string, string> {
  const block = new RegExp(`data-mantine-color-scheme='${scheme}'\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? ''
  return Object.fromEntries(
    [...block.matchAll(/--c-([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  )
}

/** Contrast as WCAG 2 defines it. */
function contrast(a: string | undefined, b: string | undefined): number {
  const [x = 0, y = 0] = [luminance(a), luminance(b)].sort((m, n) => n - m)
  return (x + 0.05) / (y + 0.05)
}

function luminance(hex = '#000000'): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  const t = tokensOf(scheme)
  const grounds = ['canvas', 'surface', 'raised', 'sunken', 'hover'] as const

  test.each(['ok', 'warn', 'bad', 'info', 'review'])('words of a %s pill stand out on its ground', (tone) => {
    expect(contrast(t[`${tone}-text`], t[`${tone}-soft`])).toBeGreaterThanOrEqual(5.8)
  })

  test.each(grounds)('main, secondary and help text can be read on %s', (ground) => {
    expect(contrast(t['text'], t[ground])).toBeGreaterThanOrEqual(7)
    expect(contrast(t['text-2'], t[ground])).toBeGreaterThanOrEqual(4.5)
    expect(contrast(t['text-3'], t[ground])).toBeGreaterThanOrEqual(4.5)
  })

  test('main and secondary text can be read on the current item', () => {
    expect(contrast(t['text-2'], t['active'])).toBeGreaterThanOrEqual(4.5)
  })

  test.each([1, 2, 3, 4, 5, 6])('series %i can be told from the surface', (series) => {
    expect(contrast(t[`s${series}`], t['surface'])).toBeGreaterThanOrEqual(3)
  })

  test('a button that destroys can be read', () => {
    expect(contrast(t['bad-ink'], t['bad-fill'])).toBeGreaterThanOrEqual(4.5)
    expect(contrast(t['bad-ink'], t['bad-fill-hover'])).toBeGreaterThanOrEqual(4.5)
  })
})

test('white on the default brand can be read', () => {
  expect(contrast('#ffffff', '#3a5bff')).toBeGreaterThanOrEqual(4.9)
})

test('both schemes have the same tokens', () => {
  expect(Object.keys(tokensOf('dark')).sort()).toEqual(Object.keys(tokensOf('light')).sort())
  expect(Object.keys(tokensOf('light')).length).toBeGreaterThan(30)
})
