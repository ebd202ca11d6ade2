import type { ChallengeMode, SecurityPolicy } from '@fairway/contract'

/**
 * When a challenge costs more people than it is worth: so many networks saw it within the hour, and such a share of them
 * went away. After each step it rests, so that the next is judged by what came after.
 */
const FRICTION = { people: 50, share: 0.3, restSeconds: 3600 } as const
/** Attack signs: so many challenges in five minutes at least, and so many times what the hour before had. */
const SURGE = { least: 300, times: 4 } as const

/** From what a person does to what nobody does. */
const LADDER: readonly ChallengeMode[] = ['human', 'browser-standard', 'browser-no-delay']

/** What is asked after so many steps; null is nothing. */
export function softerMode(mode: ChallengeMode, steps: number): ChallengeMode | null {
  return LADDER[LADDER.indexOf(mode) + steps] ?? null
}

export type Friction = {
  mode: ChallengeMode
  /** Of the security level: it asks for the shortest task at least, for what it let pass would be seen by nobody. */
  isLevel: boolean
  /** By how many it is softened now. */ steps: number
  /** Since that was changed last; null is never. */ secondsSince: number | null
  /** Networks of visitors that saw it within the hour and are through with it. */ people: number
  /** Of them those that did not solve it. */ gaveUp: number
  /** Challenges, in the last five minutes and in the hour. */ lately: number
  hour: number
  isAttacked: boolean
}

/** What becomes of a challenge. What looks like an attack puts it back at once, whatever people do. */
export function frictionStep(one: Friction): 'soften' | 'restore' | 'keep' {
  const before = (one.hour - one.lately) / 11
  const isSurge = one.lately >= SURGE.least && one.lately >= SURGE.times * before
  if (one.isAttacked || isSurge) return one.steps > 0 ? 'restore' : 'keep'
  if (one.secondsSince !== null && one.secondsSince < FRICTION.restSeconds) return 'keep'
  if (one.people < FRICTION.people || one.gaveUp < FRICTION.share * one.people) return 'keep'
  const least = one.isLevel ? 1 : 0
  return softerMode(one.mode, one.steps + least) === null ? 'keep' : 'soften'
}

/** A challenge that was softened: `rule` is `level` or the id of a firewall rule, `mode` what was asked for then. */
export type Softening = { rule: string; mode: ChallengeMode; steps: number }

/** Where challenges come from: the level, unless it asks nobody, and firewall rules. `under-attack` is never softened. */
export function challengesOf({
  bots,
  firewall,
}: Pick<SecurityPolicy, 'bots' | 'firewall'>): { rule: string; name: string; mode: ChallengeMode }[] {
  const level =
    bots.securityLevel === 'off' || bots.securityLevel === 'under-attack'
      ? []
      : [{ rule: 'level', name: '', mode: bots.challengeMode }]
  return [
    ...level,
    ...firewall.flatMap(({ id, name, action }) =>
      action.type === 'challenge' ? [{ rule: id, name, mode: action.mode }] : [],
    ),
  ]
}

/** The policy with its challenges as soft as they are now. Where nothing is asked any more, a rule still tells. */
export function softened<P extends Pick<SecurityPolicy, 'bots' | 'firewall'>>(
  policy: P,
  softenings: readonly Softening[],
): P {
  const modes = new Map(challengesOf(policy).map(({ rule, mode }) => [rule, mode]))
  const soft = new Map(
    softenings
      .filter(({ rule, mode, steps }) => steps > 0 && modes.get(rule) === mode)
      .map(({ rule, mode, steps }) => [rule, softerMode(mode, steps)]),
  )
  if (soft.size === 0) return policy
  const level = soft.get('level')
  return {
    ...policy,
    bots: level ? { ...policy.bots, challengeMode: level } : policy.bots,
    firewall: policy.firewall.map((rule) => {
      const mode = soft.get(rule.id)
      if (mode === undefined || rule.action.type !== 'challenge') return rule
      return { ...rule, action: mode === null ? { type: 'simulate' } : { ...rule.action, mode } }
    }),
  }
}
