import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

type HostPort = { host: string; port: number }
/** `zones` says where each zone is asked for; `anchor` is the DS of the one that is trusted, as a record. */
export type ResolverSetting = {
  folder: string
  at: HostPort
  zones: Readonly<Record<string, HostPort>>
  anchor: { zone: string; ds: string }
}
export type RecursiveResolver = { id: string; name: string; program: string }

/** Recursive resolvers of others, that validate. */
export const RESOLVERS: readonly RecursiveResolver[] = [
  { id: 'unbound', name: 'unbound', program: '/usr/sbin/unbound' },
  { id: 'bind', name: 'BIND', program: '/usr/sbin/named' },
  { id: 'knot-resolver', name: 'Knot Resolver', program: '/usr/sbin/kresd' },
]

/** Runs one in the foreground; disposing ends it and waits until it is gone. */
export function startResolver({ id, program }: RecursiveResolver, setting: ResolverSetting): AsyncDisposable {
  fs.mkdirSync(setting.folder, { recursive: true })
  const conf = path.join(setting.folder, 'resolver.conf')
  fs.writeFileSync(conf, id === 'unbound' ? unbound(setting) : id === 'bind' ? bind(setting) : knot(setting))
  const words = { unbound: ['-d', '-c', conf], bind: ['-g', '-n', '1', '-c', conf] }[id] ?? [
    '-n',
    '-c',
    conf,
    setting.folder,
  ]
  const running = spawn(program, words, { stdio: ['ignore', 'ignore', 'ignore'] })
  const gone = new Promise<void>((resolve) => running.once('exit', () => resolve()))
  return {
    async [Symbol.asyncDispose]() {
      running.kill()
      await gone
    },
  }
}

const unbound = ({ folder, at, zones, anchor }: ResolverSetting): string =>
  `server:
  interface: ${at.host}
  port: ${at.port}
  chroot: ""
  username: ""
  directory: "${folder}"
  pidfile: ""
  use-syslog: no
  num-threads: 1
  do-not-query-localhost: no
  module-config: "validator iterator"
  trust-anchor: "${anchor.zone}. DS ${anchor.ds}"
  local-zone: "test." nodefault
remote-control:
  control-enable: no
${Object.entries(zones)
  .map(([zone, { host, port }]) => `stub-zone:\n  name: "${zone}"\n  stub-addr: ${host}@${port}\n`)
  .join('')}`

const bind = ({ folder, at, zones, anchor }: ResolverSetting): string => {
  const [tag, algorithm, digestType, digest] = anchor.ds.split(' ')
  return `controls { };
options {
  directory "${folder}"; listen-on port ${at.port} { ${at.host}; }; listen-on-v6 { none; };
  pid-file none; session-keyfile "${folder}/session.key"; recursion yes; dnssec-validation yes;
};
trust-anchors { ${anchor.zone}. static-ds ${tag} ${algorithm} ${digestType} "${digest}"; };
${Object.entries(zones)
  .map(
    ([zone, { host, port }]) => `zone "${zone}" { type forward; forward only; forwarders { ${host} port ${port}; }; };`,
  )
  .join('\n')}`
}

/** The rule of the longest name comes first: they are tried in their order. */
const knot = ({ at, zones, anchor }: ResolverSetting): string =>
  `net.listen('${at.host}', ${at.port})
cache.size = 10 * MB
trust_anchors.remove('.')
trust_anchors.add('${anchor.zone}. 3600 IN DS ${anchor.ds}')
${Object.entries(zones)
  .sort(([a], [b]) => b.length - a.length)
  .map(
    ([zone, { host, port }]) => `policy.add(policy.suffix(policy.FORWARD('${host}@${port}'), { todname('${zone}.') }))`,
  )
  .join('\n')}
`
