import { execFile, spawn } from 'node:child_process'
import crypto from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { FEATURES, type StreamAsset } from '@fairway/contract'
import { ladderOf } from '@fairway/domain'
import { type Installation, startInstallation } from '../../installation/start-installation.ts'
import { quantile } from '../figures.ts'
import { registerOperator } from '../operator.ts'
import { cpuSeconds, endedCpuSeconds } from '../process-cpu.ts'
import { type Film, fromEdge, makeFilm, namedIn, ready, upload } from './film.ts'
import { loadOfMachine } from './load-of-machine.ts'

const { streamAssets } = FEATURES
const ENDS = 10
const SOURCE = { size: '1920x1080', fps: 30, seconds: 60, noise: 4, sound: true }
const GOALS = { playableSeconds: 10, cpu: 1.1 }
const SEGMENT_SECONDS = 4
const KEY_FRAMES = `expr:gte(t,n_forced*${SEGMENT_SECONDS})`

/**
 * A film of a minute is uploaded: when it plays, what its qualities cost beside one plain ffmpeg that makes the same,
 * and whether each has the same pictures at the same times. Then once more, while the role is ended again and again.
 */
export async function benchEncode(
  say: (line: string) => void,
  ends = ENDS,
  source: typeof SOURCE = SOURCE,
): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-encode-'))
  using _folder = { [Symbol.dispose]: () => fs.rmSync(folder, { recursive: true, force: true }) }
  await using world = await startInstallation({ command: 'up' })
  await registerOperator(world)
  const film = await makeFilm(folder, source)
  // Before and after, for a machine that is not as fast at all times.
  const plain = [await encodePlainly(film, source, path.join(folder, 'plain'))]
  const { media } = world.roles()
  if (!media?.pid) throw new Error('media does not run')
  const usedBefore = cpuSeconds(media.pid)
  const id = await upload(world, film.file)
  const sentAt = performance.now()
  await playable(world, id)
  const playableSeconds = (performance.now() - sentAt) / 1000
  const asset = await ready(world, id)
  const wholeSeconds = (performance.now() - sentAt) / 1000
  const used = cpuSeconds(media.pid) - usedBefore
  plain.push(await encodePlainly(film, source, path.join(folder, 'plain')))
  const usual = plain.reduce((sum, one) => sum + one, 0) / plain.length
  say(
    `${source.seconds} s of ${source.size} (${(fs.statSync(film.file).size / 1e6).toFixed(0)} MB): plays ${playableSeconds.toFixed(1)} s after its last byte (goal ${GOALS.playableSeconds}), whole after ${wholeSeconds.toFixed(0)} s`,
  )
  say(
    `CPU of ${asset.renditions.length} qualities, sound, poster and scrubbing pictures ${used.toFixed(1)} s; of one plain ffmpeg for the same qualities and sound ${plain.map((one) => one.toFixed(1)).join(' and ')} s: ${(used / usual).toFixed(2)} times (goal ${GOALS.cpu})`,
  )
  say(`pictures and their times beside the plain run: ${await compared(world, asset, folder)}`)

  const startedAt = performance.now()
  const other = await upload(world, film.file)
  const backMs: number[] = []
  for (let end = 0; end < ends; end++) {
    await sleep((crypto.randomInt(1_000) / 1_000) * ((2_000 * wholeSeconds) / ends))
    if ((await world.api(streamAssets.routes.get, { id: other })).state === 'ready') break
    const began = performance.now()
    await world.restarted('media', world.kill('media'), 60_000)
    backMs.push(performance.now() - began)
  }
  const survived = await ready(world, other)
  say(
    `${backMs.length} times kill -9 of the role at random moments: back after p50 ${quantile(backMs, 0.5).toFixed(0)} ms, whole after ${((performance.now() - startedAt) / 1000).toFixed(0)} s; ${await compared(world, survived, folder)}`,
  )
  say(loadOfMachine())
}

/** When a first segment with its playlist and sound can be had from the edge. */
async function playable(world: Installation, id: string): Promise<void> {
  for (;;) {
    const { manifestUrl } = await world.api(streamAssets.routes.get, { id })
    const master = manifestUrl === null ? null : await fromEdge(world, manifestUrl)
    const [list] = master?.status === 200 ? namedIn(master.body.toString(), manifestUrl ?? '') : []
    const [segment] = list === undefined ? [] : namedIn((await fromEdge(world, list)).body.toString(), list)
    if (segment !== undefined && (await fromEdge(world, segment)).status === 200) return
    await sleep(50)
  }
}

/** Answers the CPU seconds of one ffmpeg that reads once and writes every quality. */
async function encodePlainly(film: Film, { size, fps }: typeof SOURCE, folder: string): Promise<number> {
  fs.rmSync(folder, { recursive: true, force: true })
  const [width = 0, height = 0] = size.split('x').map(Number)
  const rungs = ladderOf({ width, height, fps })
  for (const { name } of [...rungs, { name: 'audio' }]) fs.mkdirSync(path.join(folder, name), { recursive: true })
  const split = `[0:v]split=${rungs.length}${rungs.map((_, at) => `[in${at}]`).join('')}`
  const scaled = rungs.map(
    (rung, at) => `[in${at}]scale=${rung.width}:${rung.height},setsar=1,fps=${rung.fps}[out${at}]`,
  )
  const to = (name: string) =>
    `-f hls -hls_time ${SEGMENT_SECONDS} -hls_playlist_type vod -hls_segment_type fmp4 -hls_fmp4_init_filename init.mp4 -hls_segment_filename ${folder}/${name}/s%05d.m4s ${folder}/${name}/index.m3u8`
  const outputs = rungs.map(
    ({ name, maxBitrate }, at) =>
      `-map [out${at}] -c:v libx264 -preset veryfast -profile:v high -pix_fmt yuv420p -crf 23 -maxrate ${maxBitrate} -bufsize ${maxBitrate * 2} -sc_threshold 0 -force_key_frames ${KEY_FRAMES} ${to(name)}`,
  )
  const words = `-v error -nostdin -y -i ${film.file} -threads ${os.availableParallelism()} -filter_complex ${[split, ...scaled].join(';')} ${outputs.join(' ')} -map 0:a:0 -c:a aac -b:a 128000 -ac 2 -ar 48000 ${to('audio')}`
  const before = endedCpuSeconds(process.pid)
  const child = spawn('nice', ['-n', '10', 'ffmpeg', ...words.split(' ')], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`the plain ffmpeg ended with ${code}`)
  return endedCpuSeconds(process.pid) - before
}

/** Every quality as viewers get it, beside that of the plain run. */
async function compared(world: Installation, asset: StreamAsset, folder: string): Promise<string> {
  const manifest = asset.manifestUrl ?? ''
  const lists = namedIn((await fromEdge(world, manifest)).body.toString(), manifest)
  const said: string[] = []
  for (const [at, { name }] of asset.renditions.entries()) {
    const list = lists[at] ?? ''
    const text = (await fromEdge(world, list)).body.toString()
    const pieces = await Promise.all(piecesOf(text).map((uri) => fromEdge(world, new URL(uri, list).href)))
    if (!pieces.every(({ status }) => status === 200)) return `${name} IS NOT WHOLE`
    const plainly = path.join(folder, 'plain', name)
    const plainText = fs.readFileSync(path.join(plainly, 'index.m3u8'), 'utf8')
    const ours = await timesIn(
      pieces.map(({ body }) => body),
      folder,
    )
    const plain = await timesIn(
      piecesOf(plainText).map((uri) => fs.readFileSync(path.join(plainly, uri))),
      folder,
    )
    const isSame =
      ours.length === plain.length && ours.every((time, index) => Math.abs(time - (plain[index] ?? 0)) < 0.001)
    said.push(
      `${name} ${ours.length} of ${plain.length} pictures, ${new Set(ours).size === ours.length ? 'none twice' : 'SOME TWICE'}, times ${isSame ? 'equal' : 'DIFFERENT'}`,
    )
  }
  return said.join('; ')
}

/** What a playlist of a quality names, its beginning first. */
function piecesOf(playlist: string): string[] {
  const map = /#EXT-X-MAP:URI="([^"]+)"/.exec(playlist)?.[1] ?? ''
  return [map, ...playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'))]
}

/** Presentation times of all pictures in order. */
async function timesIn(pieces: readonly Buffer[], folder: string): Promise<number[]> {
  const file = path.join(folder, 'looked-at.mp4')
  fs.writeFileSync(file, Buffer.concat(pieces))
  const words = '-v error -select_streams v:0 -show_entries packet=pts_time -of csv=p=0'
  const { stdout } = await promisify(execFile)('ffprobe', [...words.split(' '), file], { maxBuffer: 16 << 20 })
  return stdout
    .split('\n')
    .map((line) => Number.parseFloat(line))
    .filter((time) => !Number.isNaN(time))
    .sort((a, b) => a - b)
}
