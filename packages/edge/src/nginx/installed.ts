import crypto from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, type Log, Problem, selfSignedCertificate } from '@fairway/platform'
import { originAuthorities } from '../origin-authorities.ts'
import { buildLua } from './build-lua.ts'
import { type NginxSettings, type Patience, nginxConfiguration } from './configuration.ts'
import { type EdgeLayout, workerAccount } from './layout.ts'
import { type NginxProgram, findNginx, testConfiguration } from './program.ts'

/** The generic configuration on disk. It changes only with the addresses listened on. */
export type InstalledNginx = {
  program: NginxProgram
  file: string
  listens(address: string): boolean
  /**
   * Adds a listener: writes and tests the new file, reloads, sees that it runs; else puts the old one back. @throws
   * Problem
   */
  addAddress(address: string, reload: () => void, running: () => Promise<string | null>): Promise<void>
}

const RELOAD_MS = 5000

/** Makes everything nginx needs before its first start. @throws Problem when something is missing. */
export async function installNginx(
  config: Config,
  layout: EdgeLayout,
  publishedAddresses: string[],
  log: Log,
  patience: Patience,
): Promise<InstalledNginx> {
  const program = await findNginx()
  writeCertificate(layout, config)
  fs.writeFileSync(layout.originAuthorities, originAuthorities(config).join('\n'))
  const user = workerAccount(layout.prefix)
  if (user === 'root')
    log.warn({ event: 'nginx.workers.root', reason: `${layout.prefix} is not reachable for another account` })
  const addresses = new Set<string>()
  for (const address of new Set([...config.simulatedAddresses, ...publishedAddresses])) {
    const problem = await listenProblem(address)
    if (problem) log.warn({ event: 'simulated.address.unusable', address, problem })
    else addresses.add(address)
  }
  const luaDir = await buildLua()
  const file = path.join(layout.configurations, 'nginx.conf')
  const base = {
    patience,
    node: config.nodeName,
    cacheMb: config.edgeCacheMb,
    http: config.edgeHttp,
    https: config.edgeHttps,
    trustedProxies: config.trustedProxies,
    user,
    workers: Math.min(2, os.availableParallelism()),
    modulesDir: program.modulesDir,
    luaDir,
    prefix: layout.prefix,
    requestLog: layout.requestLog,
    adminSocket: layout.adminSocket,
    innerSocket: layout.innerSocket,
    tierSocket: layout.tierSocket,
    sliceSocket: layout.sliceSocket,
    brotli: fs.existsSync(path.join(program.modulesDir, 'ngx_http_brotli_filter_module.so')),
    certificate: layout.certificate,
    certificateKey: layout.certificateKey,
    originAuthorities: layout.originAuthorities,
  }
  const render = (wanted: Set<string>) =>
    identified({
      ...base,
      simulatedAddresses: [...wanted].filter(
        (address) => address !== config.edgeHttp.host && address !== config.edgeHttps.host,
      ),
    })
  const test = async ({ text }: { text: string }) => {
    const draft = `${file}.draft`
    fs.writeFileSync(draft, text)
    await testConfiguration(program, draft, layout.prefix)
    fs.renameSync(draft, file)
  }
  await test(render(addresses))
  return {
    program,
    file,
    listens: (address) => addresses.has(address),
    async addAddress(address, reload, running) {
      const problem = await listenProblem(address)
      if (problem) throw new Problem(problem)
      const wanted = render(new Set([...addresses, address]))
      const before = fs.readFileSync(file, 'utf8')
      await test(wanted)
      reload()
      for (let waited = 0; waited < RELOAD_MS; waited += 20, await sleep(20)) {
        if ((await running()) === wanted.id) return void addresses.add(address)
      }
      // nginx goes on with what it had when it cannot take the new file.
      fs.writeFileSync(file, before)
      throw new Problem(
        `nginx did not take a configuration that listens on ${address}; it goes on with the one before.`,
      )
    },
  }
}

function identified(settings: Omit<NginxSettings, 'configurationId'>): { id: string; text: string } {
  const id = crypto
    .createHash('sha256')
    .update(nginxConfiguration({ ...settings, configurationId: '' }))
    .digest('hex')
    .slice(0, 16)
  return { id, text: nginxConfiguration({ ...settings, configurationId: id }) }
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
