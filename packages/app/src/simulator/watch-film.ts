import crypto from 'node:crypto'
import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { PlayerEvent } from '@fairway/contract'
import type { HostPort } from '@fairway/platform'
import { send } from './asked.ts'
import { browserHeaders } from './browsers.ts'
import type { Person } from './crowd.ts'
import { networkFactor, scattered, typicalRttMs } from './latency-model.ts'
import { VISITORS_ADDRESS } from './visitors-address.ts'

/** What became of a request at the edge: `HIT` or another of its words, and null when none came. */
export type AskedOfEdge = { path: string; status: number; outcome: string | null }

/** A video that plays, and where its players tell of views. */
export type Film = { manifestUrl: string; address: string; seconds: number }

const BEAT_MS = 10_000
/** Of those who begin: some leave early, a few wait for their line. */
const LEAVE = 0.35
const STALL = 0.08

/**
 * Watches a film as a page with the script would: asks the edge for playlists and segments, says so in CMCD, and tells
 * the collector. How long its line takes is by the model, what the edge takes is real.
 */
export async function watchFilm(
  { manifestUrl, address, seconds }: Film,
  person: Person,
  edge: HostPort,
  {
    agent,
    random,
    signal,
    asked,
  }: { agent: http.Agent; random: () => number; signal: AbortSignal; asked?: (one: AskedOfEdge) => void },
): Promise<void> {
  const view = crypto.randomBytes(12).toString('hex')
  const headers = { ...browserHeaders(random), 'x-forwarded-for': person.address }
  const wayMs = scattered(typicalRttMs(person.country, 'edge') * networkFactor(person.network, 'edge'), random)
  const throughput = Math.round(scattered(900_000 / (wayMs + 30), random))
  const ask = (url: URL, cmcd: string) => {
    const said = `CMCD=${encodeURIComponent(`${cmcd},sid="${view}",mtp=${throughput}`)}`
    return text(agent, { ...edge, path: `${url.pathname}?${said}`, headers: { ...headers, host: url.host } }, asked)
  }
  let number = 0
  const tell = (events: PlayerEvent[]) => {
    const body = JSON.stringify({ v: 1, i: view, n: number++, p: 'hls.js-1.7.4', e: events })
    const to = new URL(address)
    return send(
      agent,
      {
        host: to.hostname,
        port: to.port,
        method: 'POST',
        path: to.pathname,
        headers: { ...headers, 'content-type': 'text/plain', 'content-length': Buffer.byteLength(body) },
      },
      body,
    )
  }
  const began = performance.now()
  const master = new URL(manifestUrl)
  const rungs = rungsOf((await ask(master, 'ot=m,su')) ?? '')
  // The best that the line carries, else the least.
  const rung = rungs.findLast(({ kbps }) => kbps * 1.3 < throughput) ?? rungs[0]
  if (!rung)
    return void (await tell([
      { k: 'start', a: 0 },
      { k: 'error', a: 0, x: 'manifestLoadError', f: 1 },
    ]))
  const media = new URL(rung.uri, master)
  const segments = linesOf((await ask(media, 'ot=m,su')) ?? '')
  const length = (seconds * 1000) / Math.max(1, segments.length)
  const until = random() < LEAVE ? Math.ceil(random() * segments.length) : segments.length
  const common = { b: rung.kbps, h: rung.height }
  let [watched, toldWatched, position] = [0, 0, 0]
  const watch = async (ms: number) => {
    await delay(ms, undefined, { signal })
    watched += ms
    position += ms
  }
  const seen = () => {
    const w = Math.round(watched - toldWatched)
    toldWatched = watched
    return {
      ...common,
      a: 0,
      w,
      p: Math.round(position),
      r: Math.min(100, Math.round((position * 100) / (seconds * 1000))),
      t: throughput,
    }
  }
  for (let at = 0; at < until; at++) {
    const first = at === 0 ? ',su' : `,bl=${Math.round(length)}`
    await ask(new URL(segments[at] ?? '', media), `ot=v,br=${rung.kbps},d=${Math.round(length)}${first}`)
    if (at === 0) {
      const m = Math.round(performance.now() - began + wayMs * 4 + 150)
      await tell([
        { k: 'start', a: Math.min(m, 120_000) },
        { ...common, k: 'first', a: 0, m },
      ])
    }
    if (at > 0 && random() < STALL / segments.length) {
      const m = Math.round(400 + random() * 3_000)
      const slow = Math.round(rung.kbps * (0.3 + random() * 0.6))
      await tell([{ ...seen(), k: 'stall', t: slow, l: 0 }])
      await delay(m, undefined, { signal })
      await tell([{ ...common, k: 'resume', a: 0, m, t: slow }])
    }
    await watch(length)
    if (watched - toldWatched >= BEAT_MS - length) await tell([{ ...seen(), k: 'beat', l: Math.round(length) }])
  }
  await tell([{ ...seen(), k: 'end' }])
}

/** Qualities of a main playlist, the least first. */
function rungsOf(playlist: string): { uri: string; kbps: number; height: number }[] {
  const lines = playlist.split('\n')
  return lines
    .flatMap((line, at) => {
      const bits = /^#EXT-X-STREAM-INF:.*?\bBANDWIDTH=(\d+)/.exec(line)?.[1]
      const height = /RESOLUTION=\d+x(\d+)/.exec(line)?.[1]
      const uri = lines[at + 1]
      return bits && uri ? [{ uri, kbps: Math.round(Number(bits) / 1000), height: Number(height ?? 0) }] : []
    })
    .sort((a, b) => a.kbps - b.kbps)
}

const linesOf = (playlist: string): string[] =>
  playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

/** Content of a 200; null of anything else. */
function text(
  agent: http.Agent,
  options: http.RequestOptions & { path: string },
  asked?: (one: AskedOfEdge) => void,
): Promise<string | null> {
  return new Promise((resolve) => {
    const request = http.request({ agent, timeout: 10_000, localAddress: VISITORS_ADDRESS, ...options }, (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const outcome = response.headers['x-cache']
          asked?.({
            path: options.path,
            status: response.statusCode ?? 0,
            outcome: typeof outcome === 'string' ? outcome : null,
          })
          resolve(response.statusCode === 200 ? Buffer.concat(chunks).toString() : null)
        })
        .on('error', () => resolve(null))
    })
    request
      .on('timeout', () => request.destroy())
      .on('error', () => resolve(null))
      .end()
  })
}
