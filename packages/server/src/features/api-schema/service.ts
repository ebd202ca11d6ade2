import { requestShapes, type SampledShape } from '@fairway/analytics'
import {
  type ApiEndpoint,
  type ApiSchemaEffect,
  apiSchema,
  LIMITS,
  type SchemaContent,
  type SchemaEndpoint,
} from '@fairway/contract'
import {
  endpointRows,
  frozen,
  type LearnedEndpoint,
  learnedEndpoints,
  openApiOf,
  schemaEndpoint,
  schemaJudge,
  sorted,
} from '@fairway/domain'
import { askStore } from '../../http/ask-store.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { recordedRow } from '../versions/recorded-row.ts'
import { type DomainSchema, learnedOf, schemaOf, setSchema } from './store.ts'

const DAY_MS = 86_400_000
const PAGE = 5_000
/** Of the samples of a day. */
const MOST_SHAPES = 50_000
const EXAMPLES = 20

const ORDER: Record<string, (a: ApiEndpoint, b: ApiEndpoint) => number> = {
  path: (a, b) => compare(a.path, b.path) || compare(a.method, b.method),
  method: (a, b) => compare(a.method, b.method) || compare(a.path, b.path),
  state: (a, b) => compare(a.state, b.state) || compare(a.path, b.path),
  seen: (a, b) => a.seen - b.seen || compare(a.path, b.path),
  firstAt: (a, b) => compare(a.firstAt ?? '', b.firstAt ?? '') || compare(a.path, b.path),
  lastAt: (a, b) => compare(a.lastAt ?? '', b.lastAt ?? '') || compare(a.path, b.path),
}
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const apiSchemaSlice = slice(apiSchema, {
  async get({ tx, domain }) {
    const { learning, paths, mode, endpoints, since } = await schemaOf(tx, domain.id)
    const { learned, relearned } = await learnedOf(tx, domain.id)
    return {
      learning,
      paths,
      mode,
      inForce: endpoints && since ? { endpoints: endpoints.length, since: since.toISOString() } : null,
      learned:
        learned === null || learned.seen === 0
          ? null
          : {
              requests: learned.seen,
              since: new Date(learned.since).toISOString(),
              until: new Date(learned.until).toISOString(),
              endpoints: learnedEndpoints(learned).filter(({ isKnown }) => isKnown).length,
            },
      relearned,
    }
  },

  async update(context, wanted) {
    const was = await schemaOf(context.tx, context.domain.id)
    const settings = {
      learning: wanted.learning ?? was.learning,
      paths: wanted.paths ?? was.paths,
      mode: wanted.mode ?? was.mode,
    }
    // Without a schema everything would be unknown.
    if (settings.mode !== 'off' && (was.endpoints ?? []).length === 0) throw new Failure(26920)
    const version = await save(context, { ...was, ...settings }, `Change the API schema of ${context.domain.name}`)
    return { data: settings, meta: { version } }
  },

  async endpoints(context, query) {
    const order = orderOf(query.ordering)
    const { rows } = await known(context)
    const search = (query.search ?? '').trim().toLowerCase()
    const found = rows
      .filter(
        ({ state, method, path }) =>
          (query.state === undefined || state === query.state) &&
          (query.method === undefined || method === query.method) &&
          (search === '' || `${method} ${path}`.toLowerCase().includes(search)),
      )
      .toSorted(order)
    const { limit, offset, meta } = pageOf(query)
    return { data: found.slice(offset, limit === null ? undefined : offset + limit), meta: meta(found.length) }
  },

  async endpoint(context, { id }) {
    const { rows, seen, schema } = await known(context)
    const row = rows.find((one) => one.id === id)
    if (!row) throw new Failure(404)
    const held = schema.endpoints?.find((one) => one.id === id)
    return {
      ...row,
      learned: seen.find((one) => one.id === id)?.content ?? null,
      inForce: held ? contentOf(held) : null,
    }
  },

  async accept(context, { id }) {
    const { seen, schema } = await known(context)
    const found = seen.find((one) => one.id === id)
    if (!found) throw new Failure(404)
    const endpoint = schemaEndpoint(found)
    const version = await put(context, schema, endpoint, `Take ${nameOf(endpoint)} into the API schema`)
    return { data: endpoint, meta: { version } }
  },

  async ignore(context, { id, ignored }) {
    const { rows, schema } = await known(context)
    const row = rows.find((one) => one.id === id)
    if (!row) throw new Failure(404)
    const others = schema.ignored.filter((one) => one !== id)
    const endpoints = ignored ? without(schema.endpoints, id) : schema.endpoints
    // What is ignored is remembered for as long as there is room.
    const next: DomainSchema = {
      ...schema,
      endpoints,
      ignored: ignored ? [...others, id].slice(-LIMITS.apiSchema.endpoints) : others,
      mode: endpoints === null || endpoints.length === 0 ? 'off' : schema.mode,
    }
    const title = ignored ? `Leave ${nameOf(row)} out of the API schema` : `Look at ${nameOf(row)} again`
    return { data: { id, ignored }, meta: { version: await save(context, next, title) } }
  },

  async edit(context, { id, kinds, maxBytes, open, parameters }) {
    const { seen, schema } = await known(context)
    const held = schema.endpoints?.find((one) => one.id === id)
    const found = held ?? seen.find((one) => one.id === id)
    if (!found) throw new Failure(404)
    refuseOtherPath(found.path, parameters)
    const { method, path } = found
    const endpoint: SchemaEndpoint = { id, method, path, edited: true, kinds, maxBytes, open, parameters }
    const version = await put(context, schema, endpoint, `Change ${nameOf(endpoint)} of the API schema`)
    return { data: endpoint, meta: { version } }
  },

  async freeze(context) {
    const { seen, schema } = await known(context)
    const endpoints = frozen(schema.endpoints ?? [], seen, schema.ignored)
    if (endpoints.length === 0) throw new Failure(26920)
    const version = await save(
      context,
      { ...schema, endpoints, since: context.now },
      `Put the learned API schema of ${context.domain.name} in force`,
    )
    return { data: { endpoints: endpoints.length }, meta: { version } }
  },

  async effect(context) {
    const schema = await schemaOf(context.tx, context.domain.id)
    if (!schema.endpoints || schema.endpoints.length === 0) throw new Failure(26920)
    return effectOf(context, { ...schema, endpoints: schema.endpoints })
  },

  async openApi(context, { of }) {
    const { seen, schema } = await known(context)
    const endpoints =
      of === 'in-force'
        ? (schema.endpoints ?? [])
        : seen.filter(({ id, isKnown }) => isKnown && !schema.ignored.includes(id)).map(schemaEndpoint)
    if (endpoints.length === 0) throw new Failure(26920)
    return openApiOf(context.domain.name, endpoints, `${context.site.version}`)
  },
})

/** What was decided, what was learned, and both side by side. */
async function known({ tx, domain, now }: Context): Promise<{
  schema: DomainSchema
  seen: LearnedEndpoint[]
  rows: ApiEndpoint[]
}> {
  const schema = await schemaOf(tx, domain.id)
  const { learned } = await learnedOf(tx, domain.id)
  const seen = learned ? learnedEndpoints(learned) : []
  return { schema, seen, rows: endpointRows(schema.endpoints ?? [], seen, schema.ignored, now.getTime()) }
}

const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`.slice(0, 120)
const without = (endpoints: SchemaEndpoint[] | null, id: string) => endpoints?.filter((one) => one.id !== id) ?? null
const contentOf = ({ kinds, maxBytes, open, parameters }: SchemaEndpoint): SchemaContent => ({
  kinds,
  maxBytes,
  open,
  parameters,
})

/** Puts an endpoint in force, in the place of the one that is there. What was left out before is not any more. */
async function put(context: Context, schema: DomainSchema, endpoint: SchemaEndpoint, title: string) {
  return save(
    context,
    {
      ...schema,
      endpoints: sorted([...(without(schema.endpoints, endpoint.id) ?? []), endpoint]),
      since: context.now,
      ignored: schema.ignored.filter((one) => one !== endpoint.id),
    },
    title,
  )
}

/** What stands in the path is the endpoint itself: its types may change, its names may not. */
function refuseOtherPath(path: string, parameters: SchemaContent['parameters']): void {
  const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
  const said = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
  if (named.length !== said.length || named.some((name) => !said.includes(name ?? '')))
    throw new Failure(400, { fields: [{ path: 'parameters', message: 'validation.pathParameters' }] })
}

/** Null when nothing was changed. @throws Failure 26921 for a schema that nodes should not have to hold */
async function save(context: Context, next: DomainSchema, title: string): Promise<number | null> {
  const { tx, actor, site, domain, change } = context
  const was = await schemaOf(tx, domain.id)
  if (JSON.stringify({ ...was, since: null }) === JSON.stringify({ ...next, since: null })) return null
  const isTooMany = (next.endpoints?.length ?? 0) > LIMITS.apiSchema.endpoints
  if (isTooMany || JSON.stringify(next.endpoints).length > LIMITS.apiSchema.size) throw new Failure(26921)
  const before = (await recordedRow(tx, 'api_schema', site.id, domain.id)) ?? null
  await setSchema(tx, { organizationId: actor.organizationId, siteId: site.id, domainId: domain.id }, next)
  change.title = title
  change.record({
    entity: 'api-schema',
    id: domain.id,
    label: domain.name,
    before,
    after: (await recordedRow(tx, 'api_schema', site.id, domain.id)) ?? null,
  })
  return change.version()
}

/** What the schema makes of the samples of the last day. */
async function effectOf(
  { services, actor, site, domain, now }: Context,
  { learning, paths, endpoints }: DomainSchema & { endpoints: SchemaEndpoint[] },
): Promise<ApiSchemaEffect> {
  const judge = schemaJudge({ learning, paths, mode: 'block', endpoints })
  const reasons = new Map<string, number>()
  const examples = new Map<string, ApiSchemaEffect['examples'][number]>()
  let [requests, misfits, from] = [0, 0, null as number | null]
  const take = ({ at, method, shape, weight }: SampledShape) => {
    const judged = judge(method === 'HEAD' ? 'GET' : method, shape)
    if (!judged) return
    from ??= at
    requests += weight
    if (judged.reason === '') return
    misfits += weight
    reasons.set(judged.reason, (reasons.get(judged.reason) ?? 0) + weight)
    const path = `/${shape.segments.join('/')}`
    const key = JSON.stringify([method, path, judged.reason, judged.name])
    const known = examples.get(key)
    if (known) known.requests += weight
    else if (examples.size < 1000) examples.set(key, { method, path, ...judged, requests: weight })
  }
  const run = async () => {
    const place = { organizationId: actor.organizationId, siteId: site.id, domainId: domain.id }
    let after = { at: now.getTime() - DAY_MS, id: '' }
    for (let read = 0; read < MOST_SHAPES; read += PAGE) {
      const shapes = await requestShapes(services.events, { ...place, after, until: now.getTime(), most: PAGE })
      for (const one of shapes) take(one)
      const last = shapes.at(-1)
      if (!last || shapes.length < PAGE) return
      after = { at: last.at, id: last.id }
      // Others are served meanwhile.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await askStore(run())
  const most = (a: { requests: number }, b: { requests: number }) => b.requests - a.requests
  return {
    requests,
    misfits,
    from: from === null ? null : new Date(from).toISOString(),
    reasons: [...reasons].map(([reason, count]) => ({ reason, requests: count })).toSorted(most),
    examples: [...examples.values()].toSorted(most).slice(0, EXAMPLES),
  }
}

function orderOf(ordering: string): (a: ApiEndpoint, b: ApiEndpoint) => number {
  const name = ordering.replace(/^-/, '')
  const order = Object.hasOwn(ORDER, name) ? ORDER[name] : undefined
  if (!order) throw new Failure(400, { fields: [{ path: 'ordering', message: 'validation.ordering' }] })
  return ordering.startsWith('-') ? (a, b) => order(b, a) : order
}
