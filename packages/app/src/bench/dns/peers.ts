import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { CDNS, DEFAULT_WEIGHTS, STATIC_ZONE, STEERED_NAMES, STEERED_ZONE, WEIGHTS } from './workload.ts'
import type { ServerUnderTest } from './server-under-test.ts'

const target = (cdn: string) => `site.${cdn}.example.`

export const knot: ServerUnderTest = {
  name: 'Knot',
  kinds: ['static'],
  program: '/usr/sbin/knotd',
  async prepare(_kind, { folder, port, zoneFile }) {
    const conf = path.join(folder, 'knot.conf')
    fs.writeFileSync(
      conf,
      `server:\n  listen: 127.0.0.1@${port}\n  rundir: ${folder}\n  user: root:root\n  udp-workers: 1\n  tcp-workers: 1\n  background-workers: 1\nlog:\n  - target: stderr\n    any: warning\ndatabase:\n  storage: ${folder}\nzone:\n  - domain: ${STATIC_ZONE}\n    file: ${zoneFile}\n    zonefile-sync: -1\n    journal-content: none\n`,
    )
    return { command: knot.program, words: ['-c', conf] }
  },
}

export const nsd: ServerUnderTest = {
  name: 'NSD',
  kinds: ['static'],
  program: '/usr/sbin/nsd',
  async prepare(_kind, { folder, port, zoneFile }) {
    const conf = path.join(folder, 'nsd.conf')
    fs.writeFileSync(
      conf,
      `server:\n  server-count: 1\n  ip-address: 127.0.0.1\n  port: ${port}\n  username: ""\n  chroot: ""\n  zonesdir: "${folder}"\n  database: ""\n  pidfile: "${folder}/nsd.pid"\n  xfrdfile: "${folder}/xfrd.state"\n  zonelistfile: "${folder}/zone.list"\n  xfrdir: "${folder}"\n  rrl-ratelimit: 0\nremote-control:\n  control-enable: no\nzone:\n  name: ${STATIC_ZONE}\n  zonefile: ${zoneFile}\n`,
    )
    return { command: nsd.program, words: ['-d', '-c', conf] }
  },
}

/** Static zones from LMDB, the fastest of its stores, with the packet cache on, as it comes. */
export const powerdns: ServerUnderTest = {
  name: 'PowerDNS lmdb',
  kinds: ['static'],
  program: '/usr/sbin/pdns_server',
  async prepare(_kind, { folder, port, zoneFile }) {
    const server = powerdnsCommand(folder, port, `launch=lmdb\nlmdb-filename=${folder}/zones.lmdb\n`)
    await promisify(execFile)('/usr/bin/pdnsutil', [`--config-dir=${folder}`, 'load-zone', STATIC_ZONE, zoneFile])
    return server
  },
}

/**
 * Steering by Lua records: the policy is a program that runs for every query, in a Lua state that is kept between them,
 * the faster of its two ways.
 */
export const powerdnsLua: ServerUnderTest = {
  name: 'PowerDNS Lua',
  kinds: ['steering'],
  program: '/usr/sbin/pdns_server',
  async prepare(_kind, { folder, port, geoDatabase }) {
    const pick = (weights: readonly number[]) =>
      `return pickwrandom({${CDNS.map((cdn, i) => `{${weights[i]},'${target(cdn)}'}`).join(',')}})`
    const program = [
      ...Object.entries(WEIGHTS).map(
        ([continent, weights]) => `if(continent('${continent}')) then ${pick(weights)} end`,
      ),
      pick(DEFAULT_WEIGHTS),
    ].join(' ')
    const names = Array.from({ length: STEERED_NAMES }, (_, i) => `d${i} 30 IN LUA CNAME ";${program}"\n`).join('')
    const zone = path.join(folder, 'steer.zone')
    fs.writeFileSync(
      zone,
      `$ORIGIN ${STEERED_ZONE}.\n$TTL 300\n@ IN SOA ns1 h 1 3600 600 604800 60\n@ IN NS ns1\nns1 IN A 127.0.0.1\n${names}`,
    )
    fs.writeFileSync(path.join(folder, 'named.conf'), `zone "${STEERED_ZONE}" { type master; file "${zone}"; };\n`)
    return powerdnsCommand(
      folder,
      port,
      `launch=bind,geoip\nbind-config=${folder}/named.conf\ngeoip-database-files=${geoDatabase}\ngeoip-zones-file=${emptyZones(folder)}\nenable-lua-records=shared\nedns-subnet-processing=yes\n`,
    )
  },
}

function emptyZones(folder: string): string {
  const file = path.join(folder, 'geo.yaml')
  fs.writeFileSync(file, 'domains: []\n')
  return file
}

function powerdnsCommand(folder: string, port: number, backend: string) {
  fs.writeFileSync(
    path.join(folder, 'pdns.conf'),
    `local-address=127.0.0.1\nlocal-port=${port}\nsocket-dir=${folder}\nsetuid=root\nsetgid=root\ndaemon=no\nguardian=no\nreceiver-threads=1\ndistributor-threads=1\nloglevel=3\nmodule-dir=/usr/lib/x86_64-linux-gnu/pdns\n${backend}`,
  )
  return { command: '/usr/sbin/pdns_server', words: [`--config-dir=${folder}`] }
}

/** Steering by its geoip and weighted plugins: one map of countries, one weighted resource a continent. */
export const gdnsd: ServerUnderTest = {
  name: 'gdnsd',
  kinds: ['static', 'steering'],
  program: '/usr/sbin/gdnsd',
  async prepare(kind, { folder, port, zoneFile, geoDatabase }) {
    fs.mkdirSync(path.join(folder, 'zones'), { recursive: true })
    fs.mkdirSync(path.join(folder, 'geoip'), { recursive: true })
    const names = Array.from({ length: STEERED_NAMES }, (_, i) => `d${i} 30 DYNC geoip!steer\n`).join('')
    if (kind === 'static') fs.copyFileSync(zoneFile, path.join(folder, 'zones', STATIC_ZONE))
    else
      fs.writeFileSync(
        path.join(folder, 'zones', STEERED_ZONE),
        `$TTL 300\n@ SOA ns1 h 1 3600 600 604800 60\n@ NS ns1\nns1 A 127.0.0.1\n${names}`,
      )
    const plugins = kind === 'static' ? '' : gdnsdPlugins(geoDatabase)
    fs.writeFileSync(
      path.join(folder, 'config'),
      `options => { listen => [127.0.0.1:${port}], run_dir => ${folder}/run, state_dir => ${folder}/state, edns_client_subnet => true, udp_threads => 1, tcp_threads => 1 }\n${plugins}`,
    )
    return { command: gdnsd.program, words: ['-c', folder, 'start'] }
  },
}

function gdnsdPlugins(geoDatabase: string): string {
  const weighted = (weights: readonly number[]) =>
    `{ ${CDNS.map((cdn, i) => `${cdn} => [ ${target(cdn)}, ${weights[i]} ]`)
      .filter((_, i) => (weights[i] ?? 0) > 0)
      .join(', ')} }`
  const all = { ...WEIGHTS, other: DEFAULT_WEIGHTS }
  const centres = Object.keys(all)
  const map = centres
    .filter((name) => name !== 'other')
    .map((name) => `${name} => [ ${name} ]`)
    .join(', ')
  return `plugins => {
  weighted => { service_types => up, ${Object.entries(all)
    .map(([name, weights]) => `w_${name} => ${weighted(weights)}`)
    .join(', ')} }
  geoip => {
    maps => { world => { geoip2_db => ${geoDatabase}, datacenters => [ ${centres.join(', ')} ], map => { default => [ other ], ${map} } } }
    resources => { steer => { map => world, service_types => up, dcmap => { ${centres.map((name) => `${name} => %weighted!w_${name}`).join(', ')} } } }
  }
}
`
}
