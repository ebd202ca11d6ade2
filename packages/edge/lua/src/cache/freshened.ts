import * as json from 'cjson.safe'
import { isSet, setFlag } from '../policy/held.ts'

/** Of the answer itself, not of what it describes: a 304 says nothing about them (RFC 9111 section 3.2). */
const KEPT: Record<string, boolean> = {
  'content-length': true,
  'content-encoding': true,
  'content-type': true,
  'content-range': true,
  'transfer-encoding': true,
  connection: true,
  'set-cookie': true,
  'x-fairway-id': true,
  server: true,
  'keep-alive': true,
}
/** Long enough for the answer to reach the cache in front. */
const HANDED_OVER_SECONDS = 30

/**
 * nginx goes on with the stored headers after a 304. What the 304 said is handed from the server behind the cache to
 * the one before it, by the request's id,
 * and remembered for the stored object, by the object's id, until that is replaced (RFC 9111 4.3.4).
 */
export function handOver(requestId: string): void {
  const headers: Record<string, string | string[]> = {}
  const all = ngx.resp.get_headers(100, true)
  for (const name in all) {
    const value = all[name]
    if (value !== undefined && KEPT[name.toLowerCase()] !== true) headers[name] = value
  }
  const text = json.encode(headers)
  if (text === undefined) return
  ngx.shared.freshened.set(`by:${requestId}`, text, HANDED_OVER_SECONDS)
  setFlag('freshened')
}

/**
 * What a 304 has said since the object was stored, by the headers' names; undefined when there was none. Not for
 * answers that just came. `requestId` is the variable that holds it.
 */
export function freshenedHeaders(
  cacheStatus: string,
  requestId: 'fw_incident' | 'http_x_fairway_request',
): Record<string, string | string[]> | undefined {
  // The flag of a request that has just seen a 304 may be older than that.
  if (cacheStatus !== 'REVALIDATED' && !isSet('freshened')) return undefined
  if (cacheStatus !== 'HIT' && cacheStatus !== 'STALE' && cacheStatus !== 'UPDATING' && cacheStatus !== 'REVALIDATED')
    return undefined
  const objectId = ngx.var.upstream_http_x_fairway_id
  if (objectId === undefined) return undefined
  if (cacheStatus === 'REVALIDATED') {
    const [said] = ngx.shared.freshened.get(`by:${ngx.var[requestId] ?? ''}`)
    if (said !== undefined) ngx.shared.freshened.set(`of:${objectId}`, said)
  }
  const [text] = ngx.shared.freshened.get(`of:${objectId}`)
  return text === undefined ? undefined : (json.decode(text) as Record<string, string | string[]> | undefined)
}
