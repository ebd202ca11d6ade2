import { type Config, configEnvironment, loadConfig } from '@fairway/platform'
import { ADDRESS_SETTINGS } from './ports.ts'

/** What only a start can change: the keeper holds the addresses, and the engines keep what they hold. */
const AT_START: readonly string[] = [
  'FAIRWAY_HOME',
  'FAIRWAY_NODE_NAME',
  'FAIRWAY_DATABASE_URL',
  'FAIRWAY_DATABASE_DIRECT_URL',
  'FAIRWAY_DATABASE_REPLICA_URLS',
  'FAIRWAY_CLICKHOUSE_URL',
  'FAIRWAY_CLICKHOUSE_CLUSTER',
  'FAIRWAY_CLICKHOUSE_STORAGE_POLICY',
  'FAIRWAY_CLICKHOUSE_COLD_DAYS',
  ...ADDRESS_SETTINGS,
  'FAIRWAY_SIMULATED_ADDRESSES',
]
/** Where nothing else is said, they follow from an address. */
const FOLLOWS: Record<string, readonly string[]> = {
  FAIRWAY_API_URL: ['FAIRWAY_LISTEN'],
  FAIRWAY_PUBLIC_URL: ['FAIRWAY_LISTEN', 'FAIRWAY_TLS_LISTEN'],
  FAIRWAY_COLLECTOR_URL: ['FAIRWAY_COLLECTOR_LISTEN'],
  // Files without their address are no settings.
  FAIRWAY_TLS_CERT: ['FAIRWAY_TLS_LISTEN'],
  FAIRWAY_TLS_KEY: ['FAIRWAY_TLS_LISTEN'],
  FAIRWAY_TLS_ACME: ['FAIRWAY_TLS_LISTEN'],
}

/**
 * Settings for what is exchanged: those of now, but for what takes a start, which is told. With settings that cannot be
 * read the former ones stay, and why is told.
 */
export function exchangedSettings(former: Config, read: () => Config, say: (line: string) => void): Config {
  let now: Record<string, string>
  try {
    now = configEnvironment(read())
  } catch (error) {
    say(`the settings stay as they were: ${error instanceof Error ? error.message : String(error)}`)
    return former
  }
  const before = configEnvironment(former)
  const waiting = AT_START.filter((name) => now[name] !== before[name])
  if (waiting.length > 0) say(`${waiting.join(', ')} will be in force when Fairway is started again`)
  const kept = [
    ...waiting,
    ...Object.keys(FOLLOWS).filter((name) => FOLLOWS[name]?.some((address) => waiting.includes(address))),
  ]
  return loadConfig({ ...now, ...Object.fromEntries(kept.map((name) => [name, before[name]])) })
}
