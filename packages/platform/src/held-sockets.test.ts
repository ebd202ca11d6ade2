import assert from 'node:assert/strict'
import fs from 'node:fs'
import { it } from 'node:test'
import { tryTcp } from './free-address.ts'
import { closeSocket, openHeldListener } from './held-sockets.ts'
import { loadLibc } from './libc.ts'

const O_NONBLOCK = 0o4000

it(
  'a held listener never blocks who looks for a connection that another has taken',
  { skip: !loadLibc() },
  async () => {
    const fd = await openHeldListener({ host: '127.0.0.1', port: (await tryTcp({ host: '127.0.0.1', port: 0 })).port })
    assert.ok(fd !== null)
    const flags = /^flags:\s+(\d+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]
    closeSocket(fd)
    assert.ok(Number.parseInt(flags ?? '0', 8) & O_NONBLOCK, `flags ${flags}`)
  },
)
