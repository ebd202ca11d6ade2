import type { ChallengeMode, SecurityPolicy } from '@fairway/contract'

/**
 * When a challenge costs more people than it is worth: so many networks saw it within the hour, and such a share of them
 * went away. After each step it rests, so that the next is judged by what came after.
 */
const FRICTION = { people: 50, share: 0.3, restSeconds: 3600 } as const
/** Attack signs: so many challenges in five minutes at least, and so many times what the hour before had. */
const SURGE = { least: 300, times: 4 } as const

/** What a browser does by itself, down to the shortest task: who wants nobody asked says so. */
const LADDER: readonly ChallengeMode[] = ['browser-standard', 'browser-no-delay']

/**
 * What is asked after so many steps. A question to a person stays one: a program answers every easier one, and some
 * addresses that give up cost little.
 */
export function softerMode(mode: ChallengeMode, steps: number): ChallengeMode {
  if (mode === 'human') return mode
  return LADDER[Math.min(LADDER.indexOf(mode) + steps, LADDER.length - 1)] ?? mode
}

/** Whether so many people give a challenge up that it costs more than it is worth. */
export function costsPeople({ people, gaveUp }: { people: number; gaveUp: number }): boolean {
  return people >= FRICTION.people && gaveUp >= FRICTION.share * people
}

export type Friction = {
  mode: ChallengeMode
  /** By how many it is softened now. */ steps: number
  /** Since that was changed last; null is never. */ secondsSince: number | null
  /** Networks of visitors that saw it within the hour and are through with it, and solved it or were known before. */
  people: number
  /** Of them those that did not solve it. */ gaveUp: number
  /** Challenges, in the last five minutes and in the hour. */ lately: number
  hour: number
  isAttacked: boolean
}

/**
 * What becomes of a challenge. What looks like an attack puts it back at once, whatever people do; `expire` puts back what
 * was softened further than is done any more.
 */
export function frictionStep(one: Friction): 'soften' | 'restore' | 'expire' | 'keep' {
  const { mode, steps } = one
  if (steps > 0 && softerMode(mode, steps) === softerMode(mode, steps - 1)) return 'expire'
  const before = (one.hour - one.lately) / 11
  const isSurge = one.lately >= SURGE.least && one.lately >= SURGE.times * before
  if (one.isAttacked || isSurge) return steps > 0 ? 'restore' : 'keep'
  if (one.secondsSince !== null && one.secondsSince < FRICTION.restSeconds) return 'keep'
  if (!costsPeople(one)) return 'keep'
  return softerMode(mode, steps + 1) === softerMode(mode, steps) ? 'keep' : 'soften'
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

/** The policy with its challenges as soft as they are now. */
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
      return { ...rule, action: { ...rule.action, mode } }
    }),
  }
}
