import fs from 'node:fs'
import path from 'node:path'
import { costOf, ladderOf } from '@fairway/domain'
import type { VideoSource } from '@fairway/contract'
import { type Config, type Database, type DiskGauge, type Log, mediaFolders, streamKey } from '@fairway/platform'
import { Refused, probe } from '../ffmpeg/probe.ts'
import { type PlannedJob, fail, filesRemoved, plan, queued, removed, setState, uploading } from './store.ts'

export type Place = { config: Config; database: Database; log: Log; disk: DiskGauge }

export const folderOf = (config: Config, asset: { id: string; organization_id: string }): string =>
  path.join(mediaFolders(config).assets, streamKey(asset.organization_id), asset.id)
export const fileOf = (config: Config, id: string): string => path.join(mediaFolders(config).uploads, id)

/** Looks at what has arrived whole, plans what is to be made of it, and removes what nobody wants any more. */
export async function takeIn({ config, database, log }: Place, canEncode: boolean, signal: AbortSignal): Promise<void> {
  for (const asset of await database.system(removed)) {
    const file = fileOf(config, asset.file_id)
    for (const gone of [file, `${file}.json`, `${fileOf(config, asset.id)}.json`, folderOf(config, asset)])
      fs.rmSync(gone, { recursive: true, force: true })
    await database.system((tx) => filesRemoved(tx, asset.id))
  }
  for (const asset of await database.system(uploading)) {
    const isWhole = (fs.statSync(fileOf(config, asset.file_id), { throwIfNoEntry: false })?.size ?? 0) >= asset.size
    if (isWhole) await database.system((tx) => setState(tx, asset.id, 'queued'))
    else if (asset.is_old) {
      fs.rmSync(fileOf(config, asset.file_id), { force: true })
      await database.system((tx) => fail(tx, asset.id, 30012, ''))
    }
  }
  if (!canEncode) return
  for (const asset of await database.system(queued)) {
    if (signal.aborted) return
    try {
      const source = await probe(fileOf(config, asset.file_id), signal)
      await database.system((tx) => plan(tx, asset, source, jobsFor(source)))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      log.info({ event: 'media.refused', asset: asset.id, code: error.code, why: error.message })
      fs.rmSync(fileOf(config, asset.file_id), { force: true })
      await database.system((tx) => fail(tx, asset.id, error.code, error.message))
    }
  }
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
