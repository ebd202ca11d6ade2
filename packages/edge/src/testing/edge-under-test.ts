import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import {
  type EdgeCertificates,
  EdgeDomain,
  type EdgePurgeMark,
  type Publication,
  type SimulatedFault,
} from '@fairway/contract'
import {
  freePort,
  type Config,
  type Log,
  type LogFields,
  loadConfig,
  sealForNodes,
  selfSignedCertificate,
  shareGeo,
} from '@fairway/platform'
import type { z } from 'zod'
import { type EdgeAgent, startAgent } from '../agent.ts'
import type { Patience } from '../nginx/configuration.ts'

/** The addresses that the edge's tests listen on, apart from those of everything else on the machine. */
export const EDGE = '127.0.0.21'
export const NORTH = '127.0.0.22'
export const SOUTH = '127.0.0.23'

export type Answer = { status: number; headers: http.IncomingHttpHeaders; text: string; bytes: Buffer; ms: number }
export type GetOptions = {
  headers?: Record<string, string>
  at?: string
  port?: number
  method?: string
  tls?: boolean
  body?: string | Buffer
}
export type EdgeUnderTest = AsyncDisposable & {
  agent: EdgeAgent
  config: Config
  log: RecordingLog
  get(host: string, target?: string, options?: GetOptions): Promise<Answer>
  publish(publication: Publication): Promise<void>
}

/** A real edge on free ports; `home` is kept when given, else temporary. */
export async function startEdgeUnderTest(
  home?: string,
  patience?: Patience,
  settings: Record<string, string> = {},
): Promise<EdgeUnderTest> {
  const folder = home ?? temporaryHome()
  const config = await edgeConfig(folder, settings)
  const log = recordingLog()
  const agent = await startAgent({ config, log, ...(patience ? { patience } : {}) })
  return {
    agent,
    config,
    log,
    get: (host, target = '/', options = {}) => fetchFrom(config, host, target, options),
    publish: (publication) => agent.apply(publication),
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]()
      if (!home) fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function temporaryHome(): string {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-edge-test-'))
  // As a home usually is, so that workers run under their own account.
  fs.chmodSync(home, 0o711)
  shareGeo(home)
  return home
}

export async function edgeConfig(home: string, more: Record<string, string> = {}): Promise<Config> {
  const [plain, tls] = [await freePort(EDGE), await freePort(EDGE)]
  return loadConfig({
    FAIRWAY_HOME: home,
    FAIRWAY_EDGE_HTTP: `${EDGE}:${plain}`,
    FAIRWAY_EDGE_HTTPS: `${EDGE}:${tls}`,
    FAIRWAY_SIMULATED_ADDRESSES: `${NORTH},${SOUTH}`,
    FAIRWAY_NODE_NAME: 'test-node',
    FAIRWAY_PRIVATE_NETWORKS: '127.0.0.0/8,::1',
    FAIRWAY_TRUSTED_PROXIES: '127.0.0.1',
    ...more,
  })
}

type DomainSetting = Partial<z.input<typeof EdgeDomain>>

/** A publication of one site with these domains. */
export function siteOf(
  siteId: string,
  version: number,
  domains: DomainSetting[],
  organizationId = 'org-1',
): Publication {
  const body = {
    siteId,
    organizationId,
    version,
    domains: domains.map((domain, index) =>
      EdgeDomain.parse({
        host: 'www.example.test',
        domainId: `${siteId}-domain-${index}`,
        organizationId,
        siteId,
        version,
        origin: { addresses: ['127.0.0.1'], port: 1, protocol: 'http', hostHeader: 'origin.example.test' },
        cache: { enabled: true, defaultTtlSeconds: 60, everything: true },
        ...domain,
      } satisfies z.input<typeof EdgeDomain>),
    ),
  }
  return { revision: version, kind: 'edge-site', key: siteId, version, body }
}

export function simulatedCdn(name: string, address: string, version: number, fault: SimulatedFault): Publication {
  return {
    revision: version,
    kind: 'simulated-cdn',
    key: `cdn-${name}`,
    version,
    body: { cdnId: `cdn-${name}`, name, address, version, fault },
  }
}

/** A publication of the purges in force for the first domain of a site. */
export type Staple = EdgeCertificates['certificates'][number]['staple']

/** A certificate of a site for one host, made here. */
export function certificateOf(
  edge: EdgeUnderTest,
  siteId: string,
  host: string,
  version: number,
  staple: Staple = null,
): Publication {
  const { certificatePem, keyPem } = selfSignedCertificate([host], new Date())
  const certificate = {
    certificateId: 'one',
    chainPem: certificatePem,
    sealedPrivateKey: sealForNodes(edge.config, 'certificate key', keyPem),
    notAfter: Date.now() + 86_400_000,
    staple,
  }
  const body: EdgeCertificates = {
    siteId,
    domain: host,
    organizationId: 'org-1',
    version,
    certificates: [certificate],
    names: { [host]: 'one' },
  }
  return { revision: version, kind: 'edge-certificates', key: siteId, version, body }
}

export function purgesOf(siteId: string, version: number, marks: EdgePurgeMark[]): Publication {
  const domainId = `${siteId}-domain-0`
  return {
    revision: version,
    kind: 'edge-purges',
    key: domainId,
    version,
    body: { domainId, organizationId: 'org-1', siteId, host: 'www.example.test', version, marks },
  }
}

export type Origin = AsyncDisposable & {
  port: number
  asked: http.IncomingMessage[]
  origin(more?: Partial<OriginSetting>): OriginSetting
}
type OriginSetting = z.input<typeof EdgeDomain>['origin']

/** A small website to stand behind the edge; `answer` may be replaced by the test at any time. */
export async function startOrigin(answer: http.RequestListener, protocol: 'http' | 'https' = 'http'): Promise<Origin> {
  const asked: http.IncomingMessage[] = []
  const take: http.RequestListener = (request, response) => {
    asked.push(request)
    answer(request, response)
  }
  const { certificatePem, keyPem } = selfSignedCertificate(['origin.example.test'], new Date())
  const server =
    protocol === 'https' ? https.createServer({ cert: certificatePem, key: keyPem }, take) : http.createServer(take)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  return {
    port,
    asked,
    origin: (more) => ({ addresses: ['127.0.0.1'], port, protocol, hostHeader: 'origin.example.test', ...more }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type RecordingLog = Log & { lines: LogFields[] }
export function recordingLog(): RecordingLog {
  const lines: LogFields[] = []
  const take = (fields: LogFields) => void lines.push(fields)
  const log: RecordingLog = { lines, debug: take, info: take, warn: take, error: take, child: () => log }
  return log
}

/** Tries until it holds or a minute has passed, for machines are busy; then the last failure is thrown. */
export async function eventually<T>(attempt: () => Promise<T> | T): Promise<T> {
  for (const until = Date.now() + 60_000; ;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

function fetchFrom(
  config: Config,
  host: string,
  target: string,
  { headers = {}, at = EDGE, port, method = 'GET', tls = false, body }: GetOptions,
): Promise<Answer> {
  const began = performance.now()
  const options = {
    host: at,
    port: port ?? (tls ? config.edgeHttps.port : config.edgeHttp.port),
    path: target,
    method,
    headers: { host, ...headers },
    agent: false as const,
    servername: host,
    rejectUnauthorized: false,
    timeout: 10_000,
  }
  return new Promise((resolve, reject) => {
    const request = (tls ? https : http).request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: bytes.toString('utf8'),
          bytes,
          ms: performance.now() - began,
        })
      })
    })
    request.on('timeout', () => request.destroy(new Error('no answer within 10 s')))
    request.on('error', reject)
    request.end(body)
  })
}
