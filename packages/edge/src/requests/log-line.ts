import { EdgeRequest, RecordedRequest, RequestShape } from '@fairway/contract'
import { readCmcd } from '@fairway/domain'
import { z } from 'zod'

const Line = z.object({
  at: z.coerce.number(),
  id: z.string().default(''),
  cdnId: z.string(),
  owner: z.string(),
  host: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.coerce.number(),
  bytes: z.coerce.number(),
  seconds: z.coerce.number(),
  cacheStatus: z.string(),
  why: z.string().default(''),
  client: z.string(),
  rttUs: z.coerce.number().catch(0).default(0),
  threat: z.string().default(''),
  cmcd: z.string().default(''),
})

/** What web security wrote of it, in a text of its own so that other requests pay nothing for it. */
const Told = z.object({
  threat: z.lazy(() => Threat).optional(),
  seen: RecordedRequest.optional().catch(undefined),
  shape: z
    .lazy(() => Shape)
    .optional()
    .catch(undefined),
})
/** A list without anything in it is not written. */
const Shape = RequestShape.extend({
  segments: RequestShape.shape.segments.default([]),
  fields: RequestShape.shape.fields.default([]),
})
const Threat = z.object({
  part: z.string(),
  action: z.string(),
  ruleId: z.string(),
  reason: z.string(),
  address: z.string(),
  query: z.string(),
  agent: z.string(),
  matched: z.object({ field: z.string(), name: z.string(), text: z.string() }).nullish(),
  weight: z.number(),
  /** Requests that the line stands for. */ lines: z.number(),
})

/** Reads one line of nginx's request log; null when it is damaged, as the last one after a crash may be. */
export function readLogLine(text: string): EdgeRequest | null {
  const line = Line.safeParse(parseJson(text))
  if (!line.success) return null
  const { at, cdnId, owner, host, method, path, status, bytes, seconds, cacheStatus, threat, cmcd, rttUs, ...rest } =
    line.data
  const { threat: told, seen, shape } = Told.safeParse(parseJson(threat)).data ?? {}
  const [organizationId, siteId, domainId] = owner.split(' ')
  const request = EdgeRequest.safeParse({
    ...rest,
    organizationId,
    siteId,
    domainId,
    at: Math.round(at * 1000),
    cdnId: cdnId || null,
    host: cut(host, 253),
    method: cut(method, 32),
    path: cut(path, 512),
    status,
    bytes,
    ms: Math.round(seconds * 1000),
    rttMs: rttUs > 0 ? rttUs / 1000 : null,
    cacheStatus: cacheStatus || 'BYPASS',
    threat: told === undefined ? null : threatOf(told),
    recorded: seen ?? null,
    shape: shape ?? null,
    cmcd: cmcdOf(cmcd),
    weight: told?.lines ?? 1,
  })
  return request.success ? request.data : null
}

/** As it was sent: escaped in a query, plain in headers. */
function cmcdOf(said: string): EdgeRequest['cmcd'] {
  if (said.startsWith('header ')) return readCmcd(said.slice(7))
  if (!said.startsWith('query ')) return null
  try {
    return readCmcd(decodeURIComponent(said.slice(6)))
  } catch {
    return null
  }
}

/** The first so many bytes of a text, without half a character at its end. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes))
  return text.slice(0, read)
}

// Bytes that are no UTF-8 have become longer on the way.
function threatOf({ part, action, ruleId, reason, address, query, agent, matched, weight }: z.infer<typeof Threat>) {
  return {
    part,
    action,
    ruleId: ruleId.slice(0, 64),
    reason: reason.slice(0, 64),
    address: address.slice(0, 45),
    query: cut(query, 1000),
    agent: cut(agent, 300),
    matched: matched
      ? { field: matched.field.slice(0, 64), name: cut(matched.name, 100), text: cut(matched.text, 200) }
      : null,
    weight,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
