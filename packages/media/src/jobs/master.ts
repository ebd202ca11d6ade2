import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { VideoSource } from '@fairway/contract'
import {
  type PresentedText,
  type PresentedTrack,
  chaptersJson,
  chaptersVtt,
  masterPlaylist,
  mediaPresentation,
  textPlaylist,
  timedText,
} from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { type Made, codecsOf, segmentsOf, timescaleOf } from '../ffmpeg/measure.ts'
import { folderOf, type Place } from './intake.ts'
import { partOf } from './part-of.ts'
import { showPictures } from './show-pictures.ts'
import {
  type CaptionRow,
  type HeldAsset,
  type JobRow,
  textsApplied,
  captionsOf,
  dashUnknown,
  folderRemoved,
  foldersGone,
  holdAsset,
  jobsOf,
  markPlayable,
  noteDash,
  textsChanged,
} from './store.ts'

/** What sound adds before it has been measured, in bit/s. */
const AUDIO_PEAK = 160_000

/**
 * The playlist of all renditions that can be played by now, with the captions there are; nothing while there is none,
 * or no sound yet. What was taken out of it is removed after.
 */
export async function writeMaster({ config, database }: Place, assetId: string): Promise<void> {
  await database.system(async (tx) => {
    const home = await writeMasterIn(tx, config, assetId)
    if (home === null) return
    for (const folder of await foldersGone(tx, assetId)) {
      fs.rmSync(path.join(home, folder), { recursive: true, force: true })
      await folderRemoved(tx, assetId, folder)
    }
  })
}

/**
 * The same in the transaction that makes it necessary: the playlist says it before others see it. Nothing is removed,
 * since the transaction may fail yet. Answers the video's folder, null when the video is gone.
 */
export async function writeMasterIn(tx: Tx, config: Place['config'], assetId: string): Promise<string | null> {
  // One after the other, so that an older list never takes the place of a newer one.
  const asset = await holdAsset(tx, assetId)
  if (!asset) return null
  const home = folderOf(config, asset)
  if (asset.source !== null && fs.existsSync(home)) await write(tx, { ...asset, source: asset.source }, home)
  return home
}

/** Sees to captions that were added, changed or taken away. */
export const writeTexts = async (place: Place): Promise<void> =>
  writeAll(place, await place.database.system(textsChanged))

async function writeAll(place: Place, ids: readonly string[]): Promise<void> {
  const failures: unknown[] = []
  // One that cannot be written keeps no other from being.
  for (const id of ids) await writeMaster(place, id).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Writes those playlists again that stand there without DASH, some at a time; false when it has been through. */
export function olderManifests(place: Place): () => Promise<boolean> {
  let after: string | undefined = '00000000-0000-0000-0000-000000000000'
  return async () => {
    if (after === undefined) return false
    const from: string = after
    const some = await place.database.system((tx) => dashUnknown(tx, from))
    after = some.at(-1)
    await writeAll(place, some)
    return after !== undefined
  }
}

async function write(tx: Tx, asset: HeldAsset & { source: VideoSource }, home: string): Promise<void> {
  const { id, source } = asset
  const jobs = await jobsOf(tx, id)
  const audio = jobs.find(({ kind }) => kind === 'audio')
  if (audio && audio.state !== 'done') return
  const variants = jobs.flatMap((job) => {
    const folder = path.join(home, partOf(job))
    const made = job.kind === 'video' && isBegun(folder) ? madeOf(job, folder) : null
    if (made === null) return []
    return [
      {
        uri: `${partOf(job)}/index.m3u8`,
        width: job.spec.width,
        height: job.spec.height,
        fps: job.spec.fps,
        codecs: [made.codecs, ...(audio ? ['mp4a.40.2'] : [])].join(),
        peakBitrate: made.peakBitrate + (audio?.made?.peakBitrate ?? 0),
        averageBitrate: made.averageBitrate === null ? null : made.averageBitrate + (audio?.made?.averageBitrate ?? 0),
      },
    ]
  })
  if (variants.length === 0) return
  const captions = await captionsOf(tx, id)
  const texts = captions.map((caption) => writeText(home, caption, source.seconds))
  writeWhole(
    path.join(home, 'master.m3u8'),
    masterPlaylist(variants, audio ? `${partOf(audio)}/index.m3u8` : null, false, texts, writeChapters(home, asset)),
  )
  await noteDash(tx, id, writeManifest(home, jobs, texts))
  await showPictures(tx, asset, jobs, home)
  await markPlayable(tx, id)
  await textsApplied(tx, id)
}

/** The same for DASH, whose players are told of a quality when it is whole. Whether there is one. */
function writeManifest(home: string, jobs: readonly JobRow[], texts: readonly WrittenText[]): boolean {
  const tracks = (kind: JobRow['kind']) =>
    jobs.flatMap((job) => {
      const track = job.kind === kind && job.state === 'done' ? presented(home, job) : null
      return track === null ? [] : [{ ...track, width: job.spec.width, height: job.spec.height, fps: job.spec.fps }]
    })
  const [file, audio] = [path.join(home, 'manifest.mpd'), tracks('audio')[0] ?? null]
  const captions = texts.map((text) => ({ ...text, uri: text.file }))
  // Sound that cannot be told of is not left away in silence.
  const isHeard = audio !== null || !jobs.some(({ kind }) => kind === 'audio')
  const text = isHeard ? mediaPresentation({ videos: tracks('video'), audio, texts: captions }) : null
  if (text === null) fs.rmSync(file, { force: true })
  else writeWhole(file, text)
  return text !== null
}

function presented(home: string, job: JobRow): PresentedTrack | null {
  const part = partOf(job)
  const [index, init] = ['index.m3u8', 'init.mp4'].map((name) => path.join(home, part, name))
  if (!job.made || !index || !init || !fs.existsSync(index) || !fs.existsSync(init)) return null
  const timescale = timescaleOf(fs.readFileSync(init))
  const segments = segmentsOf(fs.readFileSync(index, 'utf8'))
  return timescale === null
    ? null
    : { part, codecs: job.made.codecs, peakBitrate: job.made.peakBitrate, timescale, segments }
}

const TEXT = 'text.vtt'
type WrittenText = PresentedText & { file: string }

/** One file for the whole film, in a folder that never holds another text. */
function writeText(home: string, caption: CaptionRow, seconds: number): WrittenText {
  const part = `text-${caption.number}`
  const folder = path.join(home, part)
  if (!fs.existsSync(path.join(folder, TEXT))) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeWhole(path.join(folder, TEXT), timedText(caption.body))
  }
  // A film that was replaced may be longer or shorter.
  const [playlist, index] = [textPlaylist(seconds, TEXT), path.join(folder, 'index.m3u8')]
  if (!fs.existsSync(index) || fs.readFileSync(index, 'utf8') !== playlist) writeWhole(index, playlist)
  const { language, label, kind, is_default: isDefault } = caption
  const [file, bytes] = [`${part}/${TEXT}`, Buffer.byteLength(caption.body)]
  return { uri: `${part}/index.m3u8`, file, bytes, language, label, kind, isDefault }
}

/** Answers where the playlist finds them; null when there are none. */
function writeChapters(home: string, { chapters, chapters_number, source }: HeldAsset): string | null {
  if (chapters_number === null) return null
  const part = `chapters-${chapters_number}`
  const folder = path.join(home, part)
  if (!fs.existsSync(path.join(folder, 'chapters.json'))) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeWhole(path.join(folder, 'chapters.vtt'), chaptersVtt(chapters, source?.seconds ?? 0))
    writeWhole(path.join(folder, 'chapters.json'), chaptersJson(chapters))
  }
  return `${part}/chapters.json`
}

/** Readers see the old file or the new one. */
function writeWhole(file: string, text: string): void {
  const draft = `${file}.${crypto.randomUUID()}`
  fs.writeFileSync(draft, text)
  fs.renameSync(draft, file)
}

const isBegun = (folder: string): boolean => fs.existsSync(path.join(folder, 'index.m3u8'))

function madeOf(
  job: JobRow,
  folder: string,
): (Omit<Made, 'averageBitrate'> & { averageBitrate: number | null }) | null {
  if (job.made) return job.made
  if (job.state !== 'running') return null
  const codecs = codecsOf(fs.readFileSync(path.join(folder, 'init.mp4')))
  return { codecs, peakBitrate: job.spec.maxBitrate + AUDIO_PEAK, averageBitrate: null }
}
