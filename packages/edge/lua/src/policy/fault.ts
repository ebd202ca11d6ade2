import type { CdnDocument } from './documents.ts'

/** What a simulated CDN does to one request. */
export type FaultAction = { act: 'serve' | 'close' | 'refuse'; delayMs: number }

/** `dice` is uniform in [0, 100). */
export function faultOf(cdn: CdnDocument, dice: number): FaultAction {
  if (cdn.mode === 'down') return { act: 'close', delayMs: 0 }
  if (cdn.mode === 'slow') return { act: 'serve', delayMs: cdn.addMs }
  if (cdn.mode === 'errors' && dice < cdn.percent) return { act: 'refuse', delayMs: 0 }
  return { act: 'serve', delayMs: 0 }
}
