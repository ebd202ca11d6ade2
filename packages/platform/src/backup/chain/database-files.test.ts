import assert from 'node:assert/strict'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { loadConfig } from '../../config.ts'
import { socketFolder } from '../../database/connection.ts'
import { BackupError } from '../backup-error.ts'
import { withoutBackups } from './database-files.ts'

test('whether a backup is being made is not known of a database that runs and does not answer', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-busy-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  const config = loadConfig({ FAIRWAY_HOME: home })
  {
    await using _ = await withoutBackups(config)
  }
  fs.mkdirSync(socketFolder(config), { recursive: true })
  const server = net.createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(path.join(socketFolder(config), '.s.PGSQL.5432'), resolve))
  t.after(() => server.close())
  await assert.rejects(withoutBackups(config), BackupError)
})
