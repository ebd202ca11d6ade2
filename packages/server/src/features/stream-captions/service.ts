import { type Caption, LIMITS, streamCaptions } from '@fairway/contract'
import { isCaptionProblem, readCaptions } from '@fairway/domain'
import { type Config, streamOrigin, type Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { forgetFolder, nextFolder } from '../stream-assets/folders.ts'
import { type AssetRow, videoOf } from '../stream-assets/store.ts'
import {
  type CaptionRow,
  type CaptionText,
  bodyOf,
  captionById,
  captionsOf,
  deleteCaption,
  insertCaption,
  onlyDefault,
  renameCaption,
  retextCaption,
} from './store.ts'

export const streamCaptionsSlice = slice(streamCaptions, {
  async list({ tx, services }, { asset }) {
    const video = await videoOf(tx, asset)
    const rows = await captionsOf(tx, video.id)
    return { data: rows.map((row) => present(services.config, video, row)), limit: LIMITS.captions.perVideo }
  },

  async file({ tx, reply }, { asset, id }) {
    const row = await captionOf(tx, await videoOf(tx, asset), id)
    reply.type('text/vtt; charset=utf-8').header('content-disposition', `attachment; filename="${row.language}.vtt"`)
    return bodyOf(tx, row.id)
  },

  async create({ tx, actor, services, change }, { asset, file, ...named }) {
    const text = textOf(file)
    const video = await videoOf(tx, asset)
    const number = await nextFolder(tx, video)
    const others = await captionsOf(tx, video.id)
    if (others.length >= LIMITS.captions.perVideo) throw new Failure(30023)
    const names = { ...named, language: canonical(named.language) }
    refuseTaken(others, names)
    const { organizationId, label: createdBy } = actor
    const id = await insertCaption(tx, { ...names, ...text, organizationId, assetId: video.id, number, createdBy })
    if (names.isDefault) await onlyDefault(tx, video.id, id)
    const row = await captionOf(tx, video, id)
    change.record({ entity: 'stream-caption', id, label: labelOf(video, row), before: null, after: recorded(row) })
    return present(services.config, video, row)
  },

  async update({ tx, actor, services, change }, { asset, id, file, ...named }) {
    const text = file === undefined ? null : textOf(file)
    const video = await videoOf(tx, asset)
    const number = await nextFolder(tx, video)
    const before = await captionOf(tx, video, id)
    const names = {
      language: named.language === undefined ? before.language : canonical(named.language),
      label: named.label ?? before.label,
      kind: named.kind ?? before.kind,
      isDefault: named.isDefault ?? before.is_default,
    }
    refuseTaken(
      (await captionsOf(tx, video.id)).filter((other) => other.id !== id),
      names,
    )
    await renameCaption(tx, id, names)
    if (names.isDefault) await onlyDefault(tx, video.id, id)
    if (text !== null) {
      await retextCaption(tx, id, number, text)
      await forgetFolder(tx, actor.organizationId, video.id, folderName(before.number))
    }
    const row = await captionOf(tx, video, id)
    change.record({
      entity: 'stream-caption',
      id,
      label: labelOf(video, row),
      before: recorded(before),
      after: recorded(row),
    })
    return present(services.config, video, row)
  },

  async remove({ tx, actor, change }, { asset, id }) {
    const video = await videoOf(tx, asset)
    await nextFolder(tx, video)
    const row = await captionOf(tx, video, id)
    await deleteCaption(tx, id)
    await forgetFolder(tx, actor.organizationId, video.id, folderName(row.number))
    change.record({ entity: 'stream-caption', id, label: labelOf(video, row), before: recorded(row), after: null })
    return { id }
  },
})

async function captionOf(tx: Tx, video: AssetRow, id: string): Promise<CaptionRow> {
  const row = isUuid(id) ? await captionById(tx, video.id, id) : undefined
  if (!row) throw new Failure(404)
  return row
}

/** @throws Failure 30022 when it is too large, 30020 with what is wrong in which line */
function textOf(file: string): CaptionText {
  const bytes = Buffer.from(file, 'base64')
  if (bytes.length > LIMITS.captions.bytes) throw new Failure(30022)
  const read = readCaptions(bytes)
  if (isCaptionProblem(read))
    throw new Failure(30020, { fields: [{ path: 'file', message: `${read.fault}:${read.line}` }] })
  return { body: read.text, cues: read.cues, endsAt: read.endsAt }
}

/** `EN-us` → `en-US` */
const canonical = (language: string): string => Intl.getCanonicalLocales(language)[0] ?? language

function refuseTaken(others: readonly CaptionRow[], of: { language: string; label: string; kind: string }): void {
  if (others.some(({ language, kind }) => language === of.language && kind === of.kind))
    throw new Failure(30021, { fields: [{ path: 'language', message: 'code:30021' }] })
  if (others.some(({ label }) => label.toLowerCase() === of.label.toLowerCase()))
    throw new Failure(30021, { fields: [{ path: 'label', message: 'code:30021' }] })
}

const folderName = (number: number): string => `text-${number}`
const labelOf = (video: AssetRow, { label }: CaptionRow): string => `${video.name}: ${label}`
const recorded = ({ language, label, kind, is_default, cues, size }: CaptionRow) => ({
  language,
  label,
  kind,
  isDefault: is_default,
  cues,
  size,
})

const present = (config: Config, video: AssetRow, row: CaptionRow): Caption => ({
  id: row.id,
  language: row.language,
  label: row.label,
  kind: row.kind,
  isDefault: row.is_default,
  cues: row.cues,
  endsAt: row.ends_at,
  size: row.size,
  isLive: row.is_live,
  url: row.is_live
    ? `${streamOrigin(config, video.organization_id)}/${video.id}/${folderName(row.number)}/text.vtt`
    : null,
  createdBy: row.created_by,
  changedAt: row.changed_at.toISOString(),
})
