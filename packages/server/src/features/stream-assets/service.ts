import { LIMITS, type StreamAsset, VIDEO_ENDINGS, isTooLarge, streamAssets, uploadPath } from '@fairway/contract'
import { type Config, previewPath, streamOrigin } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { streamSiteKey, streamSiteKeys } from '../../publish/stream-site.ts'
import { republishPeers } from '../stream-peers/store.ts'
import { isSigningOn } from '../signed-urls/store.ts'
import { type AssetRow, canEncode, insertAsset, isNameTaken, listAssets, markDeleted, videoOf } from './store.ts'
import { takeSource } from './take-source.ts'
import { loadedOf, openUpload, refuseFull } from './uploads.ts'

const ORDER = { created_at: 'a.created_at', name: 'lower(a.name)', size: 'a.size', state: 'a.state' }
export const streamAssetsSlice = slice(streamAssets, {
  async list({ tx, actor, services, now }, query) {
    const page = pageOf(query)
    const { rows, total } = await listAssets(tx, {
      search: query.search,
      order: orderBy(query.ordering, ORDER),
      ...page,
    })
    const isSigned = await isSigningOn(tx, actor.organizationId)
    return {
      data: rows.map((row) => present(services.config, row, isSigned, now)),
      meta: page.meta(total),
      limit: LIMITS.streamSources,
      canEncode: await canEncode(tx),
    }
  },

  async get({ tx, actor, services, now }, { id }) {
    return present(services.config, await videoOf(tx, id), await isSigningOn(tx, actor.organizationId), now)
  },

  async create({ tx, actor, services, change, now }, input) {
    const ending = input.name.toLowerCase().split('.').at(-1) ?? ''
    if (!VIDEO_ENDINGS.includes(ending)) throw refused(30008, 'name')
    if (isTooLarge(input.size)) throw refused(30009, 'size')
    await takeSource(tx, actor.organizationId)
    if (await isNameTaken(tx, input.name)) throw refused(30007, 'name')
    if (!(await canEncode(tx))) throw new Failure(920901)
    refuseFull(services, input.size)
    const { organizationId } = actor
    const id = await insertAsset(tx, { ...input, organizationId, createdBy: actor.label })
    await openUpload(services.config, id, input.size)
    await enqueue(tx, organizationId, ['edge-site'], streamSiteKey(organizationId))
    change.record({ entity: 'stream-asset', id, label: input.name, before: null, after: { ...input } })
    const data = present(services.config, await videoOf(tx, id), await isSigningOn(tx, actor.organizationId), now)
    return { data, uploadUrl: uploadPath(id) }
  },

  async remove({ tx, actor, change }, { id }) {
    const row = await videoOf(tx, id)
    await markDeleted(tx, id)
    // First the edge is told to forget, and that there is nothing at the origin is seen to by the role.
    for (const key of await streamSiteKeys(tx, actor.organizationId))
      await enqueue(tx, actor.organizationId, ['edge-purges', 'edge-site'], key)
    await republishPeers(tx, actor.organizationId, id)
    const { name, category, size } = row
    change.record({ entity: 'stream-asset', id, label: name, before: { name, category, size }, after: null })
    return { id }
  },
})

const refused = (code: 30007 | 30008 | 30009, path: string): Failure =>
  new Failure(code, { fields: [{ path, message: `code:${code}` }] })

function present(config: Config, row: AssetRow, isSigned: boolean, now: Date): StreamAsset {
  const [origin, folder] = [streamOrigin(config, row.organization_id), `/${row.id}/`]
  const addresses = (before: string) => ({
    manifestUrl: `${origin}${before}${folder}master.m3u8`,
    posterUrl: row.has_poster ? `${origin}${before}${folder}poster.jpg` : null,
  })
  const { manifestUrl, posterUrl } = addresses('')
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
    manifestUrl: row.is_playable ? manifestUrl : null,
    posterUrl,
    isSigned,
    preview: row.is_playable ? addresses(isSigned ? previewPath(config, row.organization_id, folder, now) : '') : null,
    recordedFrom: row.recorded_from,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    readyAt: row.ready_at?.toISOString() ?? null,
  }
}
