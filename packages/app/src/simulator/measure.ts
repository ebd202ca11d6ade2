import type { BeaconSample } from '@fairway/contract'
import type { z } from 'zod'
import type { Outcome } from './cdn-sampler.ts'
import type { Person } from './crowd.ts'
import { failurePercent, networkFactor, scattered, typicalRttMs } from './latency-model.ts'

/**
 * What a person's browser would report of one CDN: the way to it by the model, plus what a real fetch of it shows now.
 */
export function measured(
  person: Person,
  cdnId: string,
  outcome: Outcome,
  random: () => number,
): z.infer<typeof BeaconSample> {
  if (!outcome.ok || random() * 100 < failurePercent(person.country, cdnId)) return { c: cdnId, ok: 0 }
  const wayMs = scattered(typicalRttMs(person.country, cdnId) * networkFactor(person.network, cdnId), random)
  const tenths = (value: number) => Math.max(0.1, Math.round(value * 10) / 10)
  return {
    c: cdnId,
    ok: 1,
    r: tenths(wayMs + outcome.ms),
    w: tenths(wayMs * 0.92),
    t: tenths(wayMs * 0.9),
    // A long way fills slowly; the larger object is fetched by one in twenty.
    ...(random() < 0.05 ? { m: tenths(scattered(4_000 / (wayMs + 15), random)) } : {}),
  }
}
