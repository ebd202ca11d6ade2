import { z } from 'zod'

export const RANGES = ['60m', '6h', '12h', '24h', '3d', '7d', '14d', '30d'] as const
type Preset = (typeof RANGES)[number]

/** In the address: one of the presets, or `<from>-<to>` in epoch seconds. */
export const RangeSearch = z
  .union([z.enum(RANGES), z.string().regex(/^\d{9,11}-\d{9,11}$/)])
  .optional()
  .catch(undefined)

const SECONDS: Record<Preset, number> = {
  '60m': 3600,
  '6h': 21_600,
  '12h': 43_200,
  '24h': 86_400,
  '3d': 259_200,
  '7d': 604_800,
  '14d': 1_209_600,
  '30d': 2_592_000,
}
const LONGEST_SECONDS = 31 * 86_400

export const isPreset = (range: string): range is Preset => RANGES.some((preset) => preset === range)

/** What a chart's call needs: the window's length, and its end unless that is now. */
export function rangeInput(range: string): { seconds: number; until?: number } {
  if (isPreset(range)) return { seconds: SECONDS[range] }
  const [from = 0, to = 0] = range.split('-').map(Number)
  return { seconds: Math.min(LONGEST_SECONDS, Math.max(60, to - from)), until: to }
}

/** Writes a window, for example one that was dragged on a chart. Both in epoch seconds. */
export function customRange(from: number, to: number): string {
  return `${Math.floor(from)}-${Math.ceil(to)}`
}
