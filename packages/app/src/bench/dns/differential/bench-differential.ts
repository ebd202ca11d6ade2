import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePorts } from '@fairway/platform'
import type { DnsZone } from '@fairway/contract'
import { CHECKOUT } from '../../../commands/checkout.ts'
import { table } from '../../figures.ts'
import { startNodeFeed } from '../../node-feed.ts'
import { dnsRole } from '../fairway.ts'
import { type RunningServer, type ServerUnderTest, type Setting, startServer } from '../server-under-test.ts'
import { seededRandom } from '../workload.ts'
import { Asker, type Told } from './asker.ts'
import { explain } from './explain.ts'
import { randomQuestion, randomZone, zoneText } from './random-zone.ts'

const ZONES = 40
const QUESTIONS_PER_ZONE = 600
const AT_ONCE = 60
const SHOWN = 10
const FIRST = 'z0.test'

type Say = (line: string) => void

/**
 * Random zones of every kind of name, asked of us and of others with the same data: how often the answers say the same,
 * and why not.
 */
export async function benchDifferential(say: Say): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-differential-'))
  shareGeo(folder)
  const random = seededRandom(8_906)
  const zones = Array.from({ length: ZONES }, (_, index) => randomZone(`z${index}.test`, random))
  for (const zone of zones) fs.writeFileSync(path.join(folder, `${zone.origin}.zone`), zoneText(zone))
  await using running = new AsyncDisposableStack()
  running.defer(() => fs.rmSync(folder, { recursive: true, force: true }))
  const start = async (server: ServerUnderTest): Promise<RunningServer> => {
    const [port] = await freePorts(1, ['127.0.0.1'])
    const setting: Setting = {
      folder: path.join(folder, server.name.replaceAll(/\W+/g, '-')),
      port: port ?? 0,
      zoneFile: '',
      records: 0,
      ranges: [],
      geoDatabase: '',
    }
    return running.use(await startServer(server, 'static', setting, { name: FIRST, type: 'SOA' }))
  }
  const feed = running.use(
    await startNodeFeed(
      zones.map((body, index) => ({ revision: index + 1, kind: 'dns-zone', key: body.zoneId, version: 1, body })),
    ),
  )
  const ours = running.use(new Asker((await start(ourselves(feed.url))).port))
  for (const { zoneId, version } of zones) await feed.confirmed(zoneId, version)
  const others = PEERS.map((peer) => peer(folder, zones)).filter((peer) => fs.existsSync(peer.program))
  const rows = [['asked beside us', 'questions', 'the same', 'explained', 'not explained']]
  const reasons = new Map<string, number>()
  const unexplained = new Map<string, string>()
  for (const peer of others) {
    const theirs = running.use(new Asker((await start(peer)).port))
    const seen = { asked: 0, same: 0, explained: 0 }
    for (const zone of zones)
      for (let asked = 0; asked < QUESTIONS_PER_ZONE; asked += AT_ONCE)
        await Promise.all(
          Array.from({ length: AT_ONCE }, async () => {
            const question = randomQuestion(zone, random)
            const [mine, other] = await Promise.all([ours.ask(question), theirs.ask(question)])
            seen.asked++
            if (same(mine, other)) return void seen.same++
            const why = mine && other ? explain(question, mine, other, zone.origin) : null
            if (why === null)
              return void unexplained.set(
                `${peer.name} ${question.type}`,
                `${peer.name}: ${question.name} ${question.type}\n  ours   ${JSON.stringify(mine)}\n  theirs ${JSON.stringify(other)}`,
              )
            seen.explained++
            reasons.set(`${peer.name}: ${why}`, (reasons.get(`${peer.name}: ${why}`) ?? 0) + 1)
          }),
        )
    rows.push([
      peer.name,
      String(seen.asked),
      String(seen.same),
      String(seen.explained),
      String(seen.asked - seen.same - seen.explained),
    ])
  }
  say(`${ZONES} random zones of ${zones.reduce((sum, zone) => sum + zone.rrsets.length, 0)} sets`)
  say(table(rows))
  if (reasons.size > 0)
    say(
      `\n${table([['explained difference', 'questions'], ...[...reasons].map(([why, count]) => [why, String(count)])])}`,
    )
  for (const one of [...unexplained.values()].slice(0, SHOWN)) say(`\n${one}`)
}

/** The name server wants location data, which says nothing here: that of tests will do. */
function shareGeo(folder: string): void {
  const cache = path.join(CHECKOUT, 'node_modules/.cache/fairway-geo')
  fs.mkdirSync(cache, { recursive: true })
  fs.symlinkSync(cache, path.join(folder, 'geo'))
}

const same = (a: Told | null, b: Told | null): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Our own `dns` role as it ships; only the API is replaced by a feed. */
const ourselves = (apiUrl: string): ServerUnderTest => ({
  name: 'Fairway',
  kinds: ['static'],
  program: process.execPath,
  prepare: async (_kind, setting) => dnsRole(setting, { FAIRWAY_API_URL: apiUrl, FAIRWAY_DNS_RATE_LIMIT: '0' }),
})

type Peer = (folder: string, zones: readonly DnsZone[]) => ServerUnderTest

const peer =
  (
    name: string,
    program: string,
    words: (conf: string) => string[],
    conf: (port: number, own: string, zones: { origin: string; file: string }[]) => string,
  ): Peer =>
  (folder, zones) => ({
    name,
    program,
    kinds: ['static'],
    async prepare(_kind, { folder: own, port }) {
      const file = path.join(own, 'conf')
      fs.writeFileSync(
        file,
        conf(
          port,
          own,
          zones.map(({ origin }) => ({ origin, file: path.join(folder, `${origin}.zone`) })),
        ),
      )
      return { command: program, words: words(file) }
    },
  })

const PEERS: Peer[] = [
  peer(
    'Knot',
    '/usr/sbin/knotd',
    (conf) => ['-c', conf],
    (port, own, zones) =>
      `server:\n  listen: 127.0.0.1@${port}\n  rundir: ${own}\n  user: root:root\nlog:\n  - target: stderr\n    any: warning\ndatabase:\n  storage: ${own}\nzone:\n${zones.map(({ origin, file }) => `  - domain: ${origin}\n    file: ${file}\n    zonefile-sync: -1\n    journal-content: none\n    semantic-checks: off\n`).join('')}`,
  ),
  peer(
    'NSD',
    '/usr/sbin/nsd',
    (conf) => ['-d', '-c', conf],
    (port, own, zones) =>
      `server:\n  server-count: 1\n  ip-address: 127.0.0.1\n  port: ${port}\n  username: ""\n  chroot: ""\n  zonesdir: "${own}"\n  database: ""\n  pidfile: "${own}/nsd.pid"\n  xfrdfile: "${own}/xfrd.state"\n  zonelistfile: "${own}/zone.list"\n  xfrdir: "${own}"\n  rrl-ratelimit: 0\nremote-control:\n  control-enable: no\n${zones.map(({ origin, file }) => `zone:\n  name: ${origin}\n  zonefile: ${file}\n`).join('')}`,
  ),
  peer(
    'BIND',
    '/usr/sbin/named',
    (conf) => ['-g', '-n', '1', '-c', conf],
    (port, own, zones) =>
      `options { directory "${own}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; pid-file none; session-keyfile "${own}/session.key"; recursion no; zero-no-soa-ttl no; };\ncontrols { };\n${zones.map(({ origin, file }) => `zone "${origin}" { type primary; file "${file}"; check-integrity no; check-names ignore; };\n`).join('')}`,
  ),
]
