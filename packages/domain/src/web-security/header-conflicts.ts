import type { HeaderOperation, HeaderRuleInput } from '@fairway/contract'

/**
 * What somebody should know of a header rule before it is saved. `twice`: another rule changes the same header, and the
 * later one wins. `cors`: browsers refuse the answer to other websites. `csp`: the page's own policy is lost or doubled.
 * `cookies`: the origin's cookies are replaced or lost, people are signed out. `challenge`: visitors who have solved a
 * challenge are not told apart any more. `caching`: the edge or browsers keep what they should not, or nothing.
 */
export type HeaderConflict = {
  code: 'twice' | 'cors' | 'csp' | 'cookies' | 'challenge' | 'caching'
  header: string
  /** Of the other rule; empty for none. */ ruleName: string
}

type Rule = Pick<HeaderRuleInput, 'name' | 'enabled' | 'direction' | 'operations'>

const CACHING: Record<Rule['direction'], ReadonlySet<string>> = {
  request: new Set(['accept-encoding', 'if-modified-since', 'if-none-match', 'range']),
  response: new Set(['age', 'cache-control', 'etag', 'expires', 'last-modified', 'vary']),
}

/** @param others the other rules of the list, without this one */
export function headerConflicts(rule: Rule, others: readonly Rule[]): HeaderConflict[] {
  const found: HeaderConflict[] = []
  for (const change of rule.operations) {
    const { header } = change
    if (header === '') continue
    for (const other of others)
      if (
        other.enabled &&
        other.direction === rule.direction &&
        other.operations.some(
          (one) => one.header === header && !(one.operation === 'add' && change.operation === 'add'),
        )
      )
        found.push({ code: 'twice', header, ruleName: other.name })
    const code = rule.direction === 'response' ? ofAnswer(change, rule, others) : ofRequest(change)
    if (code !== null) found.push({ code, header, ruleName: '' })
    if (CACHING[rule.direction].has(header)) found.push({ code: 'caching', header, ruleName: '' })
  }
  return found
}

function ofAnswer(change: HeaderOperation, rule: Rule, others: readonly Rule[]): HeaderConflict['code'] | null {
  const { header, operation, value } = change
  if (header === 'set-cookie') return operation === 'add' ? null : 'cookies'
  if (header === 'content-security-policy') return 'csp'
  if (header === 'access-control-allow-origin') {
    if (operation === 'add' || /[,\s]/.test(value.trim())) return 'cors'
    // Fetch standard: any origin and credentials do not go together.
    const all = [rule, ...others.filter((one) => one.enabled && one.direction === 'response')]
    const sendsCredentials = all.some(({ operations }) =>
      operations.some((one) => one.header === 'access-control-allow-credentials' && one.value.trim() === 'true'),
    )
    return operation === 'remove' || (value.trim() === '*' && sendsCredentials) ? 'cors' : null
  }
  return header.startsWith('access-control-') && operation !== 'set' ? 'cors' : null
}

function ofRequest({ header, operation }: HeaderOperation): HeaderConflict['code'] | null {
  if (header === 'cookie') return operation === 'add' ? null : 'challenge'
  return header === 'origin' || header.startsWith('access-control-request-') ? 'cors' : null
}
