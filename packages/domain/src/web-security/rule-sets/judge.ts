import type { CompiledExclusion, CompiledRuleSets } from '../compiled.ts'
import { isUnopened } from '../content-coding.ts'
import type { Finding, Inspection } from './findings.ts'

/** What findings come to by a domain's settings. */
export type Judgement = {
  /** Empty when the request goes on and there is nothing to tell. */ action: '' | 'block' | 'simulate'
  /** Sum over what counts. */ score: number
  /** What counts, or would: the heaviest first. */ findings: Finding[]
  /** What was found and does not count, for whoever wants to know why. */ spared: {
    finding: Finding
    reason: string
  }[]
}

/**
 * Weighs what was found: rules that are switched off or let pass count nothing, excluded places neither; the others
 * add up, and from the threshold on the request is blocked. Rules that only simulate are told, not counted.
 */
export function judge(
  ruleSets: CompiledRuleSets,
  { findings, cut }: Inspection,
  path: string,
  otherPath?: string,
): Judgement {
  let score = 0
  let simulated = 0
  const counted: Finding[] = []
  const watched: Finding[] = []
  const spared: Judgement['spared'] = []
  const hinted: Record<string, boolean> = {}
  for (const finding of findings) {
    // What was cut off by us cannot be whole.
    const reason =
      cut && isUnreadable(finding.ruleId) && !isUnfinished(finding.ruleId)
        ? 'body-cut'
        : whySpared(ruleSets, finding, path, otherPath)
    const hint = ruleSets.hints[`=${finding.ruleId}`]
    if (reason !== '') spared.push({ finding, reason })
    else if (hint !== undefined && hinted[finding.ruleId] === true) spared.push({ finding, reason: 'counted-once' })
    else if (ruleSets.actions[`=${finding.ruleId}`] === 'simulate') {
      hinted[finding.ruleId] = true
      simulated += hint ?? finding.score
      watched.push(hint === undefined ? finding : weighing(finding, hint))
    } else if (isUnreadable(finding.ruleId)) {
      // Whatever the threshold: what nobody has looked at goes on only where an exclusion says so.
      score += finding.score < ruleSets.threshold ? ruleSets.threshold : finding.score
      counted.push(weighing(finding, 9))
    } else {
      hinted[finding.ruleId] = true
      score += hint ?? finding.score
      counted.push(hint === undefined ? finding : weighing(finding, hint))
    }
  }
  const blocks = score >= ruleSets.threshold
  const would = !blocks && score + simulated >= ruleSets.threshold
  return {
    action: blocks ? (ruleSets.simulated ? 'simulate' : 'block') : would ? 'simulate' : '',
    score: blocks ? score : score + simulated,
    findings: heaviestFirst(blocks ? counted : [...counted, ...watched]),
    spared,
  }
}

const weighing = ({ ruleId, variable, matched }: Finding, score: number): Finding => ({
  ruleId,
  score,
  variable,
  matched,
})

function whySpared(
  ruleSets: CompiledRuleSets,
  { ruleId, variable }: Finding,
  path: string,
  otherPath: string | undefined,
): string {
  if (!isInScope(ruleSets, ruleId)) return 'other-set'
  const action = ruleSets.actions[`=${ruleId}`]
  if (action === 'off') return 'rule-off'
  if (action === 'pass') return 'rule-passes'
  for (const one of ruleSets.exclusions)
    if (
      isExcluded(one, ruleId, variable, path) &&
      // Whoever reads the path in another way has to be meant, too.
      (otherPath === undefined || isExcluded(one, ruleId, variable, otherPath))
    )
      return 'excluded'
  return ''
}

/** The three sets by the first digits of their rules' numbers, as the rule set counts them. */
export function setOf(ruleId: string): '' | 'xss' | 'sql-injection' | 'generic-injection' {
  const group = ruleId.slice(0, 3)
  if (group === '941') return 'xss'
  if (group === '942') return 'sql-injection'
  return group === '930' || group === '931' || group === '932' || group === '933' || group === '934' || group === '944'
    ? 'generic-injection'
    : ''
}

/** More arguments than are looked at: named as ModSecurity's own files name it. */
export const TOO_MANY_ARGUMENTS = '200007'
/** More findings than are waited for: the rest was not looked at. */
export const TOO_MANY_FINDINGS = '200008'

/** True whatever was cut off: the first are of what was there, the others are said of content that nobody could open. */
const isUnfinished = (ruleId: string): boolean =>
  ruleId === TOO_MANY_ARGUMENTS || ruleId === TOO_MANY_FINDINGS || isUnopened(ruleId)
/** What cannot be read, or not to its end, hides what is in it: rules about that belong to every set. */
const isUnreadable = (ruleId: string): boolean => ruleId.startsWith('200')

function isInScope({ full, xss, sqlInjection, genericInjection }: CompiledRuleSets, ruleId: string): boolean {
  if (isUnreadable(ruleId)) return true
  const set = setOf(ruleId)
  if (set === 'xss') return xss
  if (set === 'sql-injection') return sqlInjection
  if (set === 'generic-injection') return genericInjection
  return full
}

function isExcluded(one: CompiledExclusion, ruleId: string, variable: string, path: string): boolean {
  if (one.ruleId !== '' && one.ruleId !== ruleId) return false
  if (one.path !== '' && !(one.isPrefix ? path.startsWith(one.path) : path === one.path)) return false
  return one.parameter === '' || one.parameter === parameterOf(variable)
}

/** The name that a value came under: of a parameter, a field of JSON (`json.` left out), a cookie or a header. */
export function parameterOf(variable: string): string {
  const colon = variable.indexOf(':')
  if (colon < 0) return ''
  const name = variable.slice(colon + 1)
  return name.startsWith('json.') ? name.slice(5) : name
}

function heaviestFirst(findings: Finding[]): Finding[] {
  const sorted: Finding[] = []
  for (let score = 9; score >= 0; score--) for (const one of findings) if (one.score === score) sorted.push(one)
  return sorted
}
