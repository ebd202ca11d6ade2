import { Pass } from './level-sum.ts'
import type { Source } from './measurement-window.ts'

/**
 * What was worked out for an organisation's last snapshot. Most of the window is the same two seconds later: only
 * places where somebody was heard anew, fell out of it, or failed, cost something again.
 */
export class KnownSums {
  readonly #cdns = new Map<string, Map<Source | 'wide', KnownPasses>>()

  of(cdnId: string, source: Source | 'wide'): KnownPasses {
    const sources = this.#cdns.get(cdnId) ?? new Map<Source | 'wide', KnownPasses>()
    this.#cdns.set(cdnId, sources)
    const passes = sources.get(source) ?? new KnownPasses()
    sources.set(source, passes)
    return passes
  }

  /** Nobody has said anything of it for as long as the window is. */
  forget(cdnId: string, source: Source | 'wide'): void {
    this.#cdns.get(cdnId)?.delete(source)
  }

  keepOnly(cdnIds: ReadonlySet<string>): void {
    for (const cdnId of this.#cdns.keys()) if (!cdnIds.has(cdnId)) this.#cdns.delete(cdnId)
  }
}

/** Of one CDN and source: a pass for each window. */
export class KnownPasses {
  readonly #passes = new Map<'whole' | 'short', { buckets: string | number; pass: Pass }>()

  /** @param buckets names those that count; null when they are others each time */
  pass(window: 'whole' | 'short', buckets: string | number | null, make: () => Pass): Pass {
    const known = this.#passes.get(window)
    if (known && known.buckets === buckets) return known.pass
    const pass = make()
    if (buckets === null) this.#passes.delete(window)
    else this.#passes.set(window, { buckets, pass })
    return pass
  }
}
