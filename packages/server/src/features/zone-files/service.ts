import { zoneFiles, type RouteParsed, type ZoneFileError } from '@fairway/contract'
import { exportZone, planImport, readFileRecords, type ImportPlan } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { apexRrsets } from '../../publish/nameservers.ts'
import { checkZone } from '../dns-records/check-zone.ts'
import { recordQuota } from '../dns-records/store.ts'
import { applyPlan } from './apply-plan.ts'
import { recordsOfSite, type StoredRecord } from './store.ts'

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

  async apply(context, { version, force, ...upload }) {
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
    change.title = titleOf(counts)
    await applyPlan(context, plan)
    await checkZone(tx, site)
    return { data, meta: { version: await change.version() } }
  },
})

type Upload = Pick<RouteParsed<typeof zoneFiles.routes.preview>, 'format' | 'text' | 'mode'>

/** The same for both: what the preview shows is what is applied. */
async function planned(
  { tx, site }: Context,
  { format, text, mode }: Upload,
): Promise<{
  errors: ZoneFileError[]
  plan: ImportPlan<StoredRecord>
  quota: Awaited<ReturnType<typeof recordQuota>>
}> {
  const { records, errors } = readFileRecords(format, text, site.domain_name)
  const quota = await recordQuota(tx, site.id)
  const current = await recordsOfSite(tx, site.id)
  const input = errors.length ? { records: [], mode: 'merge' as const } : { records, mode }
  return {
    errors,
    quota,
    plan: planImport({ ...input, current, siteName: site.domain_name, minimumTtlSeconds: quota.minimumTtlSeconds }),
  }
}

function titleOf({ added, changed, removed }: ImportPlan['counts']): string {
  const parts = [added && `${added} added`, changed && `${changed} changed`, removed && `${removed} removed`].filter(
    Boolean,
  )
  return `Import a zone file: ${parts.join(', ')}`
}
