import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePorts } from '../../installation/free-ports.ts'
import type { NodeFeed } from '../node-feed.ts'
import { fairwayEdge } from './fairway.ts'
import { origin } from './peers.ts'
import { type ProxyUnderTest, type RunningProxy, startProxy } from './proxy-under-test.ts'

/** A website, proxies in front of it in their order, our edge as the last, and the feed that it follows. Those that are not installed are left out. */
export type EdgeWorld = AsyncDisposable & { folder: string; originPort: number; proxies: RunningProxy[]; ours: RunningProxy; feed: NodeFeed; missing: string[] }

export async function startEdgeWorld(peers: readonly ProxyUnderTest[]): Promise<EdgeWorld> {
  await using stack = new AsyncDisposableStack()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-bench-'))
  stack.defer(() => fs.rmSync(folder, { recursive: true, force: true }))
  // As a home usually is, so that workers run under their own account.
  fs.chmodSync(folder, 0o711)
  const start = async (proxy: ProxyUnderTest, originPort: number) => {
    const [port] = await freePorts(1, ['127.0.0.1'])
    return stack.use(await startProxy(proxy, { folder: path.join(folder, proxy.name.replaceAll(/\W+/g, '-').toLowerCase()), port: port ?? 0, originPort }))
  }
  const website = await start(origin, 0)
  const proxies: RunningProxy[] = []
  const missing: string[] = []
  for (const peer of peers) {
    if (fs.existsSync(peer.program)) proxies.push(await start(peer, website.port))
    else missing.push(`${peer.name} (${peer.program})`)
  }
  const feeds: { of: NodeFeed | null } = { of: null }
  const ours = await start(fairwayEdge(feeds), website.port)
  if (!feeds.of) throw new Error('the edge was given no feed')
  const parts = stack.move()
  return { folder, originPort: website.port, proxies: [...proxies, ours], ours, feed: feeds.of, missing, [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose]() }
}
