import { BulkChange, type BulkTab } from '@fairway/contract'

/** What stands in the form, by field; empty leaves it to each domain. CDNs are fields too: `cdn:<id>`. */
export type Draft = Readonly<Record<string, string>>
/**
 * What a draft would be sent as, or what is wrong: the message key of each field, and whether anything was chosen at
 * all.
 */
export type Read =
  | { change: BulkChange; problems: null }
  | { change: null; problems: Readonly<Record<string, string>>; isEmpty: boolean }

export const CDN_WISHES = ['install', 'enable', 'disable', 'uninstall'] as const

const text = (value: string | undefined) => (value === undefined || value.trim() === '' ? undefined : value.trim())
const amount = (value: string | undefined) => (text(value) === undefined ? undefined : Number(value))
const flag = (value: string | undefined) => (value === 'on' ? true : value === 'off' ? false : undefined)
const list = (value: string | undefined) =>
  text(value)
    ?.split(/[\s,]+/)
    .filter(Boolean)
const tags = (value: string | undefined) =>
  text(value)
    ?.split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)

/** Without what was left open; undefined when nothing is left. */
function chosen<T extends object>(values: T): Partial<T> | undefined {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return entries.length > 0 ? (Object.fromEntries(entries) as Partial<T>) : undefined
}

const PARTS: Record<BulkTab, (draft: Draft) => object | undefined> = {
  general: (draft) =>
    chosen({
      origin: chosen({
        address: text(draft['address']),
        port: amount(draft['port']),
        protocol: text(draft['protocol']),
        balance: text(draft['balance']),
        keepaliveSeconds: amount(draft['keepaliveSeconds']),
        verifyCertificate: flag(draft['verifyCertificate']),
        appendAddresses: list(draft['appendAddresses']),
      }),
      settings: chosen({
        http2: flag(draft['http2']),
        compression: text(draft['compression']),
        websocket: flag(draft['websocket']),
        ignoreQuery: flag(draft['ignoreQuery']),
        ocspStapling: flag(draft['ocspStapling']),
        networkErrors: flag(draft['networkErrors']),
      }),
      addTags: tags(draft['addTags']),
      removeTags: tags(draft['removeTags']),
    }),
  'multi-cdn': (draft) => {
    const wanted = (wish: string) => {
      const ids = Object.entries(draft).flatMap(([field, value]) =>
        value === wish && field.startsWith('cdn:') ? [field.slice(4)] : [],
      )
      return ids.length > 0 ? ids : undefined
    }
    return chosen(Object.fromEntries(CDN_WISHES.map((wish) => [wish, wanted(wish)])))
  },
  security: (draft) =>
    chosen({
      alwaysHttps: flag(draft['alwaysHttps']),
      originShield: text(draft['originShield']),
      bots: chosen({
        securityLevel: text(draft['securityLevel']),
        challengeMode: text(draft['challengeMode']),
        integrityCheck: text(draft['integrityCheck']),
        verifiedCrawlers: flag(draft['verifiedCrawlers']),
      }),
      crs: chosen({
        enabled: text(draft['ruleSets']) === undefined ? undefined : draft['ruleSets'] !== 'off',
        mode: draft['ruleSets'] === 'off' ? undefined : text(draft['ruleSets']),
        paranoiaLevel: amount(draft['paranoiaLevel']),
      }),
      certificate: text(draft['certificate']),
    }),
  cache: (draft) => {
    const expiry = (prefix: string) => ({
      value: amount(draft[`${prefix}Value`]),
      unit: text(draft[`${prefix}Unit`]) ?? 'day',
    })
    const rule = text(draft['rulePath'])
    const never = text(draft['noCachePath'])
    const purge = text(draft['purge'])
    return chosen({
      defaultExpiry: text(draft['defaultValue']) === undefined ? undefined : expiry('default'),
      defaultHonorOrigin: flag(draft['defaultHonorOrigin']),
      tieredCache: flag(draft['tieredCache']),
      rules:
        rule === undefined
          ? undefined
          : [
              {
                type: text(draft['ruleType']) ?? 'directory',
                path: rule,
                expiry: expiry('rule'),
                honorOrigin: flag(draft['ruleHonorOrigin']) ?? false,
              },
            ],
      noCache: never === undefined ? undefined : [{ type: text(draft['noCacheType']) ?? 'directory', path: never }],
      purge:
        purge === undefined
          ? undefined
          : {
              kind: purge,
              targets: purge === 'all' ? [] : (list(draft['purgeTargets']) ?? []),
              soft: draft['purgeSoft'] !== 'off',
            },
    })
  },
}

/** Fields of the form, by where the contract finds something wrong. */
const FIELD_OF: readonly [RegExp, string][] = [
  [/^defaultExpiry/, 'defaultValue'],
  [/^rules\.0\.expiry/, 'ruleValue'],
  [/^rules\.0/, 'rulePath'],
  [/^noCache\.0/, 'noCachePath'],
  [/^purge/, 'purgeTargets'],
  [/^(?:origin|settings)\.(\w+)/, '$1'],
  [/^(\w+)/, '$1'],
]

export function fieldOf(path: string): string {
  for (const [pattern, field] of FIELD_OF) {
    const found = pattern.exec(path)
    if (found) return field === '$1' ? (found[1] ?? path) : field
  }
  return path
}

export function readDraft(tab: BulkTab, draft: Draft): Read {
  const part = PARTS[tab](draft)
  if (part === undefined) return { change: null, problems: {}, isEmpty: true }
  const parsed = BulkChange.safeParse({ tab, ...part })
  if (parsed.success && needsTargets(parsed.data))
    return { change: null, problems: { purgeTargets: 'validation.required' }, isEmpty: false }
  if (parsed.success) return { change: parsed.data, problems: null }
  return {
    change: null,
    problems: Object.fromEntries(
      parsed.error.issues.map(({ path, message }) => [
        fieldOf(path.join('.')),
        message.startsWith('validation.') ? message : 'validation.invalid',
      ]),
    ),
    isEmpty: false,
  }
}

const needsTargets = (change: BulkChange): boolean =>
  change.tab === 'cache' &&
  change.purge !== undefined &&
  change.purge.kind !== 'all' &&
  change.purge.targets.length === 0
