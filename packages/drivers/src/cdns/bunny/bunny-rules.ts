import type { EdgeDelivery, EdgePathMatch } from '@fairway/contract'
import { pathGlob } from '../vendor/path-expressions.ts'

const [OVERRIDE_CACHE_TIME, URL, RESPONSE_HEADER, EXTENSION] = [3, 0, 2, 3]
const [ALL, NONE, ANY] = [1, 2, 0]

type Trigger = { Type: number; PatternMatches: string[]; PatternMatchingType: number; Parameter1?: string }
export type BunnyRule = {
  ActionType: number
  ActionParameter1: string
  ActionParameter2: string
  TriggerMatchingType: number
  Triggers: Trigger[]
  Description: string
  Enabled: boolean
}

/**
 * How long what is kept, as rules of a pull zone. Each rule leaves out what the ones before it are about, so that their
 * order does not matter.
 */
export function rulesFor(host: string, name: string, { cache }: EdgeDelivery): BunnyRule[] {
  const wanted = [
    ...cache.bypass.map((match) => ({ match, ttlSeconds: 0, honorOrigin: false })),
    ...cache.rules.map(({ ttlSeconds, honorOrigin, ...match }) => ({ match, ttlSeconds, honorOrigin })),
  ]
  const rules = wanted.map(({ match, ttlSeconds, honorOrigin }, index) =>
    lasting(ttlSeconds, [
      ...about(host, [match], ANY),
      ...about(
        host,
        wanted.slice(0, index).map((one) => one.match),
        NONE,
      ),
      ...(honorOrigin ? [SILENT] : []),
    ]),
  )
  // What the origin says is the zone's own setting; a rule is only about what it says nothing of.
  if (cache.honorOrigin)
    rules.push(
      lasting(cache.defaultTtlSeconds, [
        SILENT,
        ...about(
          host,
          wanted.map((one) => one.match),
          NONE,
        ),
      ]),
    )
  return rules.map((rule, index) => ({ ...rule, Description: `${name} ${index}` }))
}

const SILENT: Trigger = {
  Type: RESPONSE_HEADER,
  PatternMatches: ['*'],
  PatternMatchingType: NONE,
  Parameter1: 'Cache-Control',
}

const lasting = (seconds: number, triggers: Trigger[]): BunnyRule => ({
  ActionType: OVERRIDE_CACHE_TIME,
  ActionParameter1: String(seconds),
  ActionParameter2: '',
  TriggerMatchingType: ALL,
  Triggers: triggers,
  Description: '',
  Enabled: true,
})

/** Extensions and addresses are told by different triggers. */
function about(host: string, matches: EdgePathMatch[], matching: number): Trigger[] {
  const extensions = matches.filter(({ type }) => type === 'extension').map(({ path }) => path.replace(/^\*?\./, ''))
  const addresses = matches.filter(({ type }) => type !== 'extension').map((match) => `*://${host}${pathGlob(match)}`)
  return [
    ...(addresses.length > 0 ? [{ Type: URL, PatternMatches: addresses, PatternMatchingType: matching }] : []),
    ...(extensions.length > 0 ? [{ Type: EXTENSION, PatternMatches: extensions, PatternMatchingType: matching }] : []),
  ]
}
