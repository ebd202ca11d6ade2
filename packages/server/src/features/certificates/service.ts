import { AuthorityId, type CertificateReceipts, type PublicationKind, certificates } from '@fairway/contract'
import { canUse, certificateNamesProblem, challengeFor, covers, isCertificateName, isWildcard } from '@fairway/domain'
import { newCertificateKey } from '@fairway/drivers'
import { seal } from '@fairway/platform'
import type { Context } from '../../http/context.ts'
import { withoutConnection } from '../../http/call-transaction.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { claimOf } from '../names/store.ts'
import { deployState, nodeRows } from '../versions/node-states.ts'
import { AUTHORITY_NAMES, directoryOf } from './authorities.ts'
import { checkUpload, type Upload } from './check-upload.ts'
import { isVerified, precheck } from './precheck.ts'
import { present, renewsItself } from './present.ts'
import { revocationOfChain } from './revocation.ts'
import { CERTIFICATE_KEYS } from './seal-purpose.ts'
import {
  certificateById,
  hasCertificateFor,
  isWaitingFor,
  heldByAlone,
  insertOrdered,
  insertUploaded,
  listCertificates,
  replaceChallenges,
  takesOrder,
  type CertificateRow,
} from './store.ts'
import { vendorReceipts } from './vendor-receipts.ts'

const COLUMNS = { created_at: 'c.created_at', expires: 'c.not_after', common_name: 'c.names[1]', site: 's.domain_name' }

export const certificatesSlice = slice(certificates, {
  async list({ tx, now }, query) {
    const page = pageOf(query)
    const { rows, total } = await listCertificates(tx, {
      site: query.site,
      search: query.search,
      order: orderBy(query.ordering, COLUMNS),
      ...page,
    })
    return { data: rows.map((row) => present(row, now)), meta: page.meta(total) }
  },

  async get({ tx, now }, { id }) {
    const row = await certificateById(tx, id)
    if (!row) throw new Failure(404)
    return { ...withReceipts(row, await nodeRows(tx, row.site_id), now), cdns: await vendorReceipts(tx, row) }
  },

  async authorities({ services }) {
    return {
      data: AuthorityId.options.map((id) => ({
        id,
        name: AUTHORITY_NAMES[id],
        configured: directoryOf(services.config, id) !== null,
      })),
    }
  },

  async precheck({ tx, site, services }, { names, authority, challenge: chosen = null }) {
    const challenge = challengeFor(names, { chosen, isVerified: await isVerified(tx, site.id) })
    const missing = { name: AUTHORITY_NAMES[authority], problem: 'authority-missing' as const, hint: null }
    return {
      challenge,
      problems: [
        ...(directoryOf(services.config, authority) === null ? [missing] : []),
        ...(await precheck(tx, site, names, authority, challenge)),
      ],
    }
  },

  async issue(context, { names, authority, challenge: chosen = null }) {
    const { tx, actor, site, services, change, now } = context
    const missing = authority === 'zero-ssl' ? canUse([...actor.abilities], 'ssl.zeroSSL') : null
    if (missing) throw new Failure(missing)
    const wanted = [...new Set(names)]
    const problem = certificateNamesProblem(wanted, site.domain_name)
    if (problem !== null) throw new Failure(problem)
    const bad = wanted.findIndex((name) => !isCertificateName(name))
    if (bad >= 0) throw new Failure(400, { fields: [{ path: `names.${bad}`, message: 'validation.domainName' }] })
    if (chosen === 'http-01' && wanted.some(isWildcard))
      throw new Failure(400, { fields: [{ path: 'challenge', message: 'validation.wildcardNeedsDns' }] })
    if (directoryOf(services.config, authority) === null) throw new Failure(28018)
    if (await hasCertificateFor(tx, site.id, wanted)) throw new Failure(28003)
    if (await isWaitingFor(tx, site.id, authority, now)) throw new Failure(28005)
    const claim = (await claimOf(tx, site.id))?.claim
    if (claim === 'parked' || claim === 'looking') throw new Failure(28024)
    if (!(await takesOrder(tx, actor.organizationId))) throw new Failure(28023)
    const challenge = challengeFor(wanted, { chosen, isVerified: await isVerified(tx, site.id) })
    const id = await insertOrdered(
      tx,
      { organizationId: actor.organizationId, siteId: site.id, type: authority, names: wanted },
      { chosen, challenge },
      seal(services.config, CERTIFICATE_KEYS, newCertificateKey()),
    )
    change.record({
      entity: 'certificate',
      id,
      label: wanted[0] ?? '',
      before: null,
      after: { names: wanted, authority, challenge },
    })
    // The order's own records come with the order; nothing is published yet.
    change.kinds = []
    return { data: present(await mustHave(context, id), now), meta: { version: null } }
  },

  async checkUpload(context, upload) {
    const { tx, site, now } = context
    const checked = checkedUpload(upload, site.domain_name, now)
    await refuseRevoked(context, checked.chainPem, now)
    const hosts = await tx.query<{ name: string }>(
      'SELECT name FROM domain WHERE site_id = $1 AND removed_at IS NULL ORDER BY name',
      [site.id],
    )
    return {
      details: checked.details,
      uncovered: hosts.map(({ name }) => name).filter((name) => !covers(checked.names, name)),
      elsewhere: checked.elsewhere,
    }
  },

  async upload(context, upload) {
    const { tx, actor, site, services, change, now } = context
    const { details, names, chainPem, keyPem } = checkedUpload(upload, site.domain_name, now)
    await refuseRevoked(context, chainPem, now)
    if (
      (
        await tx.query(
          `SELECT FROM certificate WHERE site_id = $1 AND removed_at IS NULL AND details->>'fingerprint' = $2`,
          [site.id, details.fingerprint],
        )
      ).length > 0
    )
      throw new Failure(28003)
    const id = await insertUploaded(
      tx,
      {
        organizationId: actor.organizationId,
        siteId: site.id,
        type: names.length > 1 ? 'custom-san' : 'custom',
        names,
      },
      { chainPem, sealedKey: seal(services.config, CERTIFICATE_KEYS, keyPem), details },
    )
    change.title = `Upload certificate ${details.commonName}`
    change.record({
      entity: 'certificate',
      id,
      label: details.commonName,
      before: null,
      after: { names, issuer: details.issuer, notAfter: details.notAfter, fingerprint: details.fingerprint },
    })
    const version = await change.version()
    await tx.query(`UPDATE certificate SET step = 'deploy', wanted_version = $2 WHERE id = $1`, [id, version])
    return { data: present(await mustHave(context, id), now), meta: { version } }
  },

  async renew({ tx, services, change, now }, { id }) {
    const row = await certificateById(tx, id, true)
    if (!row) throw new Failure(404)
    if (!renewsItself(row)) throw new Failure(28002)
    if (directoryOf(services.config, AuthorityId.parse(row.type)) === null) throw new Failure(28018)
    // It has said when to come again; each order before that puts it off further.
    if (row.hindrance === 'waiting' && row.next_attempt_at && row.next_attempt_at > now) throw new Failure(28005)
    const isUnderWay = row.step !== null && row.hindrance === null
    if (!isUnderWay) {
      if (!(await takesOrder(tx, row.organization_id))) throw new Failure(28023)
      // What was to be renewed by itself by now, or is tried, stays a renewal of that kind.
      await tx.query(
        `UPDATE certificate SET step = 'order', order_url = NULL, order_key = $2, order_began_at = NULL, by_hand = CASE WHEN order_key IS NULL THEN coalesce(next_attempt_at > now(), true) ELSE by_hand END, problem = NULL, hindrance = NULL, attempts = 0, next_attempt_at = now(), leased_until = NULL WHERE id = $1`,
        [id, seal(services.config, CERTIFICATE_KEYS, newCertificateKey())],
      )
      await tx.query(`SELECT pg_notify('certificate', '')`)
    }
    change.record({ entity: 'certificate', id, label: row.names[0] ?? '', before: null, after: { renewed: true } })
    change.kinds = []
    const after = await certificateById(tx, id)
    if (!after) throw new Failure(404)
    return present(after, now)
  },

  async remove({ tx, change, now }, { id, confirm }) {
    const row = await certificateById(tx, id, true)
    if (!row) throw new Failure(404)
    await tx.query('SELECT FROM site WHERE id = $1 FOR NO KEY UPDATE', [row.site_id])
    if (confirm !== true && (await heldByAlone(tx, row, now)).length > 0) throw new Failure(28022)
    change.siteId = row.site_id
    const proofs = await replaceChallenges(tx, row, [])
    // The edge lets go of it with the next version; without a private key there is nothing to keep.
    await tx.query('DELETE FROM certificate WHERE id = $1', [id])
    change.title = `Remove certificate ${row.names[0] ?? ''}`
    change.kinds = [...new Set<PublicationKind>(['dns-zone', 'edge-certificates', ...proofs])]
    change.record({
      entity: 'certificate',
      id,
      label: row.names[0] ?? '',
      before: { names: row.names, notAfter: row.not_after?.toISOString() ?? null },
      after: null,
    })
    return { data: { id }, meta: { version: await change.version() } }
  },
})

function checkedUpload(upload: Upload, siteName: string, now: Date) {
  const checked = checkUpload(upload, siteName, now)
  if (checked.problem !== null) throw new Failure(checked.problem)
  return checked
}

/**
 * A responder that says nothing is no reason to refuse: most are slow at times, and browsers do not wait for them
 * either.
 */
async function refuseRevoked({ actor, services }: Context, chainPem: string, now: Date): Promise<void> {
  const asker = { config: services.config, gate: services.gate, organizationId: actor.organizationId }
  if ((await withoutConnection(() => revocationOfChain(asker, chainPem, now))).state === 'revoked')
    throw new Failure(28012)
}

async function mustHave({ tx }: Context, id: string): Promise<CertificateRow> {
  const row = await certificateById(tx, id)
  if (!row) throw new Error('a certificate that was just written is not there')
  return row
}

function withReceipts(
  row: CertificateRow,
  nodes: Awaited<ReturnType<typeof nodeRows>>,
  now: Date,
): Omit<CertificateReceipts, 'cdns'> {
  if (row.chain_pem === null || row.wanted_version === null) return { ...present(row, now), nodes: [], state: null }
  const deployed = deployState(nodes, ['edge-certificates'], row.wanted_version, now)
  return {
    ...present(row, now),
    nodes: deployed.nodes,
    state: deployed.state === 'live' ? 'installed' : deployed.state === 'failed' ? 'error' : 'installing',
  }
}
