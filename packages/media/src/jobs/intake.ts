import fs from 'node:fs'
import path from 'node:path'
import { costOf, ladderOf } from '@fairway/domain'
import type { VideoSource } from '@fairway/contract'
import {
  type Config,
  type Database,
  type DiskGauge,
  type Log,
  type Places,
  mediaFolders,
  streamKey,
} from '@fairway/platform'
import { Refused, probe } from '../ffmpeg/probe.ts'
import { sourceHere } from '../stored/source.ts'
import {
  type AssetRow,
  type PlannedJob,
  arrived,
  fail,
  filesRemoved,
  plan,
  queued,
  removed,
  setState,
  uploading,
} from './store.ts'

export type Place = { config: Config; database: Database; log: Log; disk: DiskGauge }

export const folderOf = (config: Config, asset: { id: string; organization_id: string }): string =>
  path.join(mediaFolders(config).assets, streamKey(asset.organization_id), asset.id)
export const fileOf = (config: Config, id: string): string => path.join(mediaFolders(config).uploads, id)

/** Looks at what has arrived whole, plans what is to be made of it, and removes what nobody wants any more. */
export async function takeIn(
  place: Place & { places: Places },
  canEncode: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { config, database, log } = place
  for (const asset of await database.system(removed)) {
    const file = fileOf(config, asset.file_id)
    for (const gone of [file, `${file}.json`, `${fileOf(config, asset.id)}.json`, folderOf(config, asset)])
      fs.rmSync(gone, { recursive: true, force: true })
    await database.system((tx) => filesRemoved(tx, asset.id))
  }
  for (const asset of await database.system(uploading)) {
    if (await isWhole(place, asset, canEncode)) await database.system((tx) => setState(tx, asset.id, 'queued'))
    else if (asset.is_old) {
      fs.rmSync(fileOf(config, asset.file_id), { force: true })
      await database.system((tx) => fail(tx, asset.id, 30012, ''))
    }
  }
  if (!canEncode) return
  for (const asset of await database.system(queued)) {
    if (signal.aborted) return
    try {
      const source = await probe(await sourceHere(place, asset), signal)
      await database.system((tx) => plan(tx, asset, source, jobsFor(source)))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      log.info({ event: 'media.refused', asset: asset.id, code: error.code, why: error.message })
      fs.rmSync(fileOf(config, asset.file_id), { force: true })
      await database.system((tx) => fail(tx, asset.id, error.code, error.message))
    }
  }
}

/** What lies elsewhere is brought here when it is whole, and there is room for it. */
async function isWhole(
  place: Place & { places: Places },
  asset: AssetRow & { loaded: number },
  canEncode: boolean,
): Promise<boolean> {
  const here = () => fs.statSync(fileOf(place.config, asset.file_id), { throwIfNoEntry: false })?.size ?? 0
  if (asset.upload_in === '') return here() >= asset.size
  if (asset.loaded < asset.size || !canEncode || place.disk.level() !== 'enough') return false
  await sourceHere(place, asset)
  if (here() >= asset.size) return true
  // Of two who wrote at once, one has counted what the other took away.
  const bytes = here()
  fs.rmSync(fileOf(place.config, asset.file_id), { force: true })
  await place.database.system((tx) => arrived(tx, asset.id, bytes))
  return false
}

/** Sound, then the cheapest picture, which together can be played; then what makes it nicer. */
export function jobsFor(source: VideoSource): PlannedJob[] {
  const videos = ladderOf(source).map((rung): PlannedJob => ({
    kind: 'video',
    name: rung.name,
    spec: rung,
    cost: costOf(rung) * source.seconds,
  }))
  const one = videos[0]?.cost ?? 1
  return [
    ...(source.audioCodec === null
      ? []
      : [{ kind: 'audio', name: 'audio', spec: {}, cost: one / 10 } satisfies PlannedJob]),
    ...videos.slice(0, 1),
    { kind: 'pictures', name: 'pictures', spec: {}, cost: one / 10 },
    ...videos.slice(1),
  ]
}
