import {
  type CapacityPlan,
  type Demand,
  type MachineKind,
  CAPACITY_ROLES,
  CONSTANTS,
  DEFAULT_DEMAND,
  DEFAULT_MACHINE,
  planCapacity,
} from '@fairway/domain'
import { table } from '../bench/figures.ts'
import { UsageError, parseWords } from './options.ts'

const wordOf = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const DEFAULTS: Record<string, number> = { ...DEFAULT_DEMAND, ...DEFAULT_MACHINE }
const OPTIONS = {
  json: { type: 'boolean' },
  constants: { type: 'boolean' },
  ...Object.fromEntries(Object.keys(DEFAULTS).map((key) => [wordOf(key), { type: 'string' as const }])),
} as const

/**
 * `capacity [--zones <n> …] [--json]`: machines, memory, disk, traffic and cost for a demand, from what was measured;
 * `--constants` prints what was, as `docs/capacity.md` shows it.
 */
export async function capacity(words: string[]): Promise<number> {
  const { values, positionals } = parseWords(words, OPTIONS)
  if (positionals.length > 0)
    throw new UsageError(
      `capacity takes options only: ${Object.keys(OPTIONS)
        .map((name) => `--${name}`)
        .join(', ')}`,
    )
  const given = values as Record<string, string | boolean | undefined>
  const numbers = Object.fromEntries(
    Object.entries(DEFAULTS).map(([key, usual]) => [key, numberOf(wordOf(key), given[wordOf(key)], usual)]),
  )
  const pick = <T extends object>(usual: T) =>
    Object.fromEntries(Object.keys(usual).map((key) => [key, numbers[key]])) as { [key in keyof T]: number }
  const [demand, machine]: [Demand, MachineKind] = [pick(DEFAULT_DEMAND), pick(DEFAULT_MACHINE)]
  if (machine.inUse === 0 || machine.cores === 0 || machine.memoryGb === 0 || machine.diskGb === 0)
    throw new UsageError('a machine has to have something: --cores, --memory-gb, --disk-gb and --in-use above 0')
  const plan = planCapacity(demand, machine)
  process.stdout.write(
    given['constants']
      ? constantsTable()
      : given['json']
        ? `${JSON.stringify({ demand, machine, ...plan }, null, 2)}\n`
        : textOf(demand, machine, plan),
  )
  return 0
}

/** What was measured, as lines of a table in Markdown. */
export function constantsTable(): string {
  const rows = Object.entries(CONSTANTS).map(
    ([name, { value, unit, by }]) => `| \`${name}\` | ${value === null ? 'not known' : `${value} ${unit}`} | ${by} |`,
  )
  return ['| Constant | Value | By |', '|---|---|---|', ...rows, ''].join('\n')
}

function numberOf(name: string, given: string | boolean | undefined, usual: number): number {
  if (given === undefined) return usual
  const value = Number(given)
  if (given === '' || !Number.isFinite(value) || value < 0 || value > 1e12)
    throw new UsageError(`--${name} takes a number from 0 on, not "${given}"`)
  const isShare = name === 'steered-share' || name === 'in-use'
  if (isShare && value > 1) throw new UsageError(`--${name} takes a share from 0 to 1`)
  return value
}

const LIMITS: Record<CapacityPlan['limits'][number]['what'], string> = {
  'score-builder': 'one process builds all scores: cores that it needs, and has',
  'database-writer': 'one database takes all writes: cores that it needs, and has',
  'memory-of-node': 'a name server holds all zones: memory that it needs, and has',
  'memory-of-database': 'memory that the database needs to stay quick, and has',
  'disk-of-database': 'one disk holds the database: what it needs, and has',
}

const amount = (bytes: number): string =>
  bytes >= 1e12
    ? `${(bytes / 1e12).toFixed(1)} TB`
    : bytes >= 1e9
      ? `${(bytes / 1e9).toFixed(1)} GB`
      : `${Math.ceil(bytes / 1e6)} MB`
const figure = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2))

function textOf(
  demand: Demand,
  machine: MachineKind,
  { roles, machines, bytesPerSecond, monthly, limits, notKnown }: CapacityPlan,
): string {
  const said = (of: object) =>
    Object.entries(of)
      .map(([key, value]) => `${wordOf(key)} ${Number(value).toLocaleString('en')}`)
      .join(', ')
  const rows = CAPACITY_ROLES.map((role) => {
    const { machines: count, cores, memoryBytes, diskBytes, bytesPerSecond: traffic, bound } = roles[role]
    return [
      role,
      String(count),
      bound,
      figure(cores),
      amount(memoryBytes),
      amount(diskBytes),
      `${figure((traffic * 8) / 1e6)} Mbit/s`,
    ]
  })
  const lines = [
    `for ${said(demand)}`,
    `on machines with ${said(machine)}`,
    '',
    table([['role', 'machines', 'by', 'cores', 'memory each', 'disk', 'traffic'], ...rows]),
    '',
    `${machines} machines, ${figure((bytesPerSecond * 8) / 1e9)} Gbit/s, ${Math.round(monthly).toLocaleString('en')} a month`,
    ...limits.map(({ what, needs, has }) => {
      const show = what.startsWith('memory') || what.startsWith('disk') ? amount : figure
      return `in the way: ${LIMITS[what]}: ${show(needs)} of ${show(has)}`
    }),
    ...(notKnown.length > 0 ? [`not known and not counted: ${notKnown.join(', ')}`] : []),
    '',
  ]
  return lines.join('\n')
}
