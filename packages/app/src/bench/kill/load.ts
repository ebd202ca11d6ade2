import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { EDGE_PATHS, FEATURES } from '@fairway/contract'
import type { HostPort } from '@fairway/platform'
import { DnsClient, textOf } from '../../dns-client.ts'
import type { Installation } from '../../installation/start-installation.ts'

const { dnsRecords } = FEATURES

/** What visitors, resolvers and editors have met so far. */
export type Met = {
  dns: { asked: number; askedTwice: number; lost: string[]; slowestMs: number }
  edge: { asked: number; lost: string[]; slowestMs: number }
  writes: { acknowledged: number; doubtful: number }
}

export type Load = {
  met: Met
  /** Ends it and looks whether all that was acknowledged is there, in the API and in the DNS. Answers what is not. */
  stop(): Promise<string[]>
}

/** As resolvers do it: not answered within this time, a question is asked once more. */
const FIRST_MS = 1500
const SECOND_MS = 5000
const EDGE_MS = 20_000
const SERVED_MS = 60_000

/**
 * Asks a name, gets an object of the edge on connections of its own, and writes records, all at a steady rate, while
 * everything else may happen.
 */
export function startLoad(
  installation: Installation,
  { site, zone, steered, perSecond = 20 }: { site: string; zone: string; steered: string; perSecond?: number },
): Load {
  const met: Met = {
    dns: { asked: 0, askedTwice: 0, lost: [], slowestMs: 0 },
    edge: { asked: 0, lost: [], slowestMs: 0 },
    writes: { acknowledged: 0, doubtful: 0 },
  }
  const dns = new DnsClient(installation.config.dnsListen)
  const at = { host: '127.0.0.11', port: installation.config.edgeHttp.port }
  const streams = [
    steadily(perSecond, () => ask(dns, steered, met.dns)),
    steadily(perSecond, () => get(at, steered, met.edge)),
  ]
  const writer = startWriter(installation, site, met.writes)
  return {
    met,
    async stop() {
      await Promise.all(streams.map((stream) => stream.stop()))
      const { expected, doubtful } = await writer.stop()
      const rows = (await installation.api(dnsRecords.routes.list, { site, page_size: -1 })).data
      const sure = [...expected].filter(([name]) => !doubtful.has(name))
      const missing = sure.flatMap(([name, value]) =>
        (rows.find((row) => row.name === name)?.value ?? null) === value ? [] : [`${name} in the API`],
      )
      const unserved = await untilServed(dns, zone, sure)
      dns[Symbol.dispose]()
      return [...missing, ...unserved]
    },
  }
}

function steadily(perSecond: number, once: () => Promise<void>): { stop(): Promise<void> } {
  const state = { stopped: false }
  const inFlight = new Set<Promise<void>>()
  const running = (async () => {
    const startedAt = performance.now()
    for (let sent = 0; !state.stopped; await delay(500 / perSecond)) {
      for (; sent < ((performance.now() - startedAt) / 1000) * perSecond; sent++) {
        const one: Promise<void> = once().finally(() => inFlight.delete(one))
        inFlight.add(one)
      }
    }
    await Promise.all(inFlight)
  })()
  return { stop: () => ((state.stopped = true), running) }
}

async function ask(dns: DnsClient, name: string, met: Met['dns']): Promise<void> {
  met.asked++
  const began = performance.now()
  let reply = await dns.ask({ name, type: 'A' }, FIRST_MS)
  if (reply === null) {
    met.askedTwice++
    reply = await dns.ask({ name, type: 'A' }, SECOND_MS)
  }
  met.slowestMs = Math.max(met.slowestMs, Math.round(performance.now() - began))
  if (reply === null) met.lost.push(`${new Date().toISOString()} no answer`)
  else if (reply.rcode !== 'NOERROR' || reply.answers.length === 0)
    met.lost.push(`${new Date().toISOString()} ${reply.rcode}`)
}

/** A connection of its own, so that a socket which nobody listens to is noticed. */
function get({ host, port }: HostPort, name: string, met: Met['edge']): Promise<void> {
  met.asked++
  const began = performance.now()
  return new Promise((resolve) => {
    const done = (problem: string | null) => {
      met.slowestMs = Math.max(met.slowestMs, Math.round(performance.now() - began))
      if (problem !== null) met.lost.push(`${new Date().toISOString()} ${problem}`)
      resolve()
    }
    const request = http.get(
      { host, port, path: EDGE_PATHS.test, headers: { host: name }, agent: false, timeout: EDGE_MS },
      (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => (bytes += chunk.length))
        response.on('error', (error) => done(error.message))
        response.on('end', () => done(response.statusCode === 200 && bytes > 0 ? null : `${response.statusCode}`))
      },
    )
    request.on('timeout', () => request.destroy(new Error('no answer in time')))
    request.on('error', (error) => done(error.message))
  })
}

/**
 * Adds, changes and removes records one after the other, and remembers what was acknowledged: the value, or null when
 * removed. What got no answer is doubtful.
 */
function startWriter(installation: Installation, site: string, met: Met['writes']) {
  const expected = new Map<string, string | null>()
  const ids = new Map<string, string>()
  const doubtful = new Set<string>()
  const state = { stopped: false }
  const write = async (name: string, value: string | null, call: () => Promise<unknown>) => {
    try {
      await call()
      expected.set(name, value)
      met.acknowledged++
    } catch {
      doubtful.add(name)
      met.doubtful++
      await delay(20)
    }
  }
  const { create, update, remove } = dnsRecords.routes
  const running = (async () => {
    for (let at = 0; !state.stopped; at++) {
      const name = `w${at}`
      await write(name, 'added', async () => {
        const made = await installation.api(create, { site, type: 'TXT', name, value: 'added' })
        ids.set(name, made.data.id)
      })
      const former = `w${at - 5}`
      const id = ids.get(former)
      if (id && !doubtful.has(former) && at % 3 === 0)
        await write(former, 'changed', () => installation.api(update, { site, id, value: 'changed' }))
      if (id && !doubtful.has(former) && at % 3 !== 0)
        await write(former, null, () => installation.api(remove, { site, id }))
      // Long runs must not end at the most records of a zone.
      await delay(50)
    }
    return { expected, doubtful }
  })()
  return { stop: () => ((state.stopped = true), running) }
}

async function untilServed(dns: DnsClient, zone: string, sure: [string, string | null][]): Promise<string[]> {
  for (const end = performance.now() + SERVED_MS; ; await delay(200)) {
    const wrong: string[] = []
    for (const [name, value] of sure.slice(-400)) {
      const served = textOf(await dns.ask({ name: `${name}.${zone}`, type: 'TXT' }, FIRST_MS))
      if (served !== value) wrong.push(`${name} in the DNS`)
    }
    if (wrong.length === 0 || performance.now() > end) return wrong
  }
}
