import http from 'node:http'
import { EDGE_PATHS } from '@fairway/contract'

/** How one real fetch of a CDN's test object went just now. */
export type Outcome = { ok: boolean; ms: number }
export type Sampled = { cdnId: string; address: string; port: number; host: string }

const EVERY_MS = 250
const REMEMBERED_MS = 2500
const TIMEOUT_MS = 5000

/**
 * Fetches every CDN's test object from its real listener a few times a second. What visitors report is this on top of
 * their distance,
 * so a fault put into a CDN shows in their figures as it really is.
 */
export class CdnSampler implements Disposable {
  #agent = new http.Agent({ keepAlive: true, maxSockets: 16 })
  #recent = new Map<string, { at: number; outcome: Outcome }[]>()
  #targets: readonly Sampled[] = []
  #timer = setInterval(() => {
    for (const target of this.#targets) void this.#sample(target)
  }, EVERY_MS)

  watch(targets: readonly Sampled[]): void {
    this.#targets = targets
  }

  /** One of the fetches of the last moments, drawn at random; null before the first has ended. */
  draw(cdnId: string, random: () => number): Outcome | null {
    const recent = this.#recent.get(cdnId) ?? []
    return recent[Math.floor(random() * recent.length)]?.outcome ?? null
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#agent.destroy()
  }

  async #sample(target: Sampled): Promise<void> {
    const outcome = await fetchOnce(this.#agent, target)
    const now = performance.now()
    const kept = (this.#recent.get(target.cdnId) ?? []).filter(({ at }) => now - at < REMEMBERED_MS)
    this.#recent.set(target.cdnId, [...kept, { at: now, outcome }])
  }
}

function fetchOnce(agent: http.Agent, { address, port, host }: Sampled): Promise<Outcome> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const finish = (ok: boolean) => resolve({ ok, ms: performance.now() - startedAt })
    const request = http.get(
      { agent, host: address, port, path: EDGE_PATHS.test, headers: { host }, timeout: TIMEOUT_MS },
      (response) => {
        const ok = (response.statusCode ?? 500) < 400
        response
          .on('end', () => finish(ok))
          .on('error', () => finish(false))
          .resume()
      },
    )
    request.on('timeout', () => request.destroy()).on('error', () => finish(false))
  })
}
