import type { ListedStrategy } from '@fairway/contract'
import { contains, parseCidr, type IpNetwork } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { replaceStrategies } from '../routing-strategies/replace.ts'
import { inputOf, present } from '../routing-strategies/rule.ts'
import { allStrategies, targetIds } from '../routing-strategies/store.ts'

const NAME = 'Overrides: '
const PER_STRATEGY = 1000

/**
 * Makes static routes of `network,cdn` lines, before all other strategies and in the place of those made so before. A
 * CDN that is down is passed, as with every static route.
 * @throws Failure 400 with the number of each wrong line
 */
export async function putOverrides(context: Context, csv: string): Promise<{ networks: number; strategies: string[] }> {
  const { tx, domain } = context
  const lines = readLines(csv, await targetIds(tx, domain.id))
  const made: ListedStrategy[] = [...Map.groupBy(lines, (line) => line.cdnId)].flatMap(([cdnId, own]) =>
    Array.from({ length: Math.ceil(own.length / PER_STRATEGY) }, (_, part) => ({
      name: `${NAME}${cdnId}${part > 0 ? ` ${part + 1}` : ''}`,
      enabled: true,
      method: 'static-route' as const,
      filter: {
        places: [],
        networks: [],
        cidrs: own.slice(part * PER_STRATEGY, (part + 1) * PER_STRATEGY).map((line) => line.text),
      },
      targets: [{ cdnId, weight: 1 }],
      availabilityThreshold: null,
      omitRum: false,
      omitSum: false,
      requireAllData: false,
      visitorPercent: null,
      minimumMbps: null,
      preferThroughput: false,
      ttlSeconds: null,
      whenNoData: 'pass' as const,
      whenBelow: 'pass' as const,
    })),
  )
  const old = (await allStrategies(tx, domain.id)).map((row) => ({ id: row.id, ...inputOf(present(row)) }))
  const kept = old.filter(({ name }) => !name.startsWith(NAME))
  const named = made.map((rule) => ({ ...rule, id: old.find(({ name }) => name === rule.name)?.id }))
  await replaceStrategies(context, domain, [...named, ...kept])
  return { networks: lines.length, strategies: made.map(({ name }) => name) }
}

type Line = { text: string; cdnId: string; network: IpNetwork; number: number }

function readLines(csv: string, installed: ReadonlySet<string>): Line[] {
  const fields: { path: string; message: string }[] = []
  const lines: Line[] = []
  const wrong = (number: number, message: string) => void fields.push({ path: `csv.${number}`, message })
  for (const [index, raw] of csv.split(/\r?\n/).entries()) {
    const [text = '', cdnId = '', ...more] = raw.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
    if (text === '' || text.startsWith('#') || (index === 0 && /^(network|cidr)$/i.test(text))) continue
    const network = parseCidr(text)
    if (network === null || more.length > 0) wrong(index + 1, 'validation.cidr')
    else if (!installed.has(cdnId)) wrong(index + 1, 'validation.notInstalled')
    else lines.push({ text, cdnId, network, number: index + 1 })
    if (fields.length >= 50) break
  }
  if (fields.length === 0 && lines.length > 5000) wrong(5001, 'validation.max_value:5000')
  if (fields.length === 0) for (const line of ambiguous(lines)) wrong(line.number, 'validation.cidrOverlaps')
  if (fields.length > 0) throw new Failure(400, { fields })
  return lines
}

/** Networks that lie in another one which is for another CDN: which of the two decides would hang on their order. */
function ambiguous(lines: readonly Line[]): Line[] {
  const sorted = lines.toSorted(
    (a, b) =>
      a.network.family - b.network.family ||
      compareWords(a.network.words, b.network.words) ||
      a.network.prefixLength - b.network.prefixLength,
  )
  const open: Line[] = []
  const found: Line[] = []
  for (const line of sorted) {
    let last = open.at(-1)
    while (last && !contains(last.network, line.network)) {
      open.pop()
      last = open.at(-1)
    }
    if (open.some((outer) => outer.cdnId !== line.cdnId)) found.push(line)
    open.push(line)
  }
  return found.toSorted((a, b) => a.number - b.number).slice(0, 50)
}

function compareWords(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < a.length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
