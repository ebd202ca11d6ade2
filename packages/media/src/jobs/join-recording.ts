import fs from 'node:fs'
import path from 'node:path'
import { readLivePlaylist } from '@fairway/domain'
import type { Work } from '../ffmpeg/encode.ts'
import { remux } from '../ffmpeg/remux.ts'
import { MediaFailure } from '../ffmpeg/run.ts'
import type { Place } from './intake.ts'
import { type JobRow, jobsOf, noteFile } from './store.ts'

/**
 * A recording plays at once: its segments are there. Then it becomes a file, as uploaded videos are. `work.folder` is
 * the video's own. @throws MediaFailure
 */
export async function joinRecording({ database }: Place, job: JobRow, work: Work): Promise<void> {
  work.progress(0)
  const videos = (await database.system((tx) => jobsOf(tx, job.asset_id))).filter(({ kind }) => kind === 'video')
  const best = videos.toSorted((a, b) => a.cost - b.cost).at(-1)
  if (!best) throw new MediaFailure('nothing was recorded')
  const folder = path.join(work.folder, `${best.name}-${best.attempt}`)
  const list = readLivePlaylist(fs.readFileSync(path.join(folder, 'index.m3u8'), 'utf8'))
  if (!list) throw new MediaFailure('nothing was recorded')
  await remux({ folder, list, signal: work.signal, file: work.file })
  if (await database.system((tx) => noteFile(tx, job.asset_id, fs.statSync(work.file).size))) return
  // What was removed is looked for once: nobody would find this any more.
  fs.rmSync(work.file, { force: true })
  throw new MediaFailure('removed')
}
