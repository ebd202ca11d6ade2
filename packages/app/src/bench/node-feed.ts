import http from 'node:http'
import type { Acknowledgement, Publication } from '@fairway/contract'

/** The API's side of the feed, for one node that a benchmark starts. */
export type NodeFeed = AsyncDisposable & {
  url: string
  /** Hands out further publications; their revisions rise. */
  publish(publications: readonly Publication[]): void
  /** Resolves once the node has confirmed this version of the key. @throws Error when it has refused it */
  confirmed(key: string, version: number): Promise<void>
}

export async function startNodeFeed(first: readonly Publication[]): Promise<NodeFeed> {
  const publications = [...first]
  const streams = new Set<http.ServerResponse>()
  const seen = new Map<string, Acknowledgement>()
  let waiting: (() => void)[] = []
  const acknowledge = (text: string) => {
    for (const entry of (JSON.parse(text) as { acknowledgements?: Acknowledgement[] }).acknowledgements ?? [])
      seen.set(entry.key, entry)
    for (const wake of waiting.splice(0)) wake()
  }
  const server = http.createServer((request, response) => {
    if (!request.url?.includes('/feed/'))
      return void bodyOf(request).then(
        (text) => (
          acknowledge(text || '{}'),
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ nodeId: 'bench', stored: 0 }))
        ),
      )
    const cursor = Number(new URL(request.url, 'http://feed').searchParams.get('cursor'))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const publication of publications) if (publication.revision > cursor) response.write(eventOf(publication))
    streams.add(response)
    const beat = setInterval(() => response.write(': alive\n\n'), 5_000)
    response.on('close', () => (clearInterval(beat), streams.delete(response)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  return {
    url: `http://127.0.0.1:${typeof at === 'object' && at ? at.port : 0}`,
    publish(more) {
      publications.push(...more)
      for (const stream of streams) for (const publication of more) stream.write(eventOf(publication))
    },
    async confirmed(key, version) {
      for (;;) {
        const entry = seen.get(key)
        if (entry && entry.version >= version) {
          if (!entry.ok) throw new Error(`the node refuses ${key}: ${entry.reason}`)
          return
        }
        await new Promise<void>((resolve) => void (waiting = [...waiting, resolve]))
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const eventOf = (publication: Publication): string => `data: ${JSON.stringify(publication)}\n\n`

async function bodyOf(request: http.IncomingMessage): Promise<string> {
  let text = ''
  request.setEncoding('utf8')
  for await (const chunk of request as AsyncIterable<string>) text += chunk
  return text
}
