import type { StrategyInput } from '@fairway/contract'
import { CHINA_NETWORKS, EVERY_CDN } from '@fairway/contract/lean'
import { isInside } from './parse-place.ts'

/** What is wrong with a strategy; `path` is where in it. `code` is the error that saving answers. */
export type StrategyProblem = {
  path: string
  message:
    | 'validation.duplicateValue'
    | 'validation.notInstalled'
    | 'validation.positiveWeight'
    | 'validation.noSourceLeft'
    | 'validation.networkOutsideChina'
  code: 400 | 810011 | 810012
}

/** Whether a strategy could be saved for a domain with these CDNs: the first problem, or null. */
export function strategyProblem(rule: StrategyInput, installed: ReadonlySet<string>): StrategyProblem | null {
  return targetProblem(rule, installed) ?? neverDecides(rule)
}

/** What is wrong with its targets alone. */
export function targetProblem(
  { method, targets }: Pick<StrategyInput, 'method' | 'targets'>,
  installed: ReadonlySet<string>,
): StrategyProblem | null {
  const ids = targets.map((target) => target.cdnId)
  if (new Set(ids).size < ids.length) return { path: 'targets', message: 'validation.duplicateValue', code: 400 }
  const missing = ids.findIndex((id) => id !== EVERY_CDN && !installed.has(id))
  if (missing >= 0) return { path: `targets.${missing}.cdnId`, message: 'validation.notInstalled', code: 810011 }
  return method === 'weighted-distribution' && !targets.some((target) => target.weight > 0)
    ? { path: 'targets', message: 'validation.positiveWeight', code: 810012 }
    : null
}

const MEASURED_METHODS: ReadonlySet<StrategyInput['method']> = new Set([
  'best-latency',
  'best-availability',
  'regional-latency',
])
const groups: ReadonlySet<string> = new Set(CHINA_NETWORKS)

/** Why no visitor could ever be decided by it, whatever is measured. */
function neverDecides({
  method,
  filter,
  omitRum,
  omitSum,
  availabilityThreshold,
  whenNoData = 'pass',
}: StrategyInput): StrategyProblem | null {
  const asksFigures = MEASURED_METHODS.has(method) || (method !== 'always-use' && availabilityThreshold !== null)
  if (omitRum && omitSum && asksFigures && whenNoData === 'pass')
    return { path: 'omitSum', message: 'validation.noSourceLeft', code: 400 }
  const { places, networks } = filter
  const reachesChina = places.some((place) => isInside('country:CN', place) || isInside(place, 'country:CN'))
  return networks.length > 0 && networks.every((network) => groups.has(network)) && places.length > 0 && !reachesChina
    ? { path: 'filter.networks', message: 'validation.networkOutsideChina', code: 400 }
    : null
}
