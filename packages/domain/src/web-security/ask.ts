import { cookiesOf, extensionOf, parametersOf, pathOf, queryOf } from './target.ts'

/** What a request says of itself: a text, several when it says so, undefined when it says nothing. In bytes. */
export type Ask = (field: string, name: string) => string | string[] | undefined

/** A request as plain data, in bytes. Names of headers are in small letters; texts that are not known are empty. */
export type PlainRequest = {
  address: string
  continent: string
  country: string
  region: string
  city: string
  /** China's group and the autonomous system, as far as they are known. */ networks: string[]
  host: string
  method: string
  scheme: string
  /** Path and query as they were sent. */ target: string
  protocol: string
  /** Empty over plain HTTP. */ tlsVersion: string
  bodySize: number
  /** Where it was kept, its codings undone. */ body?: string
  /** How much of it that is; all of it where nothing is said. */ bodyState?: 'whole' | 'cut' | 'unread'
  headers: { name: string; value: string }[]
}

/** Asks a request that is there as data. */
export function askOf(request: PlainRequest): Ask {
  const said: Record<string, string> = {
    address: request.address,
    continent: request.continent,
    country: request.country,
    region: request.region,
    city: request.city,
    host: request.host,
    method: request.method,
    scheme: request.scheme,
    target: request.target,
    protocol: request.protocol,
    'tls-version': request.tlsVersion,
    'body-size': `${request.bodySize}`,
  }
  const headers = (name: string): string[] => {
    const found: string[] = []
    for (const header of request.headers) if (header.name === name) found.push(header.value)
    return found
  }
  return (field, name) => {
    if (field === 'network') return request.networks
    if (field === 'header') return headers(name)
    if (field === 'cookie') return cookiesOf(headers('cookie'), name)
    if (field === 'user-agent' || field === 'referer') return headers(field)
    const derived = ofTarget(request.target, field, name)
    if (derived !== undefined) return derived
    const text = said[field]
    return text === '' ? undefined : text
  }
}

/** What is read from path and query; undefined for other fields too. */
export function ofTarget(target: string, field: string, name: string): string | string[] | undefined {
  if (field === 'path') return pathOf(target)
  if (field === 'query') return queryOf(target)
  if (field === 'query-parameter') return parametersOf(target, name)
  if (field === 'extension') return extensionOf(pathOf(target))
  return undefined
}

export function textsOf(answer: string | string[] | undefined): string[] {
  if (answer === undefined) return []
  return typeof answer === 'string' ? [answer] : answer
}

/** The first of what is said, empty when nothing is. */
export function firstOf(answer: string | string[] | undefined): string {
  if (answer === undefined) return ''
  return typeof answer === 'string' ? answer : (answer[0] ?? '')
}
