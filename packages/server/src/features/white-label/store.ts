import type { WhiteLabelSettings, WhiteLabelState } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type WhiteLabelRow = {
  id: string
  company_name: string
  host_name: string | null
  service_domain: string | null
  cname_host: string | null
  sender_address: string | null
  sender_name: string | null
  own_names_since: Date | null
  own_cname_since: Date | null
  own_sender_since: Date | null
  checks_asked_at: Date
  dkim_number: number | null
  dkim_public: string | null
}
export type CheckRow = { record: string; wanted: string; state: WhiteLabelState; seen: string[]; checked_at: Date }

const ROW = `SELECT p.id, p.company_name, p.host_name, p.service_domain, p.cname_host, p.sender_address, p.sender_name, p.own_names_since, p.own_cname_since, p.own_sender_since, p.checks_asked_at,
  k.number AS dkim_number, k.public_key AS dkim_public FROM partner p LEFT JOIN partner_dkim k ON k.partner_id = p.id`

/** Those that the transaction may see; a partner's people see their own. */
export function partnersOf(tx: Tx): Promise<WhiteLabelRow[]> {
  return tx.query<WhiteLabelRow>(`${ROW} ORDER BY p.host_name IS NOT NULL, lower(p.company_name), p.id`)
}

export async function partnerOf(tx: Tx, id: string): Promise<WhiteLabelRow | undefined> {
  return (await tx.query<WhiteLabelRow>(`${ROW} WHERE p.id = $1`, [id]))[0]
}

/** Holds the partner until the end of the transaction, so that a change and a look do not cross. */
export async function holdPartner(tx: Tx, id: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 38))', [id])
}

export function checksOf(tx: Tx, partnerId: string): Promise<CheckRow[]> {
  return tx.query<CheckRow>('SELECT record, wanted, state, seen, checked_at FROM partner_check WHERE partner_id = $1', [
    partnerId,
  ])
}

/** What is changed is not given out until its records were seen. */
export async function saveSettings(
  tx: Tx,
  { id, ...before }: WhiteLabelRow,
  wanted: WhiteLabelSettings,
): Promise<void> {
  const keepsNames = wanted.serviceDomain === before.service_domain
  const keepsCname = wanted.cnameHost === before.cname_host && (keepsNames || before.cname_host === null)
  const domainOf = (address: string | null) => address?.split('@').at(-1)?.toLowerCase()
  const keepsSender = domainOf(wanted.senderAddress) === domainOf(before.sender_address)
  await tx.query(
    `UPDATE partner SET service_domain = $2, cname_host = $3, sender_address = $4, sender_name = $5,
       own_names_since = CASE WHEN $6 THEN own_names_since END, own_cname_since = CASE WHEN $7 THEN own_cname_since END, own_sender_since = CASE WHEN $8 THEN own_sender_since END
     WHERE id = $1`,
    [
      id,
      wanted.serviceDomain,
      wanted.cnameHost,
      wanted.senderAddress,
      wanted.senderName,
      keepsNames,
      keepsCname,
      keepsSender,
    ],
  )
}

/** Has the worker look at a partner's records now. */
export async function lookNow(tx: Tx, partnerId: string): Promise<void> {
  await tx.query('UPDATE partner SET checks_asked_at = now(), checks_due_at = now() WHERE id = $1', [partnerId])
  await tx.query(`SELECT pg_notify('white-label', '')`)
}

/** Domains of other partners, wanted or served, and every name that a site has proven; for the system's eyes. */
export async function namesOfOthers(tx: Tx, partnerId: string): Promise<{ partners: string[]; sites: string[] }> {
  const partners = await tx.query<{ name: string }>(
    `SELECT service_domain AS name FROM partner WHERE id <> $1 AND service_domain IS NOT NULL UNION SELECT cname_host FROM partner WHERE id <> $1 AND cname_host IS NOT NULL
     UNION SELECT name FROM partner_zone WHERE partner_id <> $1`,
    [partnerId],
  )
  const sites = await tx.query<{ name: string }>(
    `SELECT domain_name AS name FROM site WHERE claim = 'proven' UNION SELECT domain_name FROM claimed_name WHERE reserved_until > now()`,
  )
  return { partners: partners.map(({ name }) => name), sites: sites.map(({ name }) => name) }
}

/** Organisations of a partner whose nameservers, and CDN names, are the installation's own. */
export async function earlierOrganizations(
  tx: Tx,
  partnerId: string,
  houseZone: string,
): Promise<{ nameservers: number; cname: number }> {
  const [row] = await tx.query<{ nameservers: number; cname: number }>(
    `SELECT count(*) FILTER (WHERE o.names_zone IS NULL AND EXISTS (SELECT FROM site s WHERE s.organization_id = o.id))::int AS nameservers,
       count(*) FILTER (WHERE EXISTS (SELECT FROM domain_cdn d WHERE d.organization_id = o.id AND d.vendor_cname IS NULL AND right(d.cname, $3) = $2))::int AS cname
     FROM organization o WHERE o.partner_id = $1`,
    [partnerId, `.${houseZone}`, houseZone.length + 1],
  )
  return row ?? { nameservers: 0, cname: 0 }
}
