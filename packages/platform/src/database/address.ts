import fs from 'node:fs'
import type { ClientConfig } from 'pg'
import { DatabaseError } from './database-error.ts'

/** Where PostgreSQL is, and how it is spoken to: a URL as libpq has it (RFC 3986, with several hosts). */
export type DatabaseAddress = {
  /** With several, the one that takes writes is looked for. */
  hosts: { host: string; port: number }[]
  user?: string
  password?: string
  database?: string
  applicationName?: string
  tls: Tls | null
}

type Tls = {
  checks: 'nothing' | 'authority' | 'name'
  /** PEM files; without one the system's authorities are believed. */
  authorities?: string
  certificate?: string
  key?: string
}

const SHAPE =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^/?#@]*)(?:\/(?<database>[^?#/]*))?(?:\?(?<parameters>[^#]*))?$/
const HOST = /^(?:\[(?<v6>[0-9A-Fa-f:.]+)\]|(?<name>[A-Za-z0-9._%~-]+))?(?::(?<port>\d{1,5}))?$/
const CHECKS: Record<string, Tls['checks'] | null> = {
  disable: null,
  'no-verify': 'nothing',
  'verify-ca': 'authority',
  require: 'name',
  'verify-full': 'name',
}
const PARAMETERS = [
  'application_name',
  'host',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslrootcert',
  'target_session_attrs',
] as const
const OF_REPLICAS = ['any', 'read-only', 'standby', 'prefer-standby']
const MOST_HOSTS = 16

/**
 * The address, or the sentence that says what is wrong with it; never with the password in it.
 * @param options.isReplica it is only read from: each of its hosts is one
 */
export function readDatabaseUrl(
  text: string,
  { isReplica = false }: { isReplica?: boolean } = {},
): DatabaseAddress | string {
  const parts = SHAPE.exec(text)?.groups
  if (!parts) return 'must be like postgres://user:password@db1:5432,db2:5432/fairway'
  try {
    const parameters = new URLSearchParams(parts['parameters'] ?? '')
    const given = new Map<string, string>()
    for (const [name, value] of parameters) {
      if (!PARAMETERS.some((known) => known === name))
        return `has a parameter that is not known: ${name}. Known are ${PARAMETERS.join(', ')}`
      given.set(name, value)
    }
    const hosts = readHosts(parts['hosts'] ?? '', given.get('host'))
    if (typeof hosts === 'string') return hosts
    const session = given.get('target_session_attrs') ?? (isReplica ? 'any' : 'read-write')
    if (isReplica && !OF_REPLICAS.includes(session))
      return `has a target_session_attrs other than ${OF_REPLICAS.join(', ')}: replicas are read from`
    if (!isReplica && !['read-write', 'primary'].includes(session) && !(session === 'any' && hosts.length === 1))
      return 'has a target_session_attrs other than read-write or primary: Fairway writes'
    const tls = readTls(given)
    if (typeof tls === 'string') return tls
    return {
      hosts,
      ...optional('user', parts['user']),
      ...optional('password', parts['password']),
      ...optional('database', parts['database']),
      ...optional('applicationName', given.get('application_name'), false),
      tls,
    }
  } catch {
    return 'has a % that is not the begin of an escaped character'
  }
}

function readHosts(text: string, socketFolder: string | undefined): DatabaseAddress['hosts'] | string {
  if (socketFolder !== undefined) {
    if (text !== '' || !socketFolder.startsWith('/'))
      return 'may have host= for a folder of sockets only, and then no host before it'
    return [{ host: socketFolder, port: 5432 }]
  }
  const hosts: DatabaseAddress['hosts'] = []
  for (const one of text.split(',')) {
    const { v6, name, port = '5432' } = HOST.exec(one)?.groups ?? { port: '0' }
    if (Number(port) < 1 || Number(port) > 65_535) return 'has a host or a port that cannot be'
    if (v6 === undefined && name === undefined && text !== '') return 'has an empty host'
    hosts.push({ host: v6 ?? (name === undefined ? 'localhost' : decodeURIComponent(name)), port: Number(port) })
  }
  return hosts.length > MOST_HOSTS ? `has more than ${MOST_HOSTS} hosts` : hosts
}

function readTls(given: ReadonlyMap<string, string>): Tls | null | string {
  const mode = given.get('sslmode') ?? 'disable'
  const checks = CHECKS[mode]
  if (checks === undefined || !Object.hasOwn(CHECKS, mode))
    return `has an sslmode other than ${Object.keys(CHECKS).join(', ')}`
  const files = {
    ...optional('authorities', given.get('sslrootcert'), false),
    ...optional('certificate', given.get('sslcert'), false),
    ...optional('key', given.get('sslkey'), false),
  }
  if (checks === null)
    return Object.keys(files).length === 0 ? null : 'names certificates, and no sslmode that uses them'
  if ((files.certificate === undefined) !== (files.key === undefined)) return 'needs sslcert and sslkey together'
  return { checks, ...files }
}

function optional<Name extends string>(
  name: Name,
  value: string | undefined,
  isEscaped = true,
): { [key in Name]?: string } {
  if (value === undefined || value === '') return {}
  return { [name]: isEscaped ? decodeURIComponent(value) : value } as { [key in Name]?: string }
}

/**
 * What `pg` is told, for each host. Certificates are read now: an authority that was exchanged counts from the next
 * connection on.
 */
export function connectionsTo(address: DatabaseAddress): ClientConfig[] {
  const { hosts, user, password, database, applicationName } = address
  return hosts.map(({ host, port }) => ({
    host,
    port,
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    ...(applicationName === undefined ? {} : { application_name: applicationName }),
    ssl: address.tls === null ? false : tlsOptions(address.tls),
  }))
}

function tlsOptions({ checks, authorities, certificate, key }: Tls): Exclude<ClientConfig['ssl'], boolean | undefined> {
  return {
    rejectUnauthorized: checks !== 'nothing',
    // Also asked for when a certificate is of nobody's interest.
    ...(checks === 'name' ? {} : { checkServerIdentity: () => undefined }),
    ...(authorities === undefined || authorities === 'system' ? {} : { ca: read('sslrootcert', authorities) }),
    ...(certificate === undefined ? {} : { cert: read('sslcert', certificate) }),
    ...(key === undefined ? {} : { key: read('sslkey', key) }),
  }
}

function read(name: string, file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw new DatabaseError(
      `The file that ${name} of the database's URL names cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
}
