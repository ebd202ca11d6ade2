import { zoneFiles, type RecordType, type RouteParsed, type ZoneFileError } from '@fairway/contract'
import { exportZone, planImport, readFileRecords, type FileRecord, type ImportPlan } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { apexRrsets } from '../../publish/nameservers.ts'
import { besideTouched, checkZone, refuseFetched } from '../dns-records/check-zone.ts'
import { recordQuota, recordsOfSite, type StoredRecord } from '../dns-records/store.ts'
import { applyPlan } from './apply-plan.ts'

const MEDIA = {
  bind: { type: 'text/dns; charset=utf-8', ending: 'zone' },
  csv: { type: 'text/csv; charset=utf-8', ending: 'csv' },
}

export const zoneFilesSlice = slice(zoneFiles, {
  async export({ tx, site, reply, services: { config } }, { format }) {
    const { type, ending } = MEDIA[format]
    reply.type(type).header('content-disposition', `attachment; filename="${site.domain_name}.${ending}"`)
    return exportZone(format, await recordsOfSite(tx, site.id), {
      name: site.domain_name,
      apex: apexRrsets(config, site, site.domain_name, Math.max(1, site.version)),
    })
  },

  async preview(context, upload) {
    const { site } = context
    const { errors, plan, quota } = await planned(context, upload)
    const { rows, counts, after, touchedShare, needsForce } = plan
    return {
      version: site.version,
      errors,
      rows,
      counts,
      recordQuota: { used: quota.used, total: quota.total, after },
      touchedShare,
      needsForce,
    }
  },

  async apply(context, { version, force, part, ...upload }) {
    const { tx, site, change } = context
    if (version !== null && version !== site.version)
      throw new Failure(409, { internal: `previewed at version ${version}, now ${site.version}` })
    const { errors, plan, quota } = await planned(context, upload)
    if (errors.length)
      throw new Failure(errors.some(({ fault }) => fault === 'tooManyRecords') ? 900116 : 400, {
        fields: errors.map(({ line, column, fault }) => ({
          path: `text.${line}.${column}`,
          message: `zoneFile.${fault}`,
        })),
      })
    const { counts, after, rows } = plan
    const data = { ...counts, left: rows.filter(({ action, line }) => action === 'skipped' && line !== null) }
    if (counts.added + counts.changed + counts.removed === 0) return { data, meta: { version: null } }
    if (plan.needsForce && !force) throw new Failure(900107)
    if (after > Math.max(quota.total, quota.used)) throw new Failure(900102)
    change.source = 'import'
    change.hasMore = part !== null && part.number < part.of
    change.title = titleOf(counts, part)
    await applyPlan(context, plan)
    // The plan leaves out what contradicts anything, and the site has been held since it was made.
    if (counts.changed + counts.removed === 0) await refuseFetched(tx, site)
    else await checkZone(tx, site, touchedBy(plan))
    return { data, meta: { version: await change.version() } }
  },
})

type Upload = Pick<RouteParsed<typeof zoneFiles.routes.preview>, 'format' | 'text' | 'mode'>

/** The same for both: what the preview shows is what is applied. */
async function planned(
  { tx, site, actor }: Context,
  { format, text, mode }: Upload,
): Promise<{
  errors: ZoneFileError[]
  plan: ImportPlan<StoredRecord>
  quota: Awaited<ReturnType<typeof recordQuota>>
}> {
  const { records, errors } = readFileRecords(format, text, site.domain_name)
  const quota = await recordQuota(tx, site.id)
  const input = errors.length ? { records: [], mode: 'merge' as const } : { records, mode }
  // What is only added to costs what the file has, however large the zone is.
  const beside =
    input.mode === 'merge'
      ? await besideTouched(tx, site, input.records.filter((record) => !isOwnServer(record)).map(touching))
      : null
  const current = beside ?? (await recordsOfSite(tx, site.id))
  return {
    errors,
    quota,
    plan: planImport({
      ...input,
      current,
      siteName: site.domain_name,
      minimumTtlSeconds: quota.minimumTtlSeconds,
      ability: [...actor.abilities],
      elsewhere: quota.used - current.length,
    }),
  }
}

/** The site's own nameservers, which no file changes. */
const isOwnServer = ({ name, type }: FileRecord): boolean => type === 'NS' && name === '@'

/** Of a name and type that the file has, as a record of the site would spell it. */
const touching = ({ name, type }: FileRecord) => ({ name: name.trim().toLowerCase(), type: type as RecordType })

const touchedBy = ({ added, changed, removed }: ImportPlan<StoredRecord>) => [
  ...added,
  ...removed,
  ...changed.flatMap(({ before, record }) => [before, record]),
]

function titleOf(
  { added, changed, removed }: ImportPlan['counts'],
  part: RouteParsed<typeof zoneFiles.routes.apply>['part'],
): string {
  const parts = [added && `${added} added`, changed && `${changed} changed`, removed && `${removed} removed`].filter(
    Boolean,
  )
  return `Import a zone file${part ? `, part ${part.number} of ${part.of}` : ''}: ${parts.join(', ')}`
}
