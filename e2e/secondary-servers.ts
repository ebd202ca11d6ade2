import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { type SecondaryServer, secondaryConfig } from '@fairway/domain'

type HostPort = { host: string; port: number }
export type Secondary = { id: SecondaryServer; name: string; program: string }
export type SecondarySetting = {
  folder: string
  at: HostPort
  primary: HostPort
  keyName: string
  secret: string
  catalog: string
  zones: readonly string[]
}

/** Name servers of others that follow ours, each as the console tells people to set it up. */
export const SECONDARIES: readonly Secondary[] = [
  { id: 'knot', name: 'Knot', program: '/usr/sbin/knotd' },
  { id: 'nsd', name: 'NSD', program: '/usr/sbin/nsd' },
  { id: 'bind', name: 'BIND', program: '/usr/sbin/named' },
  { id: 'powerdns', name: 'PowerDNS', program: '/usr/sbin/pdns_server' },
]
const PDNS_SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'
const run = promisify(execFile)

/** Runs one in the foreground; disposing ends it and waits until it is gone. */
export async function startSecondary({ id, program }: Secondary, setting: SecondarySetting): Promise<AsyncDisposable> {
  const { folder, at, primary, keyName, secret, catalog, zones } = setting
  fs.mkdirSync(folder, { recursive: true })
  const conf = path.join(folder, `${id}.conf`)
  const told = (zone = '') =>
    secondaryConfig(id, { keyName, secret, catalog, host: primary.host, port: primary.port }).replaceAll(
      'example.com',
      zone,
    )
  const write = (text: string) => fs.writeFileSync(conf, text)
  switch (id) {
    case 'knot':
      write(
        `server:\n  listen: ${at.host}@${at.port}\n  rundir: ${folder}\n  user: root:root\nlog:\n  - target: stderr\n    any: error\ndatabase:\n  storage: ${folder}\n${told().replace('template:\n', `template:\n  - id: default\n    storage: ${folder}\n`).replace('- id: fairway-zone\n', `- id: fairway-zone\n    storage: ${folder}\n`)}`,
      )
      return child(program, ['-c', conf])
    case 'nsd':
      write(
        [
          `server:\n  server-count: 1\n  ip-address: ${at.host}\n  port: ${at.port}\n  username: ""\n  chroot: ""\n  zonesdir: "${folder}"\n  database: ""\n  pidfile: "${folder}/nsd.pid"\n  xfrdfile: "${folder}/xfrd.state"\n  zonelistfile: "${folder}/zone.list"\n  xfrdir: "${folder}"\nremote-control:\n  control-enable: no`,
          told(zones[0]),
          ...zones.slice(1).map((zone) => `zone:\n  name: ${zone}\n  include-pattern: "fairway"\n`),
        ].join('\n'),
      )
      return child(program, ['-d', '-c', conf])
    case 'bind':
      write(
        `controls { };\n${told().replace('options {', `options {\n  directory "${folder}";\n  listen-on port ${at.port} { ${at.host}; };\n  listen-on-v6 { none; };\n  pid-file none;\n  session-keyfile "${folder}/session.key";\n  recursion no;`)}`,
      )
      return child(program, ['-g', '-n', '1', '-c', conf])
    case 'powerdns':
      fs.writeFileSync(
        path.join(folder, 'pdns.conf'),
        `local-address=${at.host}\nlocal-port=${at.port}\nsocket-dir=${folder}\nsetuid=root\nsetgid=root\ndaemon=no\nguardian=no\nloglevel=3\nlaunch=gsqlite3\ngsqlite3-database=${folder}/zones.db\ngsqlite3-dnssec=yes\nsecondary=yes\nallow-notify-from=${at.host}\n`,
      )
      await run('sqlite3', [path.join(folder, 'zones.db'), `.read ${PDNS_SCHEMA}`])
      return powerdns(program, folder, told, zones)
  }
}

/**
 * Its configuration is commands, of which some speak with the running server; those for a zone come when the catalog
 * has brought it.
 */
async function powerdns(
  program: string,
  folder: string,
  told: (zone: string) => string,
  zones: readonly string[],
): Promise<AsyncDisposable> {
  const [forAll = '', forZone = ''] = told('ZONE').split('# For each zone that the catalog has brought:\n')
  const shell = (commands: string) =>
    run('sh', ['-ec', commands.replaceAll(/^(pdnsutil|pdns_control)/gm, `$1 --config-dir=${folder}`)])
  const [before = '', after = ''] = forAll.split(/(?=^pdns_control)/m)
  await shell(before)
  const server = await child(program, [`--config-dir=${folder}`])
  try {
    await retry(() => shell(after))
    for (const zone of zones)
      await retry(async () => {
        const { stdout } = await shell(forZone.replaceAll('ZONE', zone))
        if (!stdout.includes('Added retrieval request')) throw new Error(`PowerDNS has not heard of ${zone}: ${stdout}`)
      })
    return server
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

async function retry(what: () => Promise<unknown>): Promise<void> {
  for (const giveUpAt = Date.now() + 20_000; ;) {
    try {
      await what()
      return
    } catch (error) {
      if (Date.now() > giveUpAt) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

async function child(program: string, words: string[]): Promise<AsyncDisposable> {
  const running = spawn(program, words, { stdio: 'ignore' })
  const gone = new Promise<void>((resolve) => running.once('exit', () => resolve()))
  return {
    async [Symbol.asyncDispose]() {
      running.kill()
      await gone
    },
  }
}
