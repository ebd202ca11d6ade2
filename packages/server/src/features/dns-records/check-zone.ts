import type { RecordInput } from '@fairway/contract'
import { absoluteName, canHoldRecord, targetName, validateRecord, validateZone, type WireRecord } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { isHouseName } from '../names/house-zones.ts'
import { hasPrimary } from '../dns-primary/store.ts'
import { isSteeredName, recordQuota, recordsBeside, type StoredRecord, zoneRecords } from './store.ts'

type Site = { id: string; domain_name: string }

/**
 * Refuses a record that is wrong by itself, or that the plan does not allow. `before` is what it was: what stays is not
 * asked again; `known` spares the question to who checks many.
 */
export async function checkRecord(
  { tx, actor, site, services }: Context,
  record: RecordInput,
  before: RecordInput | null,
  known?: Awaited<ReturnType<typeof recordQuota>>,
): Promise<void> {
  const fields = validateRecord(record, site.domain_name)
  if (fields.length) throw new Failure(400, { fields })
  const quota = known ?? (await recordQuota(tx, site.id))
  if (!before && quota.used >= quota.total) throw new Failure(900102)
  const { minimumTtlSeconds } = quota
  const missing = canHoldRecord({ ability: [...actor.abilities], minimumTtlSeconds }, record, before)
  if (missing) throw new Failure(missing)
  if (!record.multiCdn) return
  // An origin has an IPv4 address or a name; IPv6 cannot be one yet.
  if (record.type === 'AAAA') throw new Failure(900018)
  if (record.type === 'CNAME') await refuseLoop(tx, record, site, services.config)
}

/** A CDN whose origin is a steered name, or one of our own CDN names, would fetch from itself. */
export async function refuseLoop(
  tx: Tx,
  record: Pick<RecordInput, 'name' | 'value'>,
  site: Site,
  config: Config,
): Promise<void> {
  const origin = targetName(record.value)
  const own = origin === absoluteName(record.name, site.domain_name)
  if (own || (await isHouseName(tx, config, origin)) || (await isSteeredName(tx, origin))) throw new Failure(900106)
}

/** What another primary keeps is changed there. */
export async function refuseFetched(tx: Tx, site: Site): Promise<void> {
  if (await hasPrimary(tx, site.id)) throw new Failure(900113)
}

/**
 * Refuses the zone as it now stands in the transaction. `touched` are the records that changed, as they were and as they
 * are, where no others did: what stood was right, so of a large zone only what may contradict them is looked at.
 */
export async function checkZone(tx: Tx, site: Site, touched: readonly Beside[] | null = null): Promise<void> {
  await refuseFetched(tx, site)
  const records: readonly WireRecord[] =
    (touched && (await besideTouched(tx, site, touched))) ?? (await zoneRecords(tx, site.id))
  const found = validateZone(records, site.domain_name)
  if (found) throw new Failure(found.problem, { internal: `record ${found.index} of ${site.domain_name}` })
  const steered = records.filter((record) => record.multiCdn).map((record) => record.name)
  if (new Set(steered).size < steered.length) throw new Failure(900018, { internal: 'a name is steered once' })
}

type Beside = Pick<RecordInput, 'type' | 'name'> & { multiCdn?: boolean }

/**
 * The records that may contradict what touches the site, of which a large zone has few. Null where a rule may look
 * anywhere: below a delegation that comes or goes, or where a wildcard of an alias or a new origin leads.
 */
export async function besideTouched(
  tx: Tx,
  site: Pick<Site, 'id'>,
  touched: readonly Beside[],
): Promise<StoredRecord[] | null> {
  if (touched.some(({ type, multiCdn }) => multiCdn === true || type === 'NS')) return null
  const withAliases = touched.some(({ type }) => isAlias(type))
  if (withAliases && touched.some(isWildcardOfAlias)) return null
  const records = await recordsBeside(tx, site.id, [...new Set(touched.map(({ name }) => name))], { withAliases })
  return records.some(isWildcardOfAlias) ? null : records
}

const isAlias = (type: string): boolean => type === 'CNAME' || type === 'ALIAS'
const isWildcardOfAlias = ({ type, name }: Beside): boolean => isAlias(type) && name.startsWith('*')
