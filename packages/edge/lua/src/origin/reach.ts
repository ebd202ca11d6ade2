import type { PolicyDocument } from '../policy/documents.ts'

// Whether the origin of a domain answers at all, told to the API from time to time (`origins/tell-origins.ts`). What it
// says, an error too, is an answer.

/** Of one network of visitors, one request that was not answered counts in so many seconds. */
const SILENT_SECONDS = 30

export function countAnswered({ domainId }: PolicyDocument): void {
  ngx.shared.origins.incr(`${domainId} answered`, 1, 0)
}

/**
 * `asked`: it took the request and said nothing. One slow path may do that, which a stranger can ask for as often as he
 * likes: many networks must see it. That nobody can connect is no stranger's doing.
 */
export function countUnanswered({ domainId }: PolicyDocument, asked: boolean): void {
  if (!asked) return void ngx.shared.origins.incr(`${domainId} unconnected`, 1, 0)
  const network = networkOf(ngx.var.http_x_fairway_visitor ?? '')
  const [isNew] = ngx.shared.origins.add(`${domainId} ${network}`, '1', SILENT_SECONDS)
  if (isNew === true) ngx.shared.origins.incr(`${domainId} silent`, 1, 0)
}

/** A /24, or about a /48. */
function networkOf(address: string): string {
  const separator = address.includes(':') ? ':' : '.'
  const [first = '', second = '', third = ''] = address.split(separator)
  return `${first}${separator}${second}${separator}${third}`
}
