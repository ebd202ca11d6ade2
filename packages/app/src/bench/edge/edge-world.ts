import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePorts } from '@fairway/platform'
import type { NodeFeed } from '../node-feed.ts'
import { fairwayEdge } from './fairway.ts'
import { website } from './peers.ts'
import { type OriginAt, type ProxyUnderTest, type RunningProxy, startProxy } from './proxy-under-test.ts'

/**
 * A website that they ask over this protocol, proxies in front of it in their order, our edge as the last, and the feed
 * that it follows. Those that are not installed are left out.
 */
export type EdgeWorld = AsyncDisposable & {
  folder: string
  origin: OriginAt
  proxies: RunningProxy[]
  ours: RunningProxy
  feed: NodeFeed
  missing: string[]
}

export async function startEdgeWorld(
  peers: readonly ProxyUnderTest[],
  protocol: OriginAt['protocol'] = 'http',
  settings: Readonly<Record<string, string>> = {},
): Promise<EdgeWorld> {
  await using stack = new AsyncDisposableStack()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-bench-'))
  stack.defer(() => fs.rmSync(folder, { recursive: true, force: true }))
  // As a home usually is, so that workers run under their own account.
  fs.chmodSync(folder, 0o711)
  const start = async (proxy: ProxyUnderTest, origin: OriginAt) => {
    const [port] = await freePorts(1, ['127.0.0.1'])
    return stack.use(
      await startProxy(proxy, {
        folder: path.join(folder, proxy.name.replaceAll(/\W+/g, '-').toLowerCase()),
        port: port ?? 0,
        origin,
      }),
    )
  }
  const [tlsPort = 0] = await freePorts(1, ['127.0.0.1'])
  const { port } = await start(website, { port: tlsPort, protocol: 'https' })
  const origin: OriginAt = { port: protocol === 'https' ? tlsPort : port, protocol }
  const proxies: RunningProxy[] = []
  const missing: string[] = []
  for (const peer of peers) {
    if (fs.existsSync(peer.program)) proxies.push(await start(peer, origin))
    else missing.push(`${peer.name} (${peer.program})`)
  }
  const feeds: { of: NodeFeed | null } = { of: null }
  const ours = await start(fairwayEdge(feeds, settings), origin)
  if (!feeds.of) throw new Error('the edge was given no feed')
  const parts = stack.move()
  return {
    folder,
    origin,
    proxies: [...proxies, ours],
    ours,
    feed: feeds.of,
    missing,
    [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose](),
  }
}
