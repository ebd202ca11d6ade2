import {
  type AttackTrial,
  type AttackTrialQuestion,
  type CrsSettings,
  type SecurityPolicy,
  TrialAttack,
  TrialHarmless,
  type TrialOutcome,
} from '@fairway/contract'
import { compile } from '../web-security/compile.ts'
import { judge } from '../web-security/rule-sets/judge.ts'
import { pathOf } from '../web-security/target.ts'
import { inBytes } from '../web-security/utf8.ts'
import { type TrialRequest, trialRequests } from './catalogue.ts'

type Change = Pick<AttackTrial['changes'][number], 'kind' | 'settings'>
/** Beyond that level a website needs exclusions of its own. */
const STRICTEST = 3
const USUAL_THRESHOLD = 5

/** Stricter settings than these, each with all of the ones before. Empty when there are none worth a word. */
export function stricterSettings(now: CrsSettings): Change[] {
  const changes: Change[] = []
  let settings: Partial<CrsSettings> = {}
  const add = (kind: Change['kind'], more: Partial<CrsSettings>) => {
    settings = { ...settings, ...more }
    changes.push({ kind, settings })
  }
  const hasAllSets = now.full || (now.sets.xss && now.sets.sqlInjection && now.sets.genericInjection)
  if (!now.enabled || now.mode === 'simulate' || !hasAllSets)
    add('switch-on', {
      enabled: true,
      mode: 'block',
      sets: { xss: true, sqlInjection: true, genericInjection: true },
    })
  if (now.threshold > USUAL_THRESHOLD) add('threshold', { threshold: USUAL_THRESHOLD })
  if (!now.full) add('full', { full: true })
  for (let level = now.paranoiaLevel + 1; level <= STRICTEST; level++) add('paranoia', { paranoiaLevel: level })
  return changes
}

/** What the inspection is asked for each of these changes. */
export function stricterInspections(now: CrsSettings, changes: readonly Change[]): AttackTrialQuestion['stricter'] {
  return changes.map(({ settings }) => {
    const { full, paranoiaLevel } = { ...now, ...settings }
    return { scope: full ? 'full' : 'sets', level: paranoiaLevel }
  })
}

/** What a trial came to: by category, and of what went wrong each one with what would mend it. */
export function attackTrialReport(
  policy: SecurityPolicy,
  changes: readonly Change[],
  outcomes: readonly TrialOutcome[],
): Pick<AttackTrial, 'attacks' | 'harmless' | 'stoppedBy' | 'passed' | 'touched' | 'changes'> {
  const byId = new Map(outcomes.map((one) => [one.id, one]))
  const judges = changes.map(
    ({ settings }) => inBytes(compile({ ...policy, crs: { ...policy.crs, ...settings } })).ruleSets,
  )
  /** Which of the changes would stop a request that went on. */
  const stoppedBy = ({ found, part, action }: TrialOutcome, { target }: TrialRequest): boolean[] =>
    judges.map((ruleSets, index) => {
      const findings = found[index] ?? []
      // What a rule has let pass on purpose, no rule set looks at.
      if (part !== '' && action === 'pass') return false
      return judge(ruleSets, { findings, failed: '', cut: false }, pathOf(target)).action === 'block'
    })
  const attacks = new Map(TrialAttack.options.map((category) => [category, { category, sent: 0, stopped: 0 }]))
  const harmless = new Map(TrialHarmless.options.map((category) => [category, { category, sent: 0, touched: 0 }]))
  const parts = new Map<AttackTrial['stoppedBy'][number]['part'], number>()
  const passed: AttackTrial['passed'] = []
  const touched: AttackTrial['touched'] = []
  const sums = changes.map((change) => ({ ...change, stops: 0, touches: 0 }))
  for (const request of trialRequests()) {
    const outcome = byId.get(request.id)
    if (!outcome) continue
    const { stopped, part } = outcome
    const would = stopped ? [] : stoppedBy(outcome, request)
    if (request.kind === 'attack') {
      const row = attacks.get(request.category)
      if (row) row.sent += 1
      if (stopped) {
        if (row) row.stopped += 1
        if (part !== '') parts.set(part, (parts.get(part) ?? 0) + 1)
        continue
      }
      for (const [index, sum] of sums.entries()) if (would[index]) sum.stops += 1
      const first = would.indexOf(true)
      passed.push({ ...shown(request, outcome), category: request.category, change: first < 0 ? null : first })
    } else {
      const row = harmless.get(request.category)
      if (row) row.sent += 1
      for (const [index, sum] of sums.entries()) if (would[index]) sum.touches += 1
      if (!stopped) continue
      if (row) row.touched += 1
      touched.push({ ...shown(request, outcome), category: request.category })
    }
  }
  return {
    attacks: [...attacks.values()],
    harmless: [...harmless.values()],
    stoppedBy: [...parts].map(([part, count]) => ({ part, attacks: count })).toSorted((a, b) => b.attacks - a.attacks),
    passed,
    touched,
    changes: sums,
  }
}

const LONGEST = 300

function shown(
  { id, method, target, text }: TrialRequest,
  { part, ruleId, reason }: TrialOutcome,
): Omit<AttackTrial['touched'][number], 'category'> {
  return { id, method, target: target.slice(0, LONGEST), text: text.slice(0, LONGEST), part, ruleId, reason }
}
