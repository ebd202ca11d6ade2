import {
  LIMITS,
  type Replacement,
  type StreamAsset,
  VIDEO_ENDINGS,
  isTooLarge,
  streamAssets,
  uploadPath,
} from '@fairway/contract'
import { type Config, mediaPlace, previewPath, streamOrigin } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { streamSiteKey } from '../../publish/stream-site.ts'
import { isSigningOn } from '../signed-urls/store.ts'
import { nextFolder } from './folders.ts'
import { removeVideo } from './remove-video.ts'
import { dropReplacement, insertReplacement } from './replacements.ts'
import {
  type AssetRow,
  type ReplacementRow,
  canEncode,
  describe,
  insertAsset,
  isNameTaken,
  listAssets,
  renditionOf,
  videoOf,
  wantFile,
} from './store.ts'
import { lockSources, takeRoom, takeSource } from './take-source.ts'
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
    checkFile(input)
    await takeSource(tx, actor.organizationId)
    if (await isNameTaken(tx, input.name)) throw refused(30007, 'name')
    if (!(await canEncode(tx))) throw new Failure(920901)
    const uploadIn = mediaPlace(services.config)
    refuseFull(services, input.size, uploadIn)
    await takeRoom(tx, services.config, input.size, uploadIn)
    const { organizationId } = actor
    const id = await insertAsset(tx, { ...input, organizationId, uploadIn, createdBy: actor.label })
    if (uploadIn === '') await openUpload(services.config, id, input.size)
    await enqueue(tx, organizationId, ['edge-site'], streamSiteKey(organizationId))
    change.record({ entity: 'stream-asset', id, label: input.name, before: null, after: { ...input } })
    const data = present(services.config, await videoOf(tx, id), await isSigningOn(tx, actor.organizationId), now)
    return { data, uploadUrl: uploadPath(id) }
  },

  async update({ tx, actor, services, change, now }, { id, name, category }) {
    // A name that is free stays so until it is taken.
    await lockSources(tx, actor.organizationId)
    const row = await videoOf(tx, id)
    const after = { name: name ?? row.name, category: category ?? row.category }
    if (after.name.toLowerCase() !== row.name.toLowerCase() && (await isNameTaken(tx, after.name)))
      throw refused(30007, 'name')
    if (after.name !== row.name || after.category !== row.category) {
      await describe(tx, id, after)
      const before = { name: row.name, category: row.category }
      change.record({ entity: 'stream-asset', id, label: row.name, before, after })
    }
    return present(services.config, await videoOf(tx, id), await isSigningOn(tx, actor.organizationId), now)
  },

  async remove({ tx, actor, change }, { id }) {
    change.record(await removeVideo(tx, actor.organizationId, id))
    return { id }
  },

  async replace({ tx, actor, services, change, now }, { id, ...input }) {
    checkFile(input)
    await lockSources(tx, actor.organizationId)
    const edition = await nextFolder(tx, await videoOf(tx, id))
    const row = await videoOf(tx, id)
    // What does not play is removed and uploaded anew; a recording has to be whole first.
    if (!row.is_playable || row.state === 'processing') throw new Failure(30025)
    if (row.replacement && row.replacement.state !== 'failed') throw new Failure(30025)
    if (!(await canEncode(tx))) throw new Failure(920901)
    const uploadIn = mediaPlace(services.config)
    refuseFull(services, input.size, uploadIn)
    await dropReplacement(tx, row)
    await takeRoom(tx, services.config, input.size, uploadIn)
    const upload = await insertReplacement(tx, row, { ...input, edition, uploadIn, createdBy: actor.label })
    if (uploadIn === '') await openUpload(services.config, upload, input.size)
    change.record({
      entity: 'stream-asset',
      id,
      label: row.name,
      before: { file: row.file_name ?? row.name, size: row.size },
      after: { file: input.name, size: input.size },
    })
    const data = present(services.config, await videoOf(tx, id), await isSigningOn(tx, actor.organizationId), now)
    return { data, uploadUrl: uploadPath(upload) }
  },

  async dropReplacement({ tx, change }, { id }) {
    const row = await videoOf(tx, id)
    if (!row.replacement || !(await dropReplacement(tx, row))) throw new Failure(404)
    const { name: file, size } = row.replacement
    change.record({ entity: 'stream-asset', id, label: row.name, before: { file, size }, after: null })
    return { id }
  },

  async makeFile({ tx, actor, services, change, now }, { id, rendition }) {
    await lockSources(tx, actor.organizationId)
    const row = await videoOf(tx, id)
    const found = await renditionOf(tx, row.id, rendition)
    if (!found) throw new Failure(30026)
    if (!(await canEncode(tx))) throw new Failure(920901)
    const bits = row.renditions.find(({ name }) => name === rendition)?.averageBitrate ?? 0
    const bytes = Math.ceil((bits / 8) * (row.source?.seconds ?? 0))
    refuseFull(services, bytes, '')
    // What it is counted with already is not asked for again.
    if (found.state === null || found.state === 'failed') await takeRoom(tx, services.config, bytes)
    await wantFile(tx, row, found.jobId, actor.label)
    change.record({ entity: 'stream-asset', id, label: row.name, before: null, after: { file: rendition } })
    return present(services.config, await videoOf(tx, id), await isSigningOn(tx, actor.organizationId), now)
  },
})

/** @throws Failure when it is none that is taken */
function checkFile({ name, size }: { name: string; size: number }): void {
  const ending = name.toLowerCase().split('.').at(-1) ?? ''
  if (!VIDEO_ENDINGS.includes(ending)) throw refused(30008, 'name')
  if (isTooLarge(size)) throw refused(30009, 'size')
}

const refused = (code: 30007 | 30008 | 30009, path: string): Failure =>
  new Failure(code, { fields: [{ path, message: `code:${code}` }] })

/** A picture that was chosen has an address of its own, so that nobody shows an old one by the same. */
export const posterPath = ({ poster_number: number }: AssetRow): string =>
  number === null ? 'poster.jpg' : `poster-${number}/poster.jpg`

const uploadUrlOf = ({ id, state }: Pick<AssetRow, 'id' | 'state'>): string | null =>
  state === 'uploading' ? uploadPath(id) : null

const presentReplacement = (config: Config, row: ReplacementRow): Replacement => ({
  name: row.name,
  size: row.size,
  loaded: row.state === 'uploading' ? Math.min(row.size, loadedOf(config, row)) : row.size,
  state: row.state,
  uploadUrl: uploadUrlOf(row),
  reasonCode: row.reason_code,
  reason: row.reason,
  progress: row.progress,
  secondsLeft: row.seconds_left,
  atOnce: row.at_once,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at).toISOString(),
})

function present(config: Config, row: AssetRow, isSigned: boolean, now: Date): StreamAsset {
  const [origin, folder] = [streamOrigin(config, row.organization_id), `/${row.id}/`]
  const addresses = (before: string) => ({
    manifestUrl: `${origin}${before}${folder}master.m3u8`,
    posterUrl: row.has_poster ? `${origin}${before}${folder}${posterPath(row)}` : null,
  })
  const { manifestUrl, posterUrl } = addresses('')
  return {
    id: row.id,
    name: row.name,
    category: row.category,
    size: row.size,
    loaded: row.state === 'uploading' ? Math.min(row.size, loadedOf(config, row)) : row.size,
    state: row.state,
    uploadUrl: uploadUrlOf(row),
    reasonCode: row.reason_code,
    reason: row.reason,
    progress: row.progress,
    secondsLeft: row.seconds_left,
    isPlayable: row.is_playable,
    source: row.source,
    renditions: row.renditions,
    manifestUrl: row.is_playable ? manifestUrl : null,
    dashUrl: row.has_dash === true ? `${origin}${folder}manifest.mpd` : null,
    posterUrl,
    isSigned,
    preview: row.is_playable ? addresses(isSigned ? previewPath(config, row.organization_id, folder, now) : '') : null,
    recordedFrom: row.recorded_from,
    replacement: row.replacement && presentReplacement(config, row.replacement),
    replacedAt: row.replaced_at?.toISOString() ?? null,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    readyAt: row.ready_at?.toISOString() ?? null,
  }
}
