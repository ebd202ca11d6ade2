import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DnsClient, ownPeer, systemEnvironment } from '@fairway/platform'
import { until } from './until.ts'

const PROGRAM = '/usr/sbin/knotd'

/** Why tests with a foreign primary cannot run here, or false. */
export const knotMissing: string | false = fs.existsSync(PROGRAM)
  ? false
  : 'Knot is not installed: apt-get install knot'

export type KnotUnderTest = AsyncDisposable & {
  /** Another text of a zone, served when this settles; what has changed is kept for incremental transfers. */
  replace(zone: string, text: string): Promise<void>
  /** What it has logged so far. */
  said(): string
  /** It is away from now on. */
  stop(): Promise<void>
  start(): Promise<void>
}

/**
 * A primary of somebody else: Knot at a loopback address, which gives its zones to who signs with the key. Texts hold
 * the serial of the zone.
 */
export async function startKnot({
  host,
  port,
  zones,
  key,
}: {
  host: string
  port: number
  zones: Record<string, string>
  key: { name: string; secret: string }
}): Promise<KnotUnderTest> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-knot-'))
  const write = (zone: string, text: string) => fs.writeFileSync(path.join(folder, `${zone}.zone`), text)
  fs.writeFileSync(
    path.join(folder, 'knot.conf'),
    [
      `server:\n  listen: ${host}@${port}\n  rundir: ${folder}\n  user: root:root\n  tcp-workers: 1\n  udp-workers: 1\n  background-workers: 1\nlog:\n  - target: stderr\n    any: info\ndatabase:\n  storage: ${folder}`,
      `key:\n  - id: ${key.name}\n    algorithm: hmac-sha256\n    secret: ${key.secret}\nacl:\n  - id: transfer\n    key: ${key.name}\n    action: transfer`,
      `template:\n  - id: default\n    storage: ${folder}\n    file: "%s.zone"\n    zonefile-load: difference\n    zonefile-sync: -1\n    journal-content: changes\n    acl: transfer\nzone:`,
      ...Object.keys(zones).map((zone) => `  - domain: ${zone}`),
      '',
    ].join('\n'),
  )
  for (const [zone, text] of Object.entries(zones)) write(zone, text)
  const state = { child: null as ReturnType<typeof spawn> | null, said: '' }
  const serialOf = async (zone: string): Promise<string | undefined> => {
    await using client = new DnsClient(ownPeer({ host, port }), { timeoutMs: 200, tries: 1 })
    return (await client.ask(zone, 'SOA'))?.answers[0]?.rdata.split(' ')[2]
  }
  const start = async () => {
    const child = spawn(PROGRAM, ['-c', path.join(folder, 'knot.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: systemEnvironment(),
    })
    child.stderr.on('data', (chunk: Buffer) => (state.said += chunk.toString()))
    state.child = child
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`Knot did not start: ${state.said}`)
      return serialOf(Object.keys(zones)[0] ?? '.')
    })
  }
  const stop = async () => {
    const { child } = state
    if (!child || child.exitCode !== null) return
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill('SIGTERM')
    await ended
    state.child = null
  }
  await start()
  return {
    start,
    stop,
    said: () => state.said,
    async replace(zone, text) {
      const before = await serialOf(zone)
      write(zone, text)
      state.child?.kill('SIGHUP')
      await until(async () => (await serialOf(zone)) !== before || undefined)
    },
    async [Symbol.asyncDispose]() {
      await stop()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
