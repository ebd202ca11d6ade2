import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DnsClient, ownPeer, systemEnvironment } from '@fairway/platform'
import { until } from './until.ts'

const NSD = ['/usr/sbin/nsd', '/usr/bin/nsd'].find((file) => fs.existsSync(file))

/** Why tests with a foreign nameserver cannot run here, or false. */
export const nsdMissing: string | false = NSD ? false : 'NSD is not installed: apt-get install nsd'

export type NsdUnderTest = AsyncDisposable & {
  /** Another text of a zone, served when this settles. */
  replace(zone: string, text: string): Promise<void>
}

/**
 * A real nameserver of somebody else: NSD at a loopback address, with zones from text. `transfers` lets everyone of
 * this machine take a zone.
 */
export async function startNsd({
  host,
  port,
  zones,
  transfers = false,
}: {
  host: string
  port: number
  zones: Record<string, string>
  transfers?: boolean
}): Promise<NsdUnderTest> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-nsd-'))
  const fileOf = (zone: string) => path.join(folder, `${zone}.zone`)
  const entries = Object.keys(zones).map(
    (zone) =>
      `zone:\n  name: ${zone}\n  zonefile: ${fileOf(zone)}\n${transfers ? '  provide-xfr: 127.0.0.0/8 NOKEY\n' : ''}`,
  )
  fs.writeFileSync(
    path.join(folder, 'nsd.conf'),
    [
      `server:\n  ip-address: ${host}@${port}\n  username: ""\n  chroot: ""\n  database: ""\n  server-count: 1\n  verbosity: 0\n  rrl-ratelimit: 0`,
      `  zonesdir: ${folder}\n  pidfile: ${folder}/nsd.pid\n  xfrdfile: ${folder}/xfrd.state\n  xfrdir: ${folder}\n  zonelistfile: ${folder}/zone.list`,
      'remote-control:\n  control-enable: no',
      ...entries,
      '',
    ].join('\n'),
  )
  for (const [zone, text] of Object.entries(zones)) fs.writeFileSync(fileOf(zone), text)
  const child = spawn(NSD ?? 'nsd', ['-d', '-c', path.join(folder, 'nsd.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: systemEnvironment(),
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const serialOf = async (zone: string): Promise<string | undefined> => {
    await using client = new DnsClient(ownPeer({ host, port }), { timeoutMs: 200, tries: 1 })
    return (await client.ask(zone, 'SOA'))?.answers[0]?.rdata.split(' ')[2]
  }
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`NSD did not start: ${said}`)
    return serialOf(Object.keys(zones)[0] ?? '.')
  })
  return {
    async replace(zone, text) {
      const serial = Number(await serialOf(zone)) + 1
      fs.writeFileSync(fileOf(zone), text.replace('SERIAL', String(serial)))
      child.kill('SIGHUP')
      await until(async () => (await serialOf(zone)) === String(serial))
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
