import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { dig } from './dig.ts'
import { until } from './until.ts'

const NSD = ['/usr/sbin/nsd', '/usr/bin/nsd'].find((file) => fs.existsSync(file))

/** Why tests with a foreign nameserver cannot run here, or false. */
export const nsdMissing: string | false = NSD ? false : 'NSD is not installed: apt-get install nsd'

/** Somebody else's nameserver: NSD with zones from text. `SERIAL` in a text becomes the next number. */
export class OldNameserver implements AsyncDisposable {
  #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-nsd-'))
  #at: { host: string; port: number }
  #child: ChildProcess | null = null
  #serial = 0

  constructor(at: { host: string; port: number }) {
    this.#at = at
  }

  async start(zones: Record<string, string>): Promise<void> {
    const { host, port } = this.#at
    const folder = this.#folder
    for (const [zone, text] of Object.entries(zones)) this.#write(zone, text)
    fs.writeFileSync(
      `${folder}/nsd.conf`,
      [
        `server:\n  ip-address: ${host}@${port}\n  username: ""\n  chroot: ""\n  database: ""\n  server-count: 1\n  rrl-ratelimit: 0\n  zonesdir: ${folder}\n  pidfile: ${folder}/nsd.pid\n  xfrdfile: ${folder}/xfrd.state\n  xfrdir: ${folder}\n  zonelistfile: ${folder}/zone.list`,
        'remote-control:\n  control-enable: no',
        ...Object.keys(zones).map((zone) => `zone:\n  name: ${zone}\n  zonefile: ${folder}/${zone}.zone`),
        '',
      ].join('\n'),
    )
    this.#child = spawn(NSD ?? 'nsd', ['-d', '-c', `${folder}/nsd.conf`], { stdio: 'ignore' })
    for (const zone of Object.keys(zones)) await this.#serves(zone)
  }

  async replace(zone: string, text: string): Promise<void> {
    this.#write(zone, text)
    this.#child?.kill('SIGHUP')
    await this.#serves(zone)
  }

  #write(zone: string, text: string): void {
    fs.writeFileSync(`${this.#folder}/${zone}.zone`, text.replace('SERIAL', String(++this.#serial)))
  }

  async #serves(zone: string): Promise<void> {
    const text = fs.readFileSync(`${this.#folder}/${zone}.zone`, 'utf8')
    const serial = / (\d+) 7200 /.exec(text)?.[1] ?? ''
    await until(
      `${zone} at ${this.#at.host}`,
      async () => (await dig(this.#at, zone, 'SOA').catch(() => []))[0]?.split(' ')[2] === serial,
      20_000,
      100,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child
    if (child && child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    }
    fs.rmSync(this.#folder, { recursive: true, force: true })
  }
}
