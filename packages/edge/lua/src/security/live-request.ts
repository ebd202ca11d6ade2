import { type Ask, cookiesOf, ofTarget, pathOf, textsOf } from '@fairway/domain/web-security'
import { contentField, sizeSaid, sizeSent } from './content.ts'
import { type Place, placeOf } from './place.ts'

const SAID: Record<string, string | undefined> = {
  address: 'remote_addr',
  host: 'host',
  method: 'request_method',
  scheme: 'scheme',
  target: 'request_uri',
  protocol: 'fw_protocol',
  'request-id': 'fw_incident',
}

/** What a request on trial is taken for: one of an address that is nobody's (RFC 5737), over TLS. */
const ON_TRIAL: Record<string, string | undefined> = { address: '192.0.2.1', scheme: 'https', 'tls-version': '1.3' }

/** What was found out of a request so far: rules ask for the same again and again. */
type Live = {
  onTrial: boolean
  headers: Record<string, string | string[] | boolean> | undefined
  place: Place | undefined
  known: Record<string, string | undefined>
}

// One for all requests of a worker, which are asked one after the other: a function of its own for each would keep
// LuaJIT from compiling what asks. Whoever waits meanwhile comes back to its own.
let live = newLive(false)

function newLive(onTrial: boolean): Live {
  return { onTrial, headers: undefined, place: undefined, known: {} }
}

/** Asks the request that nginx has before it. What costs something is found out when it is first asked for. */
export function liveRequest(onTrial = false): Ask {
  live = newLive(onTrial)
  return askLive
}

/** For who lets other requests go first, as everything does that waits. */
export function presentRequest(): Live {
  return live
}

export function backTo(own: Live): void {
  live = own
}

function askLive(field: string, name: string): string | string[] | undefined {
  const { known, onTrial } = live
  const before = known[field]
  if (before !== undefined) return before
  const instead = onTrial ? ON_TRIAL[field] : undefined
  if (instead !== undefined) return instead
  const variable = SAID[field]
  if (variable !== undefined) {
    const said = ngx.var[variable]
    known[field] = said
    return said
  }
  if (field === 'user-agent' || field === 'referer') {
    const said = header(field)
    if (typeof said === 'string') known[field] = said
    return said
  }
  if (field === 'path' || field === 'query' || field === 'query-parameter' || field === 'extension') {
    const target = known['target'] ?? ngx.var.request_uri ?? '/'
    if (field !== 'path') return ofTarget(target, field, name)
    const said = pathOf(target)
    known[field] = said
    return said
  }
  if (field === 'header') return header(name)
  if (field === 'form' || field === 'json') return content(field, name)
  if (field === 'cookie') return cookiesOf(textsOf(header('cookie')), name)
  // `TLSv1.3`
  if (field === 'tls-version') {
    const said = ngx.var.ssl_protocol
    return said === undefined ? undefined : said.slice(4)
  }
  if (field === 'body-size') return bodySize()
  return placed(field)
}

function header(name: string): string | string[] | undefined {
  if (live.headers === undefined) live.headers = ngx.req.get_headers(0, false)
  const said = live.headers[name]
  return typeof said === 'boolean' ? '' : said
}

function bodySize(): string {
  const said = sizeSaid()
  if (said !== undefined) return said
  const own = live
  const sent = sizeSent()
  live = own
  live.known['body-size'] = sent
  return sent
}

function content(field: 'form' | 'json', name: string): string[] {
  const own = live
  const said = contentField(field, name)
  live = own
  return said
}

function placed(field: string): string | string[] | undefined {
  if (live.place === undefined) live.place = placeOf((live.onTrial ? ON_TRIAL['address'] : ngx.var.remote_addr) ?? '')
  if (field === 'network') return live.place.networks
  const said = live.place.names[field]
  return said === '' ? undefined : said
}
