import { EdgeRequest } from '@fairway/contract'
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
})

/** Reads one line of nginx's request log; null when it is damaged, as the last one after a crash may be. */
export function readLogLine(text: string): EdgeRequest | null {
  const line = Line.safeParse(parseJson(text))
  if (!line.success) return null
  const { at, cdnId, owner, host, method, path, status, bytes, seconds, cacheStatus, ...rest } = line.data
  const [organizationId, siteId, domainId] = owner.split(' ')
  const request = EdgeRequest.safeParse({
    ...rest,
    organizationId,
    siteId,
    domainId,
    at: Math.round(at * 1000),
    cdnId: cdnId || null,
    host: host.slice(0, 253),
    method: method.slice(0, 32),
    path: path.slice(0, 512),
    status,
    bytes,
    ms: Math.round(seconds * 1000),
    cacheStatus: cacheStatus || 'BYPASS',
  })
  return request.success ? request.data : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
