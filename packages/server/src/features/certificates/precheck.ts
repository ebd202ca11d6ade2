import type { AuthorityId, CdnDriverName, ChallengeType, PrecheckProblem } from '@fairway/contract'
import {
  absoluteName,
  certificateNamesProblem,
  covers,
  isAtOrUnder,
  isCertificateName,
  isOnTheEdge,
  isWildcard,
} from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { SiteRow } from '../../http/context.ts'
import { AUTHORITY_ISSUERS } from './authorities.ts'

type RecordRow = { name: string; type: string; value: string }

type CdnRow = { host: string; name: string; driver: CdnDriverName }

/** Whether the world asks our name servers for the site's zone. */
export async function isVerified(tx: Tx, siteId: string): Promise<boolean> {
  return (
    (await tx.query<{ dns_state: string }>('SELECT dns_state FROM site WHERE id = $1', [siteId]))[0]?.dns_state ===
    'verified'
  )
}

/**
 * What would make the order fail, as far as we know it ourselves: the site's zone, which the authority looks at, and
 * the CDNs of its domains.
 */
export async function precheck(
  tx: Tx,
  site: SiteRow,
  names: readonly string[],
  authority: AuthorityId,
  challenge: ChallengeType,
): Promise<PrecheckProblem[]> {
  const records = (
    await tx.query<RecordRow>(
      `SELECT name, type, value FROM dns_record WHERE site_id = $1 AND (type = 'CAA' OR (name LIKE '\\_acme-challenge%' AND type IN ('CNAME', 'NS')))`,
      [site.id],
    )
  ).map((row) => ({ ...row, name: absoluteName(row.name, site.domain_name) }))
  const cdns = await tx.query<CdnRow>(
    `SELECT d.name AS host, c.name, c.driver FROM domain_cdn dc JOIN domain d ON d.id = dc.domain_id JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id WHERE dc.site_id = $1 AND dc.enabled AND dc.state <> 'deleting' ORDER BY c.series`,
    [site.id],
  )
  const verified = await isVerified(tx, site.id)
  const mixed = certificateNamesProblem(names, site.domain_name) === 28015
  return names.flatMap((name): PrecheckProblem[] => {
    const bare = name.replace(/^\*\./, '')
    if (!isCertificateName(name)) return [{ name, problem: 'bad-name', hint: null }]
    if (!isAtOrUnder(bare, site.domain_name)) return [{ name, problem: 'not-of-site', hint: site.domain_name }]
    if (mixed && !isWildcard(name)) return [{ name, problem: 'bad-wildcard', hint: null }]
    const elsewhere =
      challenge === 'dns-01' && records.find((row) => row.name === `_acme-challenge.${bare}` && row.type !== 'CAA')
    if (elsewhere) return [{ name, problem: 'delegated', hint: elsewhere.value }]
    const caa = caaProblem(records, bare, { isWildcard: isWildcard(name), authority, challenge }, site.domain_name)
    if (caa !== null) return [{ name, problem: 'caa', hint: caa }]
    if (challenge === 'http-01') return edgeProblem(cdns, name)
    return verified ? [] : [{ name, problem: 'not-verified', hint: null }]
  })
}

/** The authority may be sent to any of the name's CDNs: each must be answered by our edge. */
function edgeProblem(cdns: readonly CdnRow[], name: string): PrecheckProblem[] {
  const own = cdns.filter(({ host }) => covers([host], name))
  const other = own.find(({ driver }) => !isOnTheEdge(driver))
  if (other) return [{ name, problem: 'other-cdn', hint: other.name }]
  return own.length > 0 ? [] : [{ name, problem: 'not-at-edge', hint: null }]
}

type CaaAsked = { isWildcard: boolean; authority: AuthorityId; challenge: ChallengeType }

/**
 * The CAA set of the closest name that has one decides (RFC 8659 3); `issuewild` goes before `issue` for wildcards, and
 * an issuer may be bound to some challenges (RFC 8657 4). Answers the record that forbids.
 */
function caaProblem(
  records: readonly RecordRow[],
  name: string,
  { isWildcard, authority, challenge }: CaaAsked,
  siteName: string,
): string | null {
  for (let at = name; isAtOrUnder(at, siteName); at = at.slice(at.indexOf('.') + 1)) {
    const set = records
      .filter((row) => row.type === 'CAA' && row.name === at)
      .map((row) => /^\d+\s+(\w+)\s+"?([^"]*)"?/.exec(row.value))
      .flatMap((match) => (match ? [{ tag: match[1]?.toLowerCase(), ...caaIssuer(match[2] ?? '') }] : []))
    if (set.length > 0) {
      const wild = set.filter(({ tag }) => tag === 'issuewild')
      const asked = isWildcard && wild.length > 0 ? wild : set.filter(({ tag }) => tag === 'issue')
      return asked.length === 0 ||
        asked.some(
          ({ issuer, methods }) =>
            AUTHORITY_ISSUERS[authority].includes(issuer) && (methods === null || methods.includes(challenge)),
        )
        ? null
        : `${at} CAA ${asked.map(({ text }) => text || ';').join(', ')}`
    }
    if (at === siteName) return null
  }
  return null
}

function caaIssuer(value: string): {
  text: string
  issuer: string
  /** Null allows every one. */ methods: string[] | null
} {
  const [issuer = '', ...parameters] = value.split(';').map((part) => part.trim())
  const methods = parameters
    .map((parameter) => parameter.split('='))
    .find(([name]) => name?.trim().toLowerCase() === 'validationmethods')?.[1]
  return {
    text: value.trim().replace(/\s*;\s*$/, ''),
    issuer,
    methods: methods === undefined ? null : methods.split(',').map((method) => method.trim().toLowerCase()),
  }
}
