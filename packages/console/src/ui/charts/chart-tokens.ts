import { useEffect, useState } from 'react'

const NAMES = {
  text: '--c-text',
  text2: '--c-text-2',
  text3: '--c-text-3',
  line: '--c-line',
  lineStrong: '--c-line-strong',
  surface: '--c-surface',
  s1: '--c-s1',
  s2: '--c-s2',
  s3: '--c-s3',
  s4: '--c-s4',
  s5: '--c-s5',
  s6: '--c-s6',
  brand: '--c-brand-text',
  info: '--c-info',
} as const

/** The colours of the page as a canvas understands them: `rgb(…)`, with fonts. */
export type ChartTokens = Record<keyof typeof NAMES, string> & { fontUi: string }

/**
 * A canvas cannot read custom properties or `color-mix`: a hidden element resolves them, again whenever scheme, brand
 * or language change.
 */
export function useChartTokens(): ChartTokens {
  const [tokens, setTokens] = useState(resolveTokens)
  useEffect(() => {
    const observer = new MutationObserver(() => setTokens(resolveTokens()))
    observer.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-mantine-color-scheme', 'style', 'lang'],
    })
    return () => observer.disconnect()
  }, [])
  return tokens
}

/** What they are now. */
export function resolveTokens(): ChartTokens {
  const probe = document.createElement('span')
  probe.hidden = true
  document.body.append(probe)
  const read = (token: string) => {
    probe.style.color = `var(${token})`
    return asRgb(getComputedStyle(probe).color)
  }
  const fontUi = getComputedStyle(document.body).fontFamily
  const tokens = Object.fromEntries(Object.entries(NAMES).map(([name, token]) => [name, read(token)]))
  probe.remove()
  return { ...asTokens(tokens), fontUi }
}

/** Holds because every key of `NAMES` was just written. */
function asTokens(tokens: Record<string, string>): Record<keyof typeof NAMES, string> {
  return tokens as Record<keyof typeof NAMES, string>
}

let pixel: CanvasRenderingContext2D | null = null

/**
 * `color-mix` computes to `oklab(…)`, which the chart library cannot take apart; one painted pixel turns any colour
 * into numbers.
 */
function asRgb(color: string): string {
  if (/^rgba?\(/.test(color) || color === '') return color || 'rgb(128, 128, 128)'
  pixel ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  })
  if (!pixel) return color
  pixel.clearRect(0, 0, 1, 1)
  pixel.fillStyle = color
  pixel.fillRect(0, 0, 1, 1)
  const [red, green, blue] = pixel.getImageData(0, 0, 1, 1).data
  return `rgb(${red}, ${green}, ${blue})`
}

/** `rgb(…)` made translucent. */
export function fade(rgb: string, opacity: number): string {
  return rgb.replace(/^rgba?\(([^,]+),([^,]+),([^,)]+).*$/, `rgba($1,$2,$3, ${opacity})`)
}
