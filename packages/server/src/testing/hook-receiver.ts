import http from 'node:http'

export type HookReceiver = AsyncDisposable & {
  url: string
  /** What arrived, oldest first. */
  calls: { headers: Record<string, string>; body: string }[]
  /** The status of the next answers. */
  answer: (status: number) => void
}

/** Somebody's server that webhooks are sent to, at a loopback port. */
export async function startHookReceiver(): Promise<HookReceiver> {
  const calls: HookReceiver['calls'] = []
  let status = 200
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      calls.push({
        headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
        body: Buffer.concat(chunks).toString(),
      })
      response.writeHead(status).end(`answer ${status}`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    calls,
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook`,
    answer: (next) => void (status = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
