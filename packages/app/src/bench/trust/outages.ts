import type { TrustWorld } from './trust-world.ts'

/** Times from the fault, and from its end; infinite when it did not happen within the run. `counts`: /24s back, by round. */
export type Outage = { goneMs: number; firstBackMs: number; allBackMs: number; counts: number[] }

/** Polaris is dead for everybody, probes included, for so many seconds, and is then watched for 70 more. */
export function outageOf(world: TrustWorld, seconds: number): Outage {
  const outage: Outage = { goneMs: Infinity, firstBackMs: Infinity, allBackMs: Infinity, counts: [] }
  world.outcome = (_, cdn) => cdn !== 'polaris'
  world.alive = (cdn) => cdn !== 'polaris'
  let began = world.now
  world.run(seconds, () => {
    if (outage.goneMs === Infinity && world.movedOff('polaris').length === world.visitors.length)
      outage.goneMs = world.now - began
  })
  world.outcome = world.alive = () => true
  began = world.now
  world.run(70, () => {
    const back = world.visitors.length - world.movedOff('polaris').length
    outage.counts.push(back)
    if (back > 0) outage.firstBackMs = Math.min(outage.firstBackMs, world.now - began)
    if (back === world.visitors.length) outage.allBackMs = Math.min(outage.allBackMs, world.now - began)
  })
  return outage
}

/**
 * Every other visit of one country fails, which no probe sees, for a minute: how long until nine of ten of its /24s are
 * sent elsewhere, and how many of other countries ever are.
 */
export function outageOfCountry(world: TrustWorld, country: string): { actedMs: number; elsewhere: number } {
  const own = world.visitors.filter((visitors) => visitors.country === country).length
  world.outcome = (visitors, cdn) =>
    cdn !== 'polaris' || visitors.country !== country || (visitors.subnet + world.now / 2000) % 2 < 1
  const outage = { actedMs: Infinity, elsewhere: 0 }
  const began = world.now
  world.run(60, () => {
    const moved = world.movedOff('polaris')
    const inside = moved.filter((visitors) => visitors.country === country).length
    if (inside >= own * 0.9) outage.actedMs = Math.min(outage.actedMs, world.now - began)
    outage.elsewhere = Math.max(outage.elsewhere, moved.length - inside)
  })
  world.outcome = () => true
  return outage
}
