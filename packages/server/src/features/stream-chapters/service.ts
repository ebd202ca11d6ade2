import { type Chapter, type Chapters, LIMITS, streamChapters } from '@fairway/contract'
import { inOrder, oddChapter } from '@fairway/domain'
import { type Config, streamOrigin } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { type AssetRow, videoOf } from '../stream-assets/store.ts'
import { forgetFolder, nextFolder } from '../stream-assets/folders.ts'
import { setChapters } from './store.ts'

export const streamChaptersSlice = slice(streamChapters, {
  get: async ({ tx, services }, { asset }) => present(services.config, await videoOf(tx, asset)),

  async set({ tx, actor, services, change }, { asset, chapters }) {
    const number = await nextFolder(tx, await videoOf(tx, asset))
    const before = await videoOf(tx, asset)
    const odd = oddChapter(chapters, before.source?.seconds ?? null)
    if (odd) throw new Failure(400, { fields: [{ path: `chapters.${odd.index}.start`, message: odd.why }] })
    const after = inOrder(chapters)
    await setChapters(tx, asset, after, after.length === 0 ? null : number)
    if (before.chapters_number !== null)
      await forgetFolder(tx, actor.organizationId, asset, chaptersFolder(before.chapters_number))
    change.record({
      entity: 'stream-chapters',
      id: asset,
      label: before.name,
      before: { chapters: before.chapters.map(said) },
      after: { chapters: after.map(said) },
    })
    return present(services.config, await videoOf(tx, asset))
  },
})

const said = ({ start, title }: Chapter): string => `${start} ${title}`
const chaptersFolder = (number: number): string => `chapters-${number}`

function present(config: Config, video: AssetRow): Chapters {
  const folder =
    video.chapters_number === null || !video.chapters_applied
      ? null
      : `${streamOrigin(config, video.organization_id)}/${video.id}/${chaptersFolder(video.chapters_number)}`
  return {
    data: video.chapters,
    limit: LIMITS.chapters,
    isLive: video.chapters_applied,
    jsonUrl: folder && `${folder}/chapters.json`,
    vttUrl: folder && `${folder}/chapters.vtt`,
  }
}
