import { EVERY_CDN } from '@fairway/contract/lean'

type Target = { cdnId: string; weight: number }

/** Targets by their CDNs: in the place of `*` every CDN of the domain that is not named beside it, with its weight. */
export function namedTargets(targets: readonly Target[], cdns: readonly { cdnId: string }[]): readonly Target[] {
  if (!targets.some(({ cdnId }) => cdnId === EVERY_CDN)) return targets
  const named = new Set(targets.map(({ cdnId }) => cdnId))
  return targets.flatMap((target) =>
    target.cdnId === EVERY_CDN
      ? cdns.filter(({ cdnId }) => !named.has(cdnId)).map(({ cdnId }) => ({ ...target, cdnId }))
      : [target],
  )
}
