import crypto from 'node:crypto'
import fs from 'node:fs'
import type http from 'node:http'
import path from 'node:path'
import zlib from 'node:zlib'

/** The script that pages load, as served: compressed once, revalidated by its hash. */
export type BeaconScript = {
  source: Buffer
  gzip: Buffer
  serve(request: http.IncomingMessage, response: http.ServerResponse): void
}

export function loadBeaconScript(): BeaconScript {
  const source = fs.readFileSync(path.join(import.meta.dirname, '../beacon-script/beacon.js'))
  const gzip = zlib.gzipSync(source, { level: 9 })
  const etag = `"${crypto.createHash('sha256').update(source).digest('base64url').slice(0, 16)}"`
  return {
    source,
    gzip,
    serve(request, response) {
      const headers = {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=3600',
        etag,
        vary: 'accept-encoding',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      }
      if (request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end()
      const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
      const body = zipped ? gzip : source
      response
        .writeHead(200, {
          ...headers,
          'content-length': body.length,
          ...(zipped ? { 'content-encoding': 'gzip' } : {}),
        })
        .end(request.method === 'HEAD' ? undefined : body)
    },
  }
}
