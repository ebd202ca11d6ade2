import { type Ask, firstOf } from './ask.ts'
import type { CompiledRuleSets } from './compiled.ts'
import { UNOPENED } from './content-coding.ts'
import { CROWDED } from './rule-sets/findings.ts'
import { judge, TOO_MANY_ARGUMENTS, TOO_MANY_FINDINGS } from './rule-sets/judge.ts'
import { UNKNOWN_CHARSET } from './rule-sets/charsets.ts'
import { HOSTILE_ENTITIES } from './rule-sets/xml-entities.ts'
import { otherPath, pathOf } from './target.ts'
import { decide, note, type Step, step, type Verdict, type World } from './verdict.ts'

const PART = 'crs-rules'

const REASONS: Record<string, string | undefined> = {
  [`=${TOO_MANY_ARGUMENTS}`]: 'too-many-arguments',
  [`=${TOO_MANY_FINDINGS}`]: 'too-many-findings',
  [`=${HOSTILE_ENTITIES}`]: 'hostile-entities',
  [`=${UNKNOWN_CHARSET}`]: 'unknown-charset',
}
for (const reason of ['unknown-coding', 'broken-coding', 'expands-too-far', 'too-many-codings'] as const)
  REASONS[`=${UNOPENED[reason]}`] = reason

/** What is on the whitelist or was let pass by a rule is spared: it is not inspected, for the reason given. */
export function byRuleSets(ruleSets: CompiledRuleSets, ask: Ask, world: World, verdict: Verdict, spared: string): void {
  if (!ruleSets.on) return overRuleSets(world, 'off', '')
  if (verdict.status !== 0) return overRuleSets(world, 'passed-over', 'decided')
  if (spared !== '') return overRuleSets(world, 'passed-over', spared)
  const inspection = world.inspect(ruleSets)
  // Not passed uninspected, whatever is to become of failures: who floods would choose it.
  if (inspection.failed === CROWDED && !ruleSets.simulated) {
    step(world, PART, 'inspection', '', 'matched', 'block', 'inspection-crowded')
    return decide(verdict, PART, 'inspection', 'block', 'inspection-crowded', 503)
  }
  if (inspection.failed !== '') return uninspected(ruleSets, world, verdict)
  if (inspection.cut && ruleSets.blockLonger) {
    step(world, PART, 'body', '', 'matched', ruleSets.simulated ? 'simulate' : 'block', 'body-too-long')
    if (ruleSets.simulated) return note(verdict, PART, 'body', 'simulate', 'body-too-long')
    return decide(verdict, PART, 'body', 'block', 'body-too-long', 403)
  }
  if (inspection.findings.length === 0) return overRuleSets(world, 'not-matched', '')
  const target = firstOf(ask('target', ''))
  const { action, score, findings, spared: left } = judge(ruleSets, inspection, pathOf(target), otherPath(target))
  verdict.score = score
  verdict.findings = findings
  for (const { finding, reason } of left) step(world, PART, finding.ruleId, finding.variable, 'passed-over', '', reason)
  for (const { ruleId, variable } of findings) {
    const told = ruleSets.actions[`=${ruleId}`] === 'simulate' || ruleSets.simulated
    step(
      world,
      PART,
      ruleId,
      variable,
      'matched',
      told ? 'simulate' : 'block',
      action === '' ? 'under-threshold' : 'score',
    )
  }
  const [first] = findings
  if (action === '' || first === undefined) {
    if (left.length === 0 && findings.length === 0) overRuleSets(world, 'not-matched', '')
    return
  }
  const reason = REASONS[`=${first.ruleId}`] ?? 'score'
  if (action === 'block') return decide(verdict, PART, first.ruleId, 'block', reason, 403)
  if (verdict.action === 'pass') note(verdict, PART, first.ruleId, 'simulate', reason)
}

function overRuleSets(world: World, outcome: Step['outcome'], reason: string): void {
  step(world, PART, '', '', outcome, '', reason)
}

function uninspected(ruleSets: CompiledRuleSets, world: World, verdict: Verdict): void {
  const blocks = ruleSets.blockUninspected && !ruleSets.simulated
  step(world, PART, 'inspection', '', 'matched', blocks ? 'block' : 'pass', 'inspection-failed')
  if (blocks) return decide(verdict, PART, 'inspection', 'block', 'inspection-failed', 403)
  if (verdict.action === 'pass') note(verdict, PART, 'inspection', 'pass', 'inspection-failed')
}
