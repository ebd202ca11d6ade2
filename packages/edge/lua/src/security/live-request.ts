import { type Ask, cookiesOf, ofTarget } from '@fairway/domain/web-security'
import { contentField } from './content.ts'
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

/** Asks the request that nginx has before it. What costs something is found out when it is first asked for. */
export function liveRequest(onTrial = false): Ask {
  let headers: Record<string, string | string[] | boolean> | undefined
  let place: Place | undefined
  const header = (name: string): string[] => {
    if (headers === undefined) headers = ngx.req.get_headers(0, false)
    const said = headers[name]
    if (said === undefined) return []
    if (typeof said === 'string') return [said]
    return typeof said === 'boolean' ? [''] : said
  }
  return (field, name) => {
    const instead = onTrial ? ON_TRIAL[field] : undefined
    if (instead !== undefined) return instead
    const variable = SAID[field]
    if (variable !== undefined) return ngx.var[variable]
    if (field === 'header') return header(name)
    if (field === 'form' || field === 'json') return contentField(field, name)
    if (field === 'user-agent' || field === 'referer') return header(field)
    if (field === 'cookie') return cookiesOf(header('cookie'), name)
    // `TLSv1.3`
    if (field === 'tls-version') {
      const said = ngx.var.ssl_protocol
      return said === undefined ? undefined : said.slice(4)
    }
    if (field === 'body-size')
      return ngx.var.http_transfer_encoding === undefined ? (ngx.var.http_content_length ?? '0') : undefined
    if (field === 'path' || field === 'query' || field === 'query-parameter' || field === 'extension')
      return ofTarget(ngx.var.request_uri ?? '/', field, name)
    if (place === undefined) place = placeOf((onTrial ? ON_TRIAL['address'] : ngx.var.remote_addr) ?? '')
    if (field === 'network') return place.networks
    const known = place.names[field]
    return known === '' ? undefined : known
  }
}
