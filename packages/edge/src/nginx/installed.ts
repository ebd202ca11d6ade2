import crypto from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import {
  type Config,
  type HostPort,
  type Log,
  leakedPasswordsFile,
  nodeSecret,
  Problem,
  selfSignedCertificate,
  sharedCertificate,
} from '@fairway/platform'
import { ownFrontFolder } from '../front/front.ts'
import { originAuthorities } from '../origin-authorities.ts'
import { policiesMb } from '../policy/room.ts'
import { buildLua } from './build-lua.ts'
import { type Patience, nginxConfiguration } from './configuration.ts'
import { type EdgeLayout, ofGeneration, workerAccount } from './layout.ts'
import { type NginxProgram, findNginx, testConfiguration } from './program.ts'

/** The generic configuration. It changes only with the addresses listened on, and with code and settings. */
export type InstalledNginx = {
  program: NginxProgram
  /** Workers' account, and how many there are. */ user: string | null
  workers: number
  /** Memory for what customers have set, and what one of them may have of it. */
  policyRoom: { sizeMb: number; sharePercent: number }
  /** Of the configuration of now. */
  id(): string
  /** Writes it for the nginx of that number and answers the file. */
  write(generation: number): string
  /** Every address that visitors come to. */
  addresses(): HostPort[]
  listens(address: string): boolean
  /** Adds a listener to the configuration of now. @throws Problem when it cannot be had, or nginx refuses it */
  addAddress(address: string): Promise<void>
  /** Takes one out again. */
  dropAddress(address: string): void
}

const MOST_FILES = 32_768
/** With the visitor, between the servers of nginx (both ends), and with the origin. */
const CONNECTIONS_OF_A_MISS = 4

/** A visitor has at most so many of a customer's WebSockets in a worker, and a sixteenth of its room. */
const TUNNELS_OF_A_VISITOR = 64

/** Files that a process may have open here. */
function filesAllowed(): number {
  try {
    const said = /^Max open files +\d+ +(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return said === undefined ? MOST_FILES : Number(said)
  } catch {
    return MOST_FILES
  }
}

/** Makes everything nginx needs before its first start. @throws Problem when something is missing. */
export async function installNginx(
  config: Config,
  layout: EdgeLayout,
  held: { addresses(): string[]; bytes(): number },
  log: Log,
  patience: Patience,
): Promise<InstalledNginx> {
  const program = await findNginx()
  writeCertificate(layout, config)
  writeRelayCertificate(layout, config)
  fs.writeFileSync(layout.originAuthorities, originAuthorities(config).join('\n'))
  const user = workerAccount(layout.prefix)
  if (user === 'root')
    log.warn({ event: 'nginx.workers.root', reason: `${layout.prefix} is not reachable for another account` })
  ownFrontFolder(layout.frontFolder, user)
  const addresses = new Set<string>()
  for (const address of new Set([...config.simulatedAddresses, ...held.addresses()])) {
    const problem = await listenProblem(address)
    if (problem) log.warn({ event: 'simulated.address.unusable', address, problem })
    else addresses.add(address)
  }
  const luaDir = await buildLua()
  const files = Math.min(MOST_FILES, filesAllowed())
  // What is stored and what is being written are files too.
  const connections = Math.floor(files / 2)
  const room = Math.max(1, Math.floor((connections * config.edgeCustomerShare) / 100 / CONNECTIONS_OF_A_MISS))
  // Tunnels stay: the other half is left to pages.
  const tunnels = Math.max(1, Math.floor(room / 2))
  const base = {
    patience,
    node: config.nodeName,
    files,
    connections,
    requestsPerAddress: config.edgeRequestsPerAddress,
    room,
    tunnels,
    tunnelsPerAddress:
      config.edgeRequestsPerAddress === 0
        ? tunnels
        : Math.max(1, Math.min(TUNNELS_OF_A_VISITOR, Math.floor(room / 16))),
    policiesMb: policiesMb(config, held.bytes()),
    customerShare: config.edgeCustomerShare,
    cacheMb: config.edgeCacheMb,
    largestMb: Math.max(1, Math.min(config.edgeLargestMb, Math.floor(config.edgeCacheMb / 10))),
    largestRequestMb: config.edgeLargestRequestMb,
    leastFreeMb: config.diskScarceMb,
    http: config.edgeHttp,
    https: config.edgeHttps,
    trustedProxies: config.trustedProxies,
    records: config.recordedRequestDays > 0,
    user,
    workers: Math.min(2, os.availableParallelism()),
    modulesDir: program.modulesDir,
    luaDir,
    prefix: layout.prefix,
    requestLog: layout.requestLog,
    brotli: fs.existsSync(path.join(program.modulesDir, 'ngx_http_brotli_filter_module.so')),
    certificate: layout.certificate,
    certificateKey: layout.certificateKey,
    originAuthorities: layout.originAuthorities,
    front: config.edgeHttp3 !== null,
    relay: config.shieldListen,
    relayCertificate: layout.relayCertificate,
    relayKey: layout.relayKey,
    placesFile: layout.places,
    captchasFile: layout.captchas,
    scarceFile: layout.scarce,
    leakedFile: leakedPasswordsFile(config),
  }
  const simulated = (wanted: ReadonlySet<string>) =>
    [...wanted].filter((address) => address !== config.edgeHttp.host && address !== config.edgeHttps.host)
  const render = (wanted: ReadonlySet<string>, generation: number, configurationId: string) =>
    nginxConfiguration({
      ...base,
      ...ofGeneration(layout, generation),
      simulatedAddresses: simulated(wanted),
      configurationId,
    })
  // What differs by generation is no difference.
  const idOf = (wanted: ReadonlySet<string>) =>
    crypto
      .createHash('sha256')
      .update(render(wanted, 0, ''))
      .digest('hex')
      .slice(0, 16)
  const test = async (wanted: ReadonlySet<string>) => {
    const draft = path.join(layout.configurations, 'draft.conf')
    fs.writeFileSync(draft, render(wanted, 0, idOf(wanted)))
    await testConfiguration(program, draft, layout.prefix)
  }
  await test(addresses)
  return {
    program,
    user,
    workers: base.workers,
    policyRoom: { sizeMb: base.policiesMb, sharePercent: config.edgeCustomerShare },
    id: () => idOf(addresses),
    write(generation) {
      const { configuration } = ofGeneration(layout, generation)
      fs.writeFileSync(configuration, render(addresses, generation, idOf(addresses)))
      return configuration
    },
    addresses: () => [
      config.edgeHttp,
      ...simulated(addresses).map((host) => ({ host, port: config.edgeHttp.port })),
      config.edgeHttps,
      ...simulated(addresses).map((host) => ({ host, port: config.edgeHttps.port })),
      ...(config.shieldListen ? [config.shieldListen] : []),
    ],
    listens: (address) => addresses.has(address),
    async addAddress(address) {
      const problem = await listenProblem(address)
      if (problem) throw new Problem(problem)
      await test(new Set([...addresses, address]))
      addresses.add(address)
    },
    dropAddress: (address) => void addresses.delete(address),
  }
}

/** Why a simulated CDN cannot listen there, or null. */
async function listenProblem(address: string): Promise<string | null> {
  if (!net.isIPv4(address) || !address.startsWith('127.'))
    return `A simulated CDN listens on a loopback address (127.…), not on ${address}.`
  const server = net.createServer()
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, address, resolve))
    return null
  } catch {
    return `This machine does not have the address ${address}. On macOS: sudo ifconfig lo0 alias ${address}`
  } finally {
    server.close()
  }
}

function writeCertificate(layout: EdgeLayout, config: Config): void {
  if (fs.existsSync(layout.certificate) && fs.existsSync(layout.certificateKey)) return
  const names = [`edge.${config.serviceDomain}`, `*.edge.${config.serviceDomain}`]
  const { certificatePem, keyPem } = selfSignedCertificate(names, new Date())
  fs.writeFileSync(layout.certificateKey, keyPem, { mode: 0o600 })
  fs.writeFileSync(layout.certificate, certificatePem)
}

/** Made anew at each start: it is the same so long as the secret of the nodes is. */
function writeRelayCertificate(layout: EdgeLayout, config: Config): void {
  const { certificatePem, keyPem } = sharedCertificate('relay.fairway', nodeSecret(config, 'relay', 32))
  fs.writeFileSync(layout.relayKey, keyPem, { mode: 0o600 })
  fs.writeFileSync(layout.relayCertificate, certificatePem)
}
