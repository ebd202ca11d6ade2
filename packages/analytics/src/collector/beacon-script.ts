import crypto from 'node:crypto'
import fs from 'node:fs'
import type http from 'node:http'
import path from 'node:path'
import zlib from 'node:zlib'
import { beaconPackage } from './beacon-package.ts'

/** What the API has to know of the script: names of its files, its integrity (SRI), its size. */
export type BeaconFacts = { file: string; package: string; integrity: string; bytes: number; gzipBytes: number }

export type ViewScriptFacts = { file: string; integrity: string; gzipBytes: number }

/** The script that pages load, as served: compressed once, revalidated by its hash. */
export type BeaconScript = {
  source: Buffer
  facts: BeaconFacts
  /** The script that tells of views of videos. */
  views: ViewScriptFacts
  /** The script that viewers of a video pass segments to each other by. */
  peers: ViewScriptFacts
  /**
   * `/b.js`, `/v.js` and `/p.js` are the newest; `/b-<hash>.js`, `/b-<hash>.tgz`, `/v-<hash>.js` and `/p-<hash>.js`
   * never change. True when the path is one of them.
   */
  serve(path: string, request: http.IncomingMessage, response: http.ServerResponse): boolean
}

type File = { body: Buffer; gzip: Buffer | null; etag: string; type: string; immutable: boolean }

const JAVASCRIPT = 'text/javascript; charset=utf-8'
const KEPT = /^[bpv]-[\w-]{16}\.(?:js|tgz)$/

/**
 * `folder` keeps every script that was ever served under its hash: a page that names one with its integrity must get
 * those bytes for ever.
 */
export function loadBeaconScript(folder?: string): BeaconScript {
  const source = fs.readFileSync(path.join(import.meta.dirname, '../beacon-script/beacon.js'))
  const hash = crypto.createHash('sha256').update(source).digest('base64url').slice(0, 16)
  const facts: BeaconFacts = {
    file: `b-${hash}.js`,
    package: `b-${hash}.tgz`,
    integrity: `sha384-${crypto.createHash('sha384').update(source).digest('base64')}`,
    bytes: source.length,
    gzipBytes: zlib.gzipSync(source, { level: 9 }).length,
  }
  const viewSource = fs.readFileSync(path.join(import.meta.dirname, '../view-script/views.js'))
  const peerSource = fs.readFileSync(path.join(import.meta.dirname, '../peer-script/peers.js'))
  const views = factsOf('v', viewSource)
  const peers = factsOf('p', peerSource)
  const files = new Map<string, File>([
    ['/v.js', fileOf(viewSource, 'js', false)],
    [`/${views.file}`, fileOf(viewSource, 'js', true)],
    ['/p.js', fileOf(peerSource, 'js', false)],
    [`/${peers.file}`, fileOf(peerSource, 'js', true)],
    ['/b.js', fileOf(source, 'js', false)],
    [`/${facts.file}`, fileOf(source, 'js', true)],
    [`/${facts.package}`, fileOf(beaconPackage(source.toString(), versionOf(source)), 'tgz', true)],
  ])
  if (folder !== undefined) keep(folder, files)
  return {
    source,
    facts,
    views,
    peers,
    serve(name, request, response) {
      const file = files.get(name)
      if (file) answer(file, request, response)
      return file !== undefined
    },
  }
}

/** Numbers grow with nothing here; what tells packages apart is the script's own hash. */
const versionOf = (source: Buffer) => `1.0.0-${crypto.createHash('sha256').update(source).digest('hex').slice(0, 12)}`

const factsOf = (letter: 'v' | 'p', source: Buffer): ViewScriptFacts => ({
  file: `${letter}-${crypto.createHash('sha256').update(source).digest('base64url').slice(0, 16)}.js`,
  integrity: `sha384-${crypto.createHash('sha384').update(source).digest('base64')}`,
  gzipBytes: zlib.gzipSync(source, { level: 9 }).length,
})

function keep(folder: string, files: Map<string, File>): void {
  fs.mkdirSync(folder, { recursive: true })
  for (const [name, { body, immutable }] of files) {
    const at = path.join(folder, name.slice(1))
    if (!immutable || fs.existsSync(at)) continue
    fs.writeFileSync(`${at}.new`, body)
    fs.renameSync(`${at}.new`, at)
  }
  for (const name of fs.readdirSync(folder))
    if (KEPT.test(name) && !files.has(`/${name}`))
      files.set(`/${name}`, fileOf(fs.readFileSync(path.join(folder, name)), name.endsWith('js') ? 'js' : 'tgz', true))
}

function fileOf(body: Buffer, kind: 'js' | 'tgz', immutable: boolean): File {
  return {
    body,
    gzip: kind === 'js' ? zlib.gzipSync(body, { level: 9 }) : null,
    etag: `"${crypto.createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`,
    type: kind === 'js' ? JAVASCRIPT : 'application/gzip',
    immutable,
  }
}

function answer(file: File, request: http.IncomingMessage, response: http.ServerResponse): void {
  const headers = {
    'content-type': file.type,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    etag: file.etag,
    vary: 'accept-encoding',
    'access-control-allow-origin': '*',
    'timing-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  }
  if (request.headers['if-none-match'] === file.etag) return void response.writeHead(304, headers).end()
  const zipped = file.gzip !== null && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  const body = zipped && file.gzip ? file.gzip : file.body
  response
    .writeHead(200, { ...headers, 'content-length': body.length, ...(zipped ? { 'content-encoding': 'gzip' } : {}) })
    .end(request.method === 'HEAD' ? undefined : body)
}
