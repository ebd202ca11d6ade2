import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DnsClient, type Reply, cnameOf } from '@fairway/app'
import { Explanation, FEATURES, type ManyExplained, WhyManyAnswer } from '@fairway/contract'
import { dig } from './dig.ts'
import { randomNetworks } from './random-networks.ts'
import { until } from './until.ts'
import { type World, startDemoWorld } from './world.ts'

const { cdnManagement, domains, routingStrategies, simulatedCdns } = FEATURES
const ALL = { page_size: -1 } as const
const BATCH = 250
/** Networks asked about under each name; 10,000 in all. */
const NETWORKS: Record<string, number> = { www: 4000, img: 2000, live: 2000, api: 1000, '': 1000 }

/** Names that split visitors by weights. */
const SPLIT = new Set(['www', 'live'])
/** Answers from which shares are judged. */
const ENOUGH = 20_000

type Steered = { name: string; place: { site: string; domain: string }; cdnOf(reply: Reply | null): string | null }

let world: World
let site = ''
before(async () => {
  world = await startDemoWorld()
  site = (await world.api(FEATURES.sites.routes.list, ALL)).data[0]?.id ?? ''
})
after(() => world[Symbol.asyncDispose]())

test('dig from three places gets the CDN that `fairway why` explains', async () => {
  const chosen = new Set<string>()
  const { name, cdnOf } = await steered('www')
  for (const client of ['80.147.0.1', '202.96.0.1', '133.11.0.1']) {
    const { explained, answer } = await until(
      `why and dig between two equal words of why for ${client}`,
      async () => {
        const former = await why(name, client)
        const [target] = await dig(world.dns, name, 'A', `+subnet=${client}/32`)
        const explained = await why(name, client)
        const answer = cdnOf({ rcode: 'NOERROR', answers: [{ name, type: 'CNAME', data: target ?? '' }] })
        // Visitors are split where nothing is measured yet; the next test judges splits.
        return cdnIn(explained) !== null && cdnIn(former) === cdnIn(explained) && { explained, answer }
      },
      60_000,
    )
    assert.equal(answer, cdnIn(explained), client)
    const deciding = explained.decision.trace.steps.find((step) => step.reason === 'decided')
    assert.equal(deciding?.strategyId, explained.decision.strategyId)
    assert.equal(deciding?.candidates.find((candidate) => candidate.chosen)?.cdnId, answer)
    assert.ok(deciding?.candidates.every((candidate) => candidate.reason))
    chosen.add(answer ?? '')
  }
  assert.ok(chosen.size > 1, 'the three visitors are to see at least two CDNs')
})

test('for 10,000 random networks DNS, why and simulate say the same; shares are kept within 2 points', async (t) => {
  using dns = new DnsClient(world.dns)
  for (const [label, count] of Object.entries(NETWORKS)) {
    const about = await steered(label)
    const networks = randomNetworks(count, label.length + 7)
    const shares = new Shares()
    for (let at = 0; at < count; at += BATCH) await compareBatch(dns, about, networks.slice(at, at + BATCH), shares)
    await shares.fill(dns, about)
    const judged = shares.check(label)
    t.diagnostic(`${label || 'apex'}: ${count} networks agree${judged ? `; ${shares.told()}` : ''}`)
    assert.ok(judged > 0 || !SPLIT.has(label), `${label} split nothing`)
  }
})

test('one simulate call at a time says it with the same trace', async () => {
  using dns = new DnsClient(world.dns)
  const about = await steered('www')
  for (const network of randomNetworks(100, 99)) {
    const [client = '', bits] = network.split('/')
    await until(
      `${network} without a change of measurements in between`,
      async () => {
        const one = await world.api(routingStrategies.routes.simulate, {
          ...about.place,
          client,
          prefixLength: Number(bits),
        })
        const reply = await dns.ask({ name: about.name, type: 'A', subnet: network })
        const again = await world.api(routingStrategies.routes.simulate, {
          ...about.place,
          client,
          prefixLength: Number(bits),
        })
        if (one.decidedAt !== again.decidedAt) return false
        assert.deepEqual(one, again)
        assert.equal(one.by, 'dns-node')
        const { shares, trace } = one.decision
        assert.ok(
          shares.some((share) => share.cdnId === about.cdnOf(reply)),
          `${network}: ${about.cdnOf(reply)} is not among ${JSON.stringify(shares)}`,
        )
        const last = trace.steps.find((step) => step.strategyId === one.decision.strategyId)
        assert.deepEqual(
          last?.candidates
            .filter((candidate) => candidate.percent > 0)
            .map(({ cdnId, percent }) => ({ cdnId, percent }))
            .sort(byCdn),
          shares.toSorted(byCdn),
        )
        return true
      },
      10_000,
    )
  }
})

/** Asks API, name server and control socket about the same networks; again when measurements changed meanwhile. */
async function compareBatch(dns: DnsClient, about: Steered, clients: string[], shares: Shares): Promise<void> {
  await until(
    `${about.name}: ${clients.length} networks without a change of measurements in between`,
    async () => {
      const simulated = await world.api(routingStrategies.routes.simulateMany, { ...about.place, clients })
      const replies = await Promise.all(clients.map((subnet) => dns.ask({ name: about.name, type: 'A', subnet })))
      const explained = WhyManyAnswer.parse(
        await world.control('dns', 'POST', '/explain-many', { name: about.name, clients }),
      )
      if (simulated.decidedAt !== explained.decidedAt) return false
      assert.equal(simulated.by, 'dns-node')
      assert.deepEqual(simulated.answers, explained.answers)
      for (const [at, { client, cdnId, shares: split }] of explained.answers.entries()) {
        const answered = about.cdnOf(replies[at] ?? null)
        if (cdnId !== null) assert.equal(answered, cdnId, `${about.name} for ${client}`)
        else {
          assert.ok(
            split.some((share) => share.cdnId === answered),
            `${about.name} for ${client}: ${answered} is not among ${JSON.stringify(split)}`,
          )
          shares.count(split, client, answered ?? '')
        }
      }
      return true
    },
    20_000,
  )
}

/** Counts the answers of decisions that split visitors. */
class Shares {
  readonly #splits = new Map<
    string,
    { split: ManyExplained['answers'][number]['shares']; clients: string[]; counts: Map<string, number>; total: number }
  >()

  count(split: ManyExplained['answers'][number]['shares'], client: string, answered: string): void {
    const key = JSON.stringify(split)
    const entry = this.#splits.get(key) ?? { split, clients: [], counts: new Map<string, number>(), total: 0 }
    this.#splits.set(key, entry)
    if (entry.clients.length < BATCH) entry.clients.push(client)
    entry.total++
    entry.counts.set(answered, (entry.counts.get(answered) ?? 0) + 1)
  }

  /**
   * Asks on until chance alone is far below 2 points: at 20,000 answers a share of a half strays by 0.35 points (one
   * sigma).
   */
  async fill(dns: DnsClient, about: Steered): Promise<void> {
    for (const entry of this.#splits.values()) {
      for (let batches = 0; entry.total < ENOUGH && batches < ENOUGH; batches += entry.clients.length)
        await compareBatch(dns, about, entry.clients, this)
    }
  }

  /** How many splits were seen often enough to be judged; one that measurements made for a moment only is not. */
  check(label: string): number {
    const judged = [...this.#splits.values()].filter((entry) => entry.total >= ENOUGH)
    for (const { split, counts, total } of judged) {
      for (const { cdnId, percent } of split) {
        const got = ((counts.get(cdnId) ?? 0) / total) * 100
        assert.ok(
          Math.abs(got - percent) < 2,
          `${label}: ${cdnId} shall get ${percent} %, and got ${got.toFixed(2)} % of ${total}`,
        )
      }
    }
    return judged.length
  }

  told(): string {
    return [...this.#splits.values()]
      .map(({ split, counts, total }) =>
        split
          .map(
            ({ cdnId, percent }) =>
              `${cdnId} ${percent} % (${(((counts.get(cdnId) ?? 0) / total) * 100).toFixed(2)} % of ${total})`,
          )
          .join(', '),
      )
      .join('; ')
  }
}

/** A steered name of the demo's site, and how to tell which CDN an answer names. */
async function steered(label: string): Promise<Steered> {
  const name = [label, world.demo?.site].filter(Boolean).join('.')
  const domain = (await world.api(domains.routes.list, { site, ...ALL })).data.find((row) => row.name === name)
  assert.ok(domain, name)
  const place = { site, domain: domain.id }
  const attached = (await world.api(cdnManagement.routes.list, { ...place, ...ALL })).data
  const addresses = new Map(
    (await world.api(simulatedCdns.routes.list, {})).data.map((cdn) => [cdn.address, cdn.cdnId]),
  )
  const cdnOf = (reply: Reply | null): string | null => {
    const target = cnameOf(reply)
    if (target !== null) return attached.find((cdn) => cdn.cname === target)?.cdnId ?? null
    // At the apex addresses stand for the CDN.
    const address = reply?.answers.find((answer) => answer.type === 'A')?.data
    return typeof address === 'string' ? (addresses.get(address) ?? null) : null
  }
  return { name, place, cdnOf }
}

async function why(name: string, client: string): Promise<Explanation> {
  const { status, stdout, stderr } = await world.fairway('why', name, '--client', client, '--json')
  assert.equal(status, 0, stderr)
  return Explanation.parse(JSON.parse(stdout))
}

const cdnIn = ({ decision }: Explanation): string | null =>
  decision.shares.length === 1 ? (decision.shares[0]?.cdnId ?? null) : null
const byCdn = (a: { cdnId: string }, b: { cdnId: string }): number => a.cdnId.localeCompare(b.cdnId)
