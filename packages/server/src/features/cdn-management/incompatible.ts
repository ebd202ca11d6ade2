import type { Compatibility } from '@fairway/domain'
import { Failure } from '../../http/failure.ts'

/** The refusal of a CDN that a domain's settings stand against, each of them named by its path. */
export function incompatible(
  cdnName: string,
  problem: NonNullable<Compatibility['problem']>,
  against: readonly string[],
): Failure {
  return new Failure(problem, {
    internal: `${cdnName} cannot deliver ${against.join(', ')}`,
    fields: against.map((path) => ({ path, message: 'validation.cdnCannot' })),
  })
}
