import fs from 'node:fs'
import http from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

const SCRIPTS: Record<string, string> = {
  '/hls.min.js': 'hls.js/dist/hls.min.js',
  '/dash.all.min.js': 'dashjs',
}

/** A page of nobody's, with hls.js and dash.js beside it as npm has them. */
export async function pageServer(page: string): Promise<AsyncDisposable & { address: string }> {
  const found = createRequire(import.meta.url)
  const server = http.createServer((request, response) => {
    const script = SCRIPTS[request.url ?? '']
    response.writeHead(200, { 'content-type': script === undefined ? 'text/html' : 'text/javascript' })
    response.end(script === undefined ? page : fs.readFileSync(found.resolve(script)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
