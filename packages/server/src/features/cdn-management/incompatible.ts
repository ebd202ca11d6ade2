import { type Compatibility, SETTING_OF } from '@fairway/domain'
import { Failure } from '../../http/failure.ts'

/** The refusal of a CDN that a domain's settings stand against, each of them named by its path. */
export function incompatible(cdnName: string, { problem, unsupported }: Compatibility): Failure | null {
  if (problem === null) return null
  // How long is cached keeps no CDN from being used.
  const against = unsupported.filter((capability) =>
    problem === 27024 ? capability === 'wildcard' : capability !== 'cacheTtl',
  )
  return new Failure(problem, {
    internal: `${cdnName} does not support ${unsupported.join(', ')}`,
    fields: against.map((capability) => ({
      path: SETTING_OF[capability] ?? capability,
      message: 'validation.cdnCannot',
    })),
  })
}
