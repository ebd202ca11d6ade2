import { contrast, inkOn } from './ink.ts'
import { mixOklab } from './mix.ts'

/**
 * Contrast that text needs (WCAG 2.2, 1.4.3). A button is known by its text (1.4.11 asks no more), so its shape only
 * has to be there.
 */
const TEXT = 4.5
const SHAPE = 1.6

/**
 * The grounds of both schemes and how link text follows from the brand: the console's tokens, repeated so that the
 * server judges as the browser paints.
 */
const SCHEMES = {
  light: { surface: '#ffffff', canvas: '#f7f8fa', towards: '#000000', brand: 0.86 },
  dark: { surface: '#11141a', canvas: '#0b0d11', towards: '#ffffff', brand: 0.58 },
} as const

export type BrandContrast = {
  /** Black or white on the brand's colour. */
  ink: string
  onBrand: number
  /** Links on the page, by scheme. */
  light: number
  dark: number
  /** Buttons and marks against the page, in the scheme where they stand out less. */
  shape: number
  readable: boolean
}

/** How well a brand colour can be read wherever the console paints with it. */
export function brandContrast(color: string): BrandContrast {
  const ink = inkOn(color)
  const link = ({ surface, canvas, towards, brand }: (typeof SCHEMES)['light' | 'dark']) => {
    const text = mixOklab(color, towards, brand)
    return Math.min(contrast(text, surface), contrast(text, canvas))
  }
  const figures = {
    onBrand: contrast(color, ink),
    light: link(SCHEMES.light),
    dark: link(SCHEMES.dark),
    shape: Math.min(contrast(color, SCHEMES.light.surface), contrast(color, SCHEMES.dark.surface)),
  }
  return {
    ink,
    ...figures,
    readable: figures.onBrand >= TEXT && figures.light >= TEXT && figures.dark >= TEXT && figures.shape >= SHAPE,
  }
}

const STEPS = 50

/**
 * The colour itself when it can be read, else the nearest that can: darker or lighter, whichever is less of a change.
 */
export function nearestReadable(color: string): string {
  for (let step = 0; step <= STEPS; step++) {
    for (const towards of ['#000000', '#ffffff']) {
      const tried = mixOklab(color, towards, 1 - step / STEPS)
      if (brandContrast(tried).readable) return tried
    }
  }
  return '#3a5bff'
}
