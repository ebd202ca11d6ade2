import type { RequestShape, SecurityPolicy } from '@fairway/contract'
import { inBytes } from '../utf8.ts'
import { endpointAt, misfitIn, missing } from './by-schema.ts'
import type { Field } from './fields.ts'
import { compileSchema } from './schema-in-force.ts'
import { isFile, isWithin, MOST_SEGMENTS } from './shape.ts'

/** What the schema makes of a sampled request; undefined where it is not about it. */
export type SchemaJudged = { reason: string; /** Of the field. */ name: string } | undefined

/** Holds forms of requests against a schema as the edge holds requests against it. An empty reason is none. */
export function schemaJudge(
  schema: SecurityPolicy['schema'],
): (method: string, shape: Omit<RequestShape, 'weight'>) => SchemaJudged {
  const compiled = inBytes(compileSchema({ ...schema, mode: 'block' }))
  return (method, shape) => {
    const { segments, fields, kind, size, isWhole } = inBytes(shape)
    const path = `/${segments.join('/')}`
    if (compiled.mode === 'off' || !isWithin(compiled.paths, path)) return undefined
    const { endpoint, otherMethod } =
      segments.length > MOST_SEGMENTS
        ? { endpoint: undefined, otherMethod: false }
        : endpointAt(compiled, segments, method, true)
    if (!endpoint) {
      if (method === 'GET' && isFile(path)) return undefined
      return { reason: otherMethod ? 'unknown-method' : 'unknown-endpoint', name: '' }
    }
    // As the edge reads them, by a schema that knows of their fields.
    const isRead = kind !== 'multipart' || endpoint.readsParts
    const of = (where: 'query' | 'body'): Field[] =>
      fields.filter((one) => one.where === where && (isRead || where === 'query'))
    const misfit =
      misfitIn(endpoint, 'query', { fields: of('query'), problem: '' }, true) ??
      (size > endpoint.maxBytes ? { reason: 'too-large', name: '' } : undefined) ??
      (endpoint.kinds[`=${kind}`] === true ? undefined : { reason: 'wrong-content-type', name: 'content-type' }) ??
      misfitIn(
        endpoint,
        'body',
        { fields: of('body'), problem: isWhole || kind === 'multipart' ? '' : 'too-complex' },
        kind !== 'json',
      ) ??
      missing(endpoint, of('query'), isWhole ? of('body') : undefined)
    return misfit ? { reason: misfit.reason, name: misfit.name } : { reason: '', name: '' }
  }
}
