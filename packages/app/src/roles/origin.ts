import fs from 'node:fs'
import path from 'node:path'
import { startControl } from '@fairway/platform'
import { startNewsSite } from '../origin/news-site.ts'
import { BEACON_TAG_FILE } from '../seed/beacon-tag.ts'
import type { RoleContext } from './role.ts'

/** The demonstration website: what the demo's CDNs fetch from. */
export async function startOriginRole({ config, log, sockets }: RoleContext): Promise<AsyncDisposable> {
  await using started = new AsyncDisposableStack()
  const tagFile = path.join(config.home, BEACON_TAG_FILE)
  const site = started.use(
    await startNewsSite(config.originListen, {
      sockets,
      headTag: () => (fs.existsSync(tagFile) ? fs.readFileSync(tagFile, 'utf8') : ''),
    }),
  )
  started.use(
    await startControl({
      config,
      role: 'origin',
      log,
      ready: () => ({ ready: true, reasons: [], facts: { answered: site.answered() } }),
    }),
  )
  const stop = started.move()
  return { [Symbol.asyncDispose]: () => stop.disposeAsync() }
}
