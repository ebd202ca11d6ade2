import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Acknowledged, CdnOrder, DriverContext } from '../cdns/driver.ts'

/** What surrounds a driver: a publisher, nodes that acknowledge when told to, and a CDN of somebody else's. */
export type DriverWorld = AsyncDisposable & {
  context: DriverContext
  order(more?: Partial<CdnOrder>): CdnOrder
  /** From here on the outside does what was asked of it. */
  comply(): void
  /** From here on the outside refuses, with this reason. */
  refuse(why: string): void
  /** From here on the outside neither complies nor refuses. */
  hesitate(): void
  publications(): number
}

const SITE = 'site-1'

export async function driverWorld(): Promise<DriverWorld> {
  const site = { version: 1, holds: new Set<string>(), publications: 0 }
  const outside = { mode: 'hesitate' as 'comply' | 'refuse' | 'hesitate', why: '', acknowledged: 0, purges: 0 }
  const cdn = http.createServer((_, response) => void response.writeHead(outside.mode === 'comply' ? 200 : 503).end())
  await new Promise<void>((resolve) => cdn.listen(0, '127.0.0.1', resolve))
  const { port } = cdn.address() as AddressInfo
  const acknowledged = (version: number): Acknowledged => {
    if (outside.mode === 'comply') outside.acknowledged = site.version
    if (outside.mode === 'refuse') return { state: 'refused', why: outside.why }
    return outside.acknowledged >= version
      ? { state: 'confirmed' }
      : { state: 'waiting', why: `node-1 has not confirmed version ${version}` }
  }
  return {
    context: {
      serviceDomain: 'fairway.test',
      edgeAcknowledged: async (_, version) => acknowledged(version),
      simulatedAcknowledged: async () => acknowledged(1),
      purgesAcknowledged: async (_, version) =>
        outside.mode === 'comply' ? { state: 'confirmed' } : acknowledged(version + 1_000),
      purgePauseMs: async (_, perMinute) => (outside.purges++ < perMinute ? 0 : 60_000),
      edgeHolds: async (_, domainId) => site.holds.has(domainId),
      async publishToEdge(_, domainId, holds) {
        if (site.holds.has(domainId) === holds) return site.version
        if (holds) site.holds.add(domainId)
        else site.holds.delete(domainId)
        site.publications += 1
        return (site.version += 1)
      },
      probe: (_, { host }) =>
        new Promise((resolve) => {
          const request = http.get(
            { host: '127.0.0.1', port, headers: { host }, agent: false },
            (response) => (
              response.resume(),
              resolve(response.statusCode === 200 ? null : `${outside.why || 'status'} ${response.statusCode}`)
            ),
          )
          request.on('error', (error) => resolve(error.message))
        }),
      stillServes: async () => false,
      vendor: () => Promise.reject(new Error('there is no vendor here')),
    },
    order: (more) => ({
      reference: 'ref-1',
      domainId: 'domain-1',
      siteId: SITE,
      host: 'www.example.test',
      cdnId: 'cdn-1',
      slug: 'polaris',
      customCname: 'cdn.customer.example',
      vendorRef: null,
      vendorCertificate: null,
      version: site.version,
      ...more,
    }),
    comply: () => void (outside.mode = 'comply'),
    refuse: (why) => void Object.assign(outside, { mode: 'refuse', why }),
    hesitate: () => void (outside.mode = 'hesitate'),
    publications: () => site.publications,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => cdn.close(resolve))
    },
  }
}
