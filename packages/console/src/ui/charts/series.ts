import type { CSSProperties } from 'react'

/** A figure that is no CDN's is drawn in the brand's colour. */
export const NO_CDN = 0

/** The last series colour stands for "Other": everything beyond the sixth CDN. */
const OTHER = 6

/**
 * The token of a series colour, 1–6, or of `NO_CDN`; anything else is "Other". A CDN keeps its series, and so its colour, everywhere.
 */
export function seriesColor(series: number): string {
  if (series === NO_CDN) return 'var(--c-brand-text)'
  return `var(--c-s${seriesOf(series)})`
}

export function seriesOf(series: number): number {
  return Number.isInteger(series) && series >= 1 && series <= OTHER ? series : OTHER
}

/** Custom properties for a style sheet: data picks the token, the style sheet decides what it paints. */
export function cssProperties(values: Record<`--${string}`, string | number>): CSSProperties {
  return values as CSSProperties
}

/** Style with `--series` set to the colour of a series. */
export function seriesStyle(series: number): CSSProperties {
  return cssProperties({ '--series': seriesColor(series) })
}
