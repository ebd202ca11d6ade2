import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Config, loadConfig, makeLog, shareGeo } from '@fairway/platform'
import { startStore } from './facade/start-store.ts'

/**
 * An embedded store in a home of its own, for tests of this package: one per process, since the engine holds one
 * folder.
 */
export async function startTestStore(
  settings: Record<string, string> = {},
): Promise<AsyncDisposable & { config: Config }> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'store-'))
  shareGeo(home)
  const config = loadConfig({ FAIRWAY_HOME: home, FAIRWAY_NODE_NAME: 'test', FAIRWAY_LOG_LEVEL: 'warn', ...settings })
  const store = await startStore({ config, log: makeLog('store', config) })
  return {
    config,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      fs.rmSync(home, { recursive: true, force: true })
    },
  }
}
