import { LIMITS, type StreamAsset, VIDEO_ENDINGS, isTooLarge, streamAssets, uploadPath } from '@fairway/contract'
import { type Config, streamOrigin, type Tx } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { streamSiteKey, streamSiteKeys } from '../../publish/stream-site.ts'
import { type AssetRow, assetById, canEncode, insertAsset, isNameTaken, listAssets, markDeleted } from './store.ts'
import { takeSource } from './take-source.ts'
import { loadedOf, openUpload, refuseFull } from './uploads.ts'

const ORDER = { created_at: 'a.created_at', name: 'lower(a.name)', size: 'a.size', state: 'a.state' }
export const streamAssetsSlice = slice(streamAssets, {
  async list({ tx, services }, query) {
    const page = pageOf(query)
    const { rows, total } = await listAssets(tx, {
      search: query.search,
      order: orderBy(query.ordering, ORDER),
      ...page,
    })
    return {
      data: rows.map((row) => present(services.config, row)),
      meta: page.meta(total),
      limit: LIMITS.streamSources,
      canEncode: await canEncode(tx),
    }
  },

  async get({ tx, services }, { id }) {
    return present(services.config, await found(tx, id))
  },

  async create({ tx, actor, services, change }, input) {
    const ending = input.name.toLowerCase().split('.').at(-1) ?? ''
    if (!VIDEO_ENDINGS.includes(ending)) throw refused(30008, 'name')
    if (isTooLarge(input.size)) throw refused(30009, 'size')
    await takeSource(tx, actor.organizationId)
    if (await isNameTaken(tx, input.name)) throw refused(30007, 'name')
    if (!(await canEncode(tx))) throw new Failure(920901)
    refuseFull(services.config, input.size)
    const { organizationId } = actor
    const id = await insertAsset(tx, { ...input, organizationId, createdBy: actor.label })
    await openUpload(services.config, id, input.size)
    await enqueue(tx, organizationId, ['edge-site'], streamSiteKey(organizationId))
    change.record({ entity: 'stream-asset', id, label: input.name, before: null, after: { ...input } })
    return { data: present(services.config, await found(tx, id)), uploadUrl: uploadPath(id) }
  },

  async remove({ tx, actor, change }, { id }) {
    const row = await found(tx, id)
    await markDeleted(tx, id)
    // First the edge is told to forget, and that there is nothing at the origin is seen to by the role.
    for (const key of await streamSiteKeys(tx, actor.organizationId))
      await enqueue(tx, actor.organizationId, ['edge-purges', 'edge-site'], key)
    const { name, category, size } = row
    change.record({ entity: 'stream-asset', id, label: name, before: { name, category, size }, after: null })
    return { id }
  },
})

const refused = (code: 30007 | 30008 | 30009, path: string): Failure =>
  new Failure(code, { fields: [{ path, message: `code:${code}` }] })

async function found(tx: Tx, id: string): Promise<AssetRow> {
  const row = isUuid(id) ? await assetById(tx, id) : undefined
  if (!row) throw new Failure(404)
  return row
}

function present(config: Config, row: AssetRow): StreamAsset {
  const base = `${streamOrigin(config, row.organization_id)}/${row.id}`
  return {
    id: row.id,
    name: row.name,
    category: row.category,
    size: row.size,
    loaded: row.state === 'uploading' ? Math.min(row.size, loadedOf(config, row.id)) : row.size,
    state: row.state,
    reasonCode: row.reason_code,
    reason: row.reason,
    progress: row.progress,
    secondsLeft: row.seconds_left,
    isPlayable: row.is_playable,
    source: row.source,
    renditions: row.renditions,
    manifestUrl: row.is_playable ? `${base}/master.m3u8` : null,
    posterUrl: row.has_poster ? `${base}/poster.jpg` : null,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    readyAt: row.ready_at?.toISOString() ?? null,
  }
}
