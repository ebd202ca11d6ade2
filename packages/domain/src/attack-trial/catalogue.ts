import type { TrialAttack, TrialHarmless } from '@fairway/contract'
import { TRIAL_CARRIERS, type TrialSample, trialSample } from './carriers.ts'
import { ATTACK_PAYLOADS, HARMLESS_TEXTS, HEADER_INJECTIONS, PROBES, SCANNERS } from './texts.ts'

/** A request of the catalogue. `text` is what it is about. */
export type TrialRequest = Omit<TrialSample, 'category'> & { id: string; text: string } & (
    | { kind: 'attack'; category: TrialAttack }
    | { kind: 'harmless'; category: TrialHarmless }
  )

const ATTACKS: Record<string, TrialAttack> = {
  'cross-site scripting': 'xss',
  'SQL injection': 'sql-injection',
  'path traversal': 'path-traversal',
  'command injection': 'command-injection',
  'code injection': 'code-injection',
  'Java and templates': 'java-and-templates',
}
const TEXTS: [TrialHarmless, readonly string[]][] = [
  ['searches', HARMLESS_TEXTS.searches],
  ['messages', HARMLESS_TEXTS.prose],
  ['form-fields', HARMLESS_TEXTS.values],
  ['code-in-posts', HARMLESS_TEXTS.code],
  ['markdown', HARMLESS_TEXTS.markdown],
  ['other-scripts', HARMLESS_TEXTS.world],
]
const ATTACK_WAYS = ['query', 'form', 'json', 'multipart', 'nested', 'cookie'] as const
const HARMLESS_WAYS = ['form', 'json', 'multipart', 'nested'] as const
/** Programs that are welcome, as they call themselves. */
const PROGRAMS = [
  'UptimeRobot/2.0',
  'Feedly/1.0 (+http://www.feedly.com/fetcher.html)',
  'GitHub-Hookshot/1',
  'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
  'curl/8.14.1',
]

/** What *attack yourself* sends, the same each time: each attack once, one way or another, and what only looks like one. */
export function trialRequests(): TrialRequest[] {
  let n = 0
  const all: TrialRequest[] = []
  const attack = (category: TrialAttack, text: string, sent: TrialSample) =>
    all.push({ ...sent, id: `attack-${++n}`, kind: 'attack', category, text })
  for (const [name, payloads] of Object.entries(ATTACK_PAYLOADS))
    for (const text of payloads) {
      const category = ATTACKS[name]
      if (category) attack(category, text, carried(ATTACK_WAYS, text, n))
    }
  for (const agent of SCANNERS)
    attack('scanners-and-probes', agent, trialSample('', 'GET', `/?scan=${n}`, '', { 'user-agent': agent }))
  for (const target of PROBES) attack('scanners-and-probes', target, trialSample('', 'GET', target))
  for (const target of HEADER_INJECTIONS) attack('header-injection', target, trialSample('', 'GET', target))
  n = 0
  const harmless = (category: TrialHarmless, text: string, sent: TrialSample) =>
    all.push({ ...sent, id: `harmless-${++n}`, kind: 'harmless', category, text })
  for (const [category, texts] of TEXTS)
    for (const text of texts)
      harmless(category, text, carried(category === 'searches' ? ['query'] : HARMLESS_WAYS, text, n))
  for (const agent of PROGRAMS)
    harmless(
      'api-and-monitors',
      agent,
      trialSample('', 'GET', `/status?n=${n}`, '', { 'user-agent': agent, accept: '*/*' }),
    )
  return all
}

function carried(ways: readonly string[], text: string, n: number): TrialSample {
  const carry = TRIAL_CARRIERS[ways[n % ways.length] ?? 'query']
  if (!carry) throw new Error('there is no such carrier')
  return carry('', text, n)
}
