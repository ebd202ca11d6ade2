import type {
  ChallengeMode,
  FirewallAction,
  SecurityCondition,
  SecurityExpression,
  SecurityLevel,
  SecurityPolicy,
} from '@fairway/contract'
import { SECURITY_FIELDS } from '@fairway/contract'
import { writeIpv6 } from '../dns/addresses.ts'
import { type IpNetwork, parseCidr } from '../steering/cidr.ts'
import { parsePlace } from '../steering/parse-place.ts'
import { compileSchema } from './api-schema/schema-in-force.ts'
import { macKey } from './api-token.ts'
import { type Block, blockTable } from './blocks.ts'
import { lowerAscii, plainNumber } from './bytes.ts'
import type {
  AccessPlace,
  AccessTable,
  BlockTable,
  CompiledAction,
  CompiledRule,
  CompiledRuleSets,
  CompiledSecurity,
  PathTest,
  Test,
} from './compiled.ts'
import { isPattern, parsePattern } from './parse-pattern.ts'
import type { Pattern } from './pattern.ts'
import { READ_DIFFERENTLY } from './readings.ts'
import { CAREFUL_RULES, HINTS } from './rule-sets/defaults.ts'

/** From which suspicion on a visitor is asked. */
const THRESHOLDS: Record<SecurityLevel, number> = { 'under-attack': 0, high: 30, medium: 50, low: 80, off: 1000 }
export const STRENGTHS: Record<ChallengeMode, number> = { 'browser-no-delay': 1, 'browser-standard': 2, human: 3 }

/** A policy brought into the form that requests are held against. @throws Error on what `expressionProblems` refuses */
export function compile(policy: SecurityPolicy): CompiledSecurity {
  const { bots } = policy
  const compiled: CompiledSecurity = {
    access: { white: accessTable(policy.access, 'whitelist'), black: accessTable(policy.access, 'blacklist') },
    bots: {
      threshold: THRESHOLDS[bots.securityLevel],
      strength: STRENGTHS[bots.challengeMode],
      clearanceSeconds: bots.clearanceSeconds,
      integrity: bots.integrityCheck,
      crawlers: bots.verifiedCrawlers,
    },
    firewall: policy.firewall.map((rule) => ruleOf(rule, actionOf(rule.action))),
    ruleSets: ruleSetsOf(policy.crs),
    api: policy.api.map(({ id, name, path, key, ...rule }) => ({
      id,
      name,
      path: pathTest(path),
      parameter: rule.parameter,
      key: macKey(key),
      seconds: rule.tokenSeconds,
      queries: rule.rateLimitQueries,
      blockSeconds: rule.rateLimitBlockSeconds,
      blocks: rule.mode === 'block',
    })),
    schema: compileSchema(policy.schema),
    failedLogins: policy.failedLogins.map(({ id, name, path, account, failure, ...rule }) => ({
      id,
      name,
      path: pathTest(path),
      methods: rule.methods,
      maxAttempts: rule.maxAttempts,
      maxFailed: rule.maxFailed,
      seconds: rule.seconds,
      payload: account?.payload ?? '',
      accountField: account?.field ?? '',
      failure: {
        by: failure.by,
        status: failure.by === 'status' ? failure.status : 0,
        keywords: failure.by === 'body' ? failure.keywords : [],
        name: failure.by === 'header' ? failure.name : '',
        operator: failure.by === 'header' ? failure.operator : '',
        value: failure.by === 'header' ? failure.value : '',
      },
    })),
    credentialStuffing: policy.credentialStuffing.map(({ id, name, path, payload, passwordField }) => ({
      id,
      name,
      path: pathTest(path),
      payload,
      passwordField,
    })),
    headers: policy.headers.map((rule) =>
      ruleOf(rule, { direction: rule.direction, operations: rule.operations.map((one) => ({ ...one })) }),
    ),
    origins: policy.origins.map((rule) =>
      ruleOf(rule, {
        address: rule.origin.address ?? '',
        port: rule.origin.port ?? 0,
        protocol: rule.origin.protocol ?? '',
        hostHeader: rule.origin.hostHeader ?? '',
        sni: rule.origin.sni ?? '',
      }),
    ),
  }
  return { ...compiled, readsContent: readsContent(compiled) }
}

/** Whether anything may ask for what a GET or HEAD brings along; of other methods it is read in any case. */
function readsContent({ ruleSets, schema, failedLogins, credentialStuffing, ...rules }: CompiledSecurity): boolean {
  return (
    ruleSets.on ||
    schema.mode !== 'off' ||
    credentialStuffing.length > 0 ||
    failedLogins.some(({ payload, methods }) => payload !== '' && methods.some((one) => BARE.has(one))) ||
    [...rules.firewall, ...rules.headers, ...rules.origins].some(({ when }) => asksSize(when))
  )
}
const BARE: ReadonlySet<string> = new Set(['GET', 'HEAD'])

const asksSize = ({ field, of }: Test): boolean => field === 'body-size' || of.some(asksSize)

function ruleSetsOf(crs: SecurityPolicy['crs']): CompiledRuleSets {
  const actions: CompiledRuleSets['actions'] = {}
  for (const ruleId of CAREFUL_RULES) actions[`=${ruleId}`] = 'simulate'
  for (const { ruleId, enabled, action } of crs.rules) {
    const does = enabled ? action : 'off'
    if (does === 'block') delete actions[`=${ruleId}`]
    else actions[`=${ruleId}`] = does
  }
  return {
    on: crs.enabled && (crs.full || crs.sets.xss || crs.sets.sqlInjection || crs.sets.genericInjection),
    simulated: crs.mode === 'simulate',
    full: crs.full,
    xss: crs.full || crs.sets.xss,
    sqlInjection: crs.full || crs.sets.sqlInjection,
    genericInjection: crs.full || crs.sets.genericInjection,
    level: crs.paranoiaLevel,
    threshold: crs.threshold,
    bodyBytes: crs.bodyLimitKb * 1024,
    blockLonger: crs.longBodies === 'block',
    blockUninspected: crs.onFailure === 'block',
    actions,
    hints: Object.fromEntries(Object.entries(HINTS).map(([ruleId, counts]) => [`=${ruleId}`, counts])),
    exclusions: crs.exclusions.map(({ ruleId, path, parameter }) => ({
      ruleId: ruleId === null ? '' : `${ruleId}`,
      path: path.endsWith('*') ? path.slice(0, -1) : path,
      isPrefix: path.endsWith('*'),
      parameter,
    })),
  }
}

const pathTest = (path: string): PathTest => ({ path: path.replace(/\*$/, ''), isPrefix: path.endsWith('*') })

type Rule = { id: string; name: string; expression: SecurityExpression | null }
function ruleOf<Does>({ id, name, expression }: Rule, does: Does): CompiledRule<Does> {
  const when = expression === null ? test({ kind: 'always' }) : compileExpression(expression)
  return { id, name, when, does, byReading: isByReading(when) }
}

const isByReading = ({ field, of }: Test): boolean => READ_DIFFERENTLY.has(field) || of.some(isByReading)

/** @throws Error on a condition that means nothing */
export function compileExpression(expression: SecurityExpression): Test {
  if ('all' in expression) return test({ kind: 'all', of: expression.all.map(compileExpression) })
  if ('any' in expression) return test({ kind: 'any', of: expression.any.map(compileExpression) })
  return compileCondition(expression)
}

const NO_PATTERN: Pattern = { ops: [], x: [], y: [], sets: [] }
const NO_BLOCKS: BlockTable = { starts: [], owners: [], parents: [] }

function test(more: Partial<Test>): Test {
  return {
    kind: 'always',
    of: [],
    field: '',
    name: '',
    negate: false,
    ignoreCase: false,
    texts: {},
    part: '',
    where: '',
    pattern: NO_PATTERN,
    blocks: NO_BLOCKS,
    compare: '',
    number: 0,
    ...more,
  }
}

function compileCondition(condition: SecurityCondition): Test {
  const { field, operator, negate } = condition
  const ignoreCase = condition.ignoreCase || SHOUTED.has(field) || WHISPERED.has(field)
  const name = field === 'header' ? lowerAscii(condition.name) : condition.name
  const base = { field, name, negate, ignoreCase }
  const values = condition.values.map((value) => (ignoreCase ? lowerAscii(value) : value))
  const [value = ''] = values
  if (SECURITY_FIELDS[field].kind === 'address' && operator !== 'exists')
    return test({ ...base, kind: 'blocks', blocks: blockTable(condition.values.map(blockOf)) })
  switch (operator) {
    case 'equals':
    case 'in':
      return test({ ...base, kind: 'texts', texts: Object.fromEntries(values.map((one) => [`=${one}`, true])) })
    case 'contains':
      return test({ ...base, kind: 'part', where: 'anywhere', part: value })
    case 'starts-with':
      return test({ ...base, kind: 'part', where: 'start', part: value })
    case 'ends-with':
      return test({ ...base, kind: 'part', where: 'end', part: value })
    case 'matches': {
      const pattern = parsePattern(condition.values[0] ?? '', ignoreCase)
      if (!isPattern(pattern)) throw new Error(pattern.message)
      return test({ ...base, ignoreCase: false, kind: 'pattern', pattern })
    }
    case 'in-cidr':
      return test({ ...base, kind: 'blocks', blocks: blockTable(condition.values.map(blockOf)) })
    case 'exists':
      return test({ ...base, kind: 'exists' })
    case 'less':
    case 'at-most':
    case 'greater':
    case 'at-least': {
      const number = plainNumber(value)
      if (number === undefined) throw new Error('validation.number')
      return test({ ...base, kind: 'number', compare: operator, number })
    }
  }
}

// Whether a country's or a host's letters are large or small says nothing.
const SHOUTED: ReadonlySet<string> = new Set(['continent', 'country', 'network', 'method'])
const WHISPERED: ReadonlySet<string> = new Set(['host', 'extension'])

/** @throws Error when it is neither an address nor a block */
export function blockOf(text: string): Block {
  const network = parseCidr(text.trim())
  if (network === null) throw new Error('validation.cidr')
  const digits = network.words.map((word) => word.toString(16).padStart(8, '0')).join('')
  const free = network.words.length * 32 - network.prefixLength
  return { first: digits, last: filled(digits, free) }
}

/** The key with its last bits set. */
function filled(key: string, bits: number): string {
  const whole = Math.floor(bits / 4)
  const kept = key.length - whole - (bits % 4 === 0 ? 0 : 1)
  const part = bits % 4 === 0 ? '' : (Number.parseInt(key[kept] ?? '0', 16) | (2 ** (bits % 4) - 1)).toString(16)
  return `${key.slice(0, kept)}${part}${'f'.repeat(whole)}`
}

function accessTable(entries: SecurityPolicy['access'], list: 'whitelist' | 'blacklist'): AccessTable {
  const own = entries.filter((one) => one.list === list)
  const addresses = own.filter(({ kind }) => kind === 'address')
  const places = own.filter(({ kind }) => kind === 'place')
  return {
    empty: own.length === 0,
    blocks: blockTable(addresses.map(({ value }) => blockOf(value))),
    ids: addresses.map(({ id }) => id),
    untils: addresses.map(({ until }) => until),
    places: places.filter(({ exclude }) => !exclude).map(placeOf),
    excluded: places.filter(({ exclude }) => exclude).map(placeOf),
  }
}

function placeOf({ id, value, network, until }: SecurityPolicy['access'][number]): AccessPlace {
  const place = parsePlace(value)
  if (place === null) throw new Error('validation.place')
  return {
    id,
    continent: place.kind === 'continent' ? place.continent : '',
    country: 'country' in place ? place.country : '',
    region: 'region' in place ? (place.region ?? '') : '',
    city: place.kind === 'city' ? place.city : '',
    network: network ?? '',
    until,
  }
}

function actionOf(action: FirewallAction): CompiledAction {
  const limit = action.type === 'rate-limit' ? action.limit : null
  return {
    type: action.type,
    location: action.type === 'redirect' ? action.location : '',
    strength: action.type === 'challenge' ? STRENGTHS[action.mode] : 0,
    requests: limit?.requests ?? 0,
    seconds: limit?.seconds ?? 0,
    blockSeconds: limit?.blockSeconds ?? 0,
    keys: (limit?.keys ?? []).map((key) => ({ by: key.by, name: 'name' in key ? key.name : '' })),
  }
}

/** An address or a block in its one shortest form, host bits cut; null when it is neither. */
export function shortestBlock(text: string): string | null {
  const network = parseCidr(text.trim())
  return network === null ? null : writeBlock(network)
}

/** A block in its shortest form. */
export function writeBlock({ family, words, prefixLength: bits }: IpNetwork): string {
  const whole = words.length * 32
  const address =
    family === 4 ? [24, 16, 8, 0].map((shift) => ((words[0] ?? 0) >>> shift) & 255).join('.') : writeIpv6(words)
  return bits === whole ? address : `${address}/${bits}`
}
