import http from 'node:http'
import type { AddressInfo } from 'node:net'

export type Heard = {
  method: string
  path: string
  query: URLSearchParams
  headers: http.IncomingHttpHeaders
  text: string
}
export type Answered = { status: number; body?: unknown; text?: string; headers?: Record<string, string> }

/** What happens to requests before the vendor thinks about them. */
export type Weather = {
  /** Cuts the connection of the request after so many more, whether or not the vendor has done what it asked. */
  cutAfter: number | null
  /** Answers 429 to so many more. */
  busy: number
}

/**
 * A vendor's API on loopback, with memory. It keeps what it refused because its own publication does not allow it: no
 * driver may be the cause of one.
 */
export type FakeVendor = AsyncDisposable & {
  url: string
  weather: Weather
  heard: Heard[]
  refused: string[]
}

export async function startFakeVendor(answer: (heard: Heard, refused: string[]) => Answered): Promise<FakeVendor> {
  const weather: Weather = { cutAfter: null, busy: 0 }
  const heard: Heard[] = []
  const refused: string[] = []
  const server = http.createServer((request, response) => {
    let text = ''
    request
      .setEncoding('utf8')
      .on('data', (part: string) => (text += part))
      .on('end', () => {
        const url = new URL(request.url ?? '/', 'http://vendor')
        const one: Heard = {
          method: request.method ?? '',
          path: url.pathname,
          query: url.searchParams,
          headers: request.headers,
          text,
        }
        heard.push(one)
        if (weather.busy > 0) {
          weather.busy -= 1
          return void response.writeHead(429, { 'retry-after': '7', 'content-type': 'application/json' }).end('{}')
        }
        const said = answer(one, refused)
        if (weather.cutAfter !== null && weather.cutAfter-- <= 0) {
          weather.cutAfter = null
          return void request.socket.destroy()
        }
        response
          .writeHead(said.status, {
            'content-type': said.text === undefined ? 'application/json' : 'application/xml',
            ...said.headers,
          })
          .end(said.text ?? (said.body === undefined ? '' : JSON.stringify(said.body)))
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    weather,
    heard,
    refused,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let made = 0
/** An id as vendors give them: letters and digits of a fixed length. */
export const newId = (length = 32): string => (++made).toString(16).padStart(length, 'a')
