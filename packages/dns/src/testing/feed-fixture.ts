import crypto from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import http from 'node:http'
import type { Acknowledgement, DnsZonePatch, Publication } from '@fairway/contract'

export type FeedFixture = AsyncDisposable & {
  url: string
  port: number
  /** Publishes and resolves with the node's word on it. */
  publish(publication: Omit<Publication, 'revision'> & { patch?: DnsZonePatch }): Promise<Acknowledgement>
  /** Bodies posted to the collector's routes, which this server answers too. */
  posted: { route: string; body: unknown }[]
  /** Resolves when something is posted to the route. */
  nextPost(route: string): Promise<unknown>
  acknowledged: Acknowledgement[]
  /** Is as it was when it had published these alone. */
  restoredTo(publications: Omit<Publication, 'revision'>[]): void
  /** How often everything was asked for. */
  readonly wholes: number
}

/**
 * The other side of the contract: an API and a collector that a node may follow and report to. `port` 0 takes a free
 * one.
 */
export async function startFeed(port = 0): Promise<FeedFixture> {
  const events = new EventEmitter().setMaxListeners(0)
  const publications = new Map<string, Publication>()
  const streams = new Set<http.ServerResponse>()
  const acknowledged: Acknowledgement[] = []
  const posted: { route: string; body: unknown }[] = []
  let revision = 0
  let epoch = crypto.randomUUID()
  let wholes = 0
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://api')
    if (url.pathname.endsWith('/feed/')) {
      const cursor = Number(url.searchParams.get('cursor'))
      if (cursor === 0) wholes++
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
      for (const publication of publications.values()) if (publication.revision > cursor) send(response, publication)
      response.write(': whole\n\n')
      streams.add(response)
      response.on('close', () => streams.delete(response))
      return
    }
    void bodyOf(request).then((body) => {
      const batch = (body as { acknowledgements?: Acknowledgement[] }).acknowledgements ?? []
      acknowledged.push(...batch)
      for (const entry of batch) events.emit(`ack ${entry.kind} ${entry.key} ${entry.version}`, entry)
      posted.push({ route: url.pathname, body })
      events.emit(`post ${url.pathname}`, body)
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ nodeId: 'node-1', epoch, stored: batch.length }))
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const at = server.address()
  const bound = typeof at === 'object' && at ? at.port : 0
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    posted,
    acknowledged,
    get wholes() {
      return wholes
    },
    async publish(draft) {
      const publication = { ...draft, revision: ++revision } as Publication
      const answered = once(events, `ack ${publication.kind} ${publication.key} ${publication.version}`)
      publications.set(`${publication.kind} ${publication.key}`, publication)
      for (const stream of streams) send(stream, publication)
      const [entry] = (await answered) as [Acknowledgement]
      return entry
    },
    restoredTo(drafts) {
      epoch = crypto.randomUUID()
      revision = 0
      publications.clear()
      for (const draft of drafts)
        publications.set(`${draft.kind} ${draft.key}`, { ...draft, revision: ++revision } as Publication)
      for (const stream of streams) stream.destroy()
    },
    nextPost: async (route) => ((await once(events, `post ${route}`)) as [unknown])[0],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function send(stream: http.ServerResponse, publication: Publication): void {
  stream.write(`data: ${JSON.stringify(publication)}\n\n`)
}

async function bodyOf(request: http.IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString('utf8')) : {}
}
