import { type Config, hostPortText, loadConfig } from '@fairway/platform'
import { ROLES } from '../roles/roles.ts'
import { ROLE_NAMES, type RoleName, isRoleName } from '../roles/role.ts'
import { keep } from '../supervisor/keep.ts'
import { UsageError, parseWords } from './options.ts'

const PRODUCT: readonly RoleName[] = ['database', 'store', 'api', 'worker', 'collector', 'dns', 'edge', 'media']
const say = (line: string) => void process.stderr.write(`fairway: ${line}\n`)

/** `up [--roles a,b] [--join <address>]`: the product, empty, or some roles of another installation. */
export async function up(words: string[]): Promise<number> {
  const { values, positionals } = parseWords(words, { roles: { type: 'string' }, join: { type: 'string' } })
  if (positionals.length)
    throw new UsageError(
      `up takes no further words, but found "${positionals.join(' ')}". To start some roles only: up --roles api,worker`,
    )
  const asked =
    values.roles === undefined ? (values.join === undefined ? PRODUCT : (['dns'] as const)) : rolesOf(values.roles)
  const config =
    values.join === undefined ? loadConfig() : await (await import('./join.ts')).joinInstallation(values.join, asked)
  return keep({ config, read: () => loadConfig(), command: 'up', roles: withNeeds(asked, config), say })
}

/** `demo`: the product with a demo world, made on the first start. */
export async function demo(words: string[]): Promise<number> {
  const { positionals } = parseWords(words, {})
  if (positionals.length) throw new UsageError(`demo takes no further words, but found "${positionals.join(' ')}".`)
  const config = demoConfig()
  return keep({ config, read: demoConfig, command: 'demo', roles: withNeeds(ROLE_NAMES, config), say })
}

function demoConfig(): Config {
  const loaded = withWebrtc(withShieldRegion(withDemoWebsite(loadConfig())))
  // A demo calls nobody: names that visitors of it add are served though their parent zones cannot be asked.
  return loaded.domainProof === 'on' ? { ...loaded, domainProof: 'tolerant' } : loaded
}

/** Who tries it goes live from a browser of this machine. */
const withWebrtc = (config: Config): Config => ({
  ...config,
  webrtcListen: config.webrtcListen ?? { host: '127.0.0.1', port: 8189 },
})

/** Its one edge is a shield region, so that domains have one to choose and its times to the origin are measured. */
function withShieldRegion(config: Config): Config {
  const { host, port } = config.edgeHttps
  return {
    ...config,
    shieldRegion: config.shieldRegion || 'harbour',
    // An edge on all addresses has none that it could tell others.
    shieldListen:
      config.shieldListen ?? (port === 0 || ['0.0.0.0', '::'].includes(host) ? null : { host, port: port + 1 }),
  }
}

/** The demo's sites have its own website, which is on this machine, for their origin; nothing else is let through. */
function withDemoWebsite(config: Config): Config {
  return { ...config, privateNetworks: [...config.privateNetworks, hostPortText(config.originListen)] }
}

export function rolesOf(text: string): RoleName[] {
  return text.split(',').map((word) => {
    const name = word.trim()
    if (!isRoleName(name)) throw new UsageError(`there is no role "${name}". Roles: ${PRODUCT.join(', ')}.`)
    return name
  })
}

/**
 * Adds the engines that the roles asked for cannot do without. A database reached by URL needs no role; an outside
 * event store does: it keeps the tables up to date.
 */
function withNeeds(names: readonly RoleName[], config: Config): RoleName[] {
  const all = new Set(names.flatMap((name) => [...ROLES[name].needs, name]))
  if (config.databaseUrl) all.delete('database')
  return ROLE_NAMES.filter((name) => all.has(name))
}
