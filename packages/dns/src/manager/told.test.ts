import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { dnsFiles } from '../store/files.ts'
import { writeFlatNames } from '../store/json-files.ts'
import { silentLog } from '../testing/server-fixture.ts'
import { LastWords } from './told.ts'

test('a process that starts late is told of every address outside that is known, though only changes were said', async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'told-'))
  try {
    const files = dnsFiles({ home })
    const found = (name: string) => ({ name, expiresAt: 1, a: ['192.0.2.1'], aaaa: [] })
    await writeFlatNames(files.flattened, [found('kept.test'), found('left.test')])
    const words = new LastWords(files, 1, silentLog)
    words.remember({ kind: 'flattened', names: [found('new.test')], gone: [] }, 2)
    words.remember({ kind: 'flattened', names: [], gone: ['left.test'] }, 3)
    assert.deepEqual(
      [...words.all()],
      [{ now: 3, notice: { kind: 'flattened', names: [found('kept.test'), found('new.test')], gone: [] } }],
    )
  } finally {
    fs.rmSync(home, { recursive: true })
  }
})
