import path from 'node:path'
import type { ClientConfig } from 'pg'
import { type Config, systemEnvironment } from '../config.ts'
import { runDir } from '../control.ts'
import { hostPortText } from '../host-port.ts'
import { secret } from '../secrets.ts'
import { connectionsTo, readDatabaseUrl } from './address.ts'

export const DATABASE_NAME = 'fairway'
export const DATABASE_OWNER = 'fairway'

/** The embedded server's socket and password. */
export function embeddedConnection(config: Config): ClientConfig {
  return { ...connectionOf(config), database: DATABASE_NAME }
}

/**
 * Options for `pg`, for each host that may be the one: the servers named by URL when one is set, else the embedded one.
 * @param isDirect without a pooler in between
 */
export function databaseConnections(config: Config, isDirect: boolean): ClientConfig[] {
  // The direct way is one to the same database: without a database elsewhere it leads nowhere.
  const url = config.databaseUrl && ((isDirect && config.databaseDirectUrl) || config.databaseUrl)
  if (url === '') return [embeddedConnection(config)]
  const address = readDatabaseUrl(url)
  if (typeof address === 'string') throw new Error(`the database's URL ${address}`)
  return connectionsTo(address)
}

export type ReplicaAddress = {
  /** Host and port, for people. */
  name: string
  /** Options for `pg`; certificates are read now. */
  server(): ClientConfig
}

/** Each replica that the settings name. */
export function replicaAddresses(config: Config): ReplicaAddress[] {
  return config.databaseReplicaUrls.flatMap((url) => {
    const address = readDatabaseUrl(url, { isReplica: true })
    if (typeof address === 'string') throw new Error(`a replica's URL ${address}`)
    return address.hosts.map((host) => ({
      name: host.host.startsWith('/') ? host.host : hostPortText(host),
      server: () => connectionsTo({ ...address, hosts: [host] })[0] ?? {},
    }))
  })
}

/** How the embedded server is reached, without naming a database. */
export function connectionOf(config: Config): ClientConfig {
  return { host: socketFolder(config), port: 5432, user: DATABASE_OWNER, password: databasePassword(config) }
}

export function databasePassword(config: Config): string {
  return secret(config, 'database-password')
}

export function databaseFolder(config: { home: string }): string {
  return path.join(config.home, 'database')
}

export function socketFolder(config: { home: string }): string {
  return path.join(runDir(config), 'pg')
}

/** The environment PostgreSQL's programs run with: nothing of `PG*`, which would change what they do. */
export function databaseEnvironment(): NodeJS.ProcessEnv {
  return { ...systemEnvironment(), LC_ALL: 'C' }
}
