import { LIMITS, type Thumbnail, streamThumbnails } from '@fairway/contract'
import { imageFormat } from '@fairway/domain'
import { type Config, previewPath, streamOrigin } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { isSigningOn } from '../signed-urls/store.ts'
import { nextFolder } from '../stream-assets/folders.ts'
import { posterPath } from '../stream-assets/service.ts'
import { type AssetRow, videoOf } from '../stream-assets/store.ts'
import { type ThumbnailRow, thumbnailOf, wantThumbnail } from './store.ts'

export const streamThumbnailsSlice = slice(streamThumbnails, {
  async get({ tx, actor, services, now }, { asset }) {
    const video = await videoOf(tx, asset)
    const isSigned = await isSigningOn(tx, actor.organizationId)
    return present(services.config, video, await thumbnailOf(tx, asset), isSigned, now)
  },

  async set({ tx, actor, services, change, now }, { asset, thumbnail }) {
    const number = await nextFolder(tx, await videoOf(tx, asset))
    const video = await videoOf(tx, asset)
    if (video.source === null) throw new Failure(30027)
    const at = thumbnail.kind === 'moment' ? thumbnail.at : null
    if (at !== null && at >= video.source.seconds) throw refused('at', 'validation.thumbnailLate')
    const picture = thumbnail.kind === 'picture' ? pictureOf(thumbnail.file) : null
    const before = await thumbnailOf(tx, asset)
    const { organizationId, label: createdBy } = actor
    await wantThumbnail(tx, { organizationId, assetId: asset, kind: thumbnail.kind, at, picture, number, createdBy })
    const row = await thumbnailOf(tx, asset)
    change.record({
      entity: 'stream-thumbnail',
      id: asset,
      label: video.name,
      before: recorded(before),
      after: recorded(row),
    })
    return present(services.config, video, row, await isSigningOn(tx, organizationId), now)
  },
})

const refused = (path: string, message: string): Failure =>
  new Failure(400, { fields: [{ path: `thumbnail.${path}`, message }] })

/** Looked at by what it says it is; the role draws it anew. @throws Failure 413 when it is too large */
function pictureOf(file: string): Buffer {
  const bytes = Buffer.from(file, 'base64')
  if (bytes.length > LIMITS.thumbnailBytes) throw new Failure(413)
  if (imageFormat(bytes) === null) throw refused('file', 'validation.thumbnailFormat')
  return bytes
}

const recorded = (row: ThumbnailRow | undefined): { kind: string; at: number | null } => ({
  kind: row?.kind ?? 'automatic',
  at: row?.at ?? null,
})

function present(
  config: Config,
  video: AssetRow,
  row: ThumbnailRow | undefined,
  isSigned: boolean,
  now: Date,
): Thumbnail {
  const [origin, folder] = [streamOrigin(config, video.organization_id), `/${video.id}/`]
  const inside = `${origin}${isSigned ? previewPath(config, video.organization_id, folder, now) : ''}${folder}`
  return {
    kind: row?.kind ?? 'automatic',
    at: row?.at ?? null,
    state: row?.reason_code ? 'failed' : row && row.applied_at === null ? 'making' : 'live',
    reasonCode: row?.reason_code ?? null,
    reason: row?.reason ?? '',
    url: video.has_poster ? `${origin}${folder}${posterPath(video)}` : null,
    previewUrl: video.has_poster ? `${inside}${posterPath(video)}` : null,
    spriteUrl: video.has_poster ? `${inside}sprite.jpg` : null,
    changedBy: row?.created_by ?? null,
    changedAt: row?.changed_at.toISOString() ?? null,
  }
}
