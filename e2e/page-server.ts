import fs from 'node:fs'
import http from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

/** A page of nobody's, with hls.js beside it as npm has it. */
export async function pageServer(page: string): Promise<AsyncDisposable & { address: string }> {
  const script = fs.readFileSync(createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js'))
  const server = http.createServer((request, response) => {
    const isScript = request.url === '/hls.min.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? script : page)
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
