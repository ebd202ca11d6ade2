import type { AuthorityId, PrecheckProblem } from '@fairway/contract'
import { absoluteName, certificateNamesProblem, isAtOrUnder, isCertificateName } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { SiteRow } from '../../http/context.ts'
import { AUTHORITY_ISSUERS } from './authorities.ts'

type RecordRow = { name: string; type: string; value: string }

/** What would make the order fail, from our own zone alone. The authority will look at the same records. */
export async function precheck(tx: Tx, site: SiteRow, names: readonly string[], authority: AuthorityId): Promise<PrecheckProblem[]> {
  const records = (await tx.query<RecordRow>(`SELECT name, type, value FROM dns_record WHERE site_id = $1 AND (type = 'CAA' OR (name LIKE '\\_acme-challenge%' AND type IN ('CNAME', 'NS')))`, [site.id])).map((row) => ({ ...row, name: absoluteName(row.name, site.domain_name) }))
  const verified = (await tx.query<{ dns_state: string }>('SELECT dns_state FROM site WHERE id = $1', [site.id]))[0]?.dns_state === 'verified'
  const mixed = certificateNamesProblem(names, site.domain_name) === 28015
  return names.flatMap((name): PrecheckProblem[] => {
    const bare = name.replace(/^\*\./, '')
    if (!isCertificateName(name)) return [{ name, problem: 'bad-name', hint: null }]
    if (!isAtOrUnder(bare, site.domain_name)) return [{ name, problem: 'not-of-site', hint: site.domain_name }]
    if (mixed && !name.startsWith('*.')) return [{ name, problem: 'bad-wildcard', hint: null }]
    const elsewhere = records.find((row) => row.name === `_acme-challenge.${bare}` && row.type !== 'CAA')
    if (elsewhere) return [{ name, problem: 'delegated', hint: elsewhere.value }]
    const caa = caaProblem(records, bare, name.startsWith('*.'), authority, site.domain_name)
    if (caa !== null) return [{ name, problem: 'caa', hint: caa }]
    return verified ? [] : [{ name, problem: 'not-verified', hint: null }]
  })
}

/** The CAA set of the closest name that has one decides (RFC 8659 3); `issuewild` goes before `issue` for wildcards. Answers the record that forbids. */
function caaProblem(records: readonly RecordRow[], name: string, isWildcard: boolean, authority: AuthorityId, siteName: string): string | null {
  for (let at = name; isAtOrUnder(at, siteName); at = at.slice(at.indexOf('.') + 1)) {
    const set = records.filter((row) => row.type === 'CAA' && row.name === at).map((row) => /^\d+\s+(\w+)\s+"?([^"]*)"?/.exec(row.value)).flatMap((match) => (match ? [{ tag: match[1]?.toLowerCase(), issuer: (match[2] ?? '').split(';')[0]?.trim() ?? '' }] : []))
    if (set.length > 0) {
      const wild = set.filter(({ tag }) => tag === 'issuewild')
      const asked = isWildcard && wild.length > 0 ? wild : set.filter(({ tag }) => tag === 'issue')
      return asked.length === 0 || asked.some(({ issuer }) => AUTHORITY_ISSUERS[authority].includes(issuer)) ? null : `${at} CAA ${asked.map(({ issuer }) => issuer || ';').join(', ')}`
    }
    if (at === siteName) return null
  }
  return null
}
