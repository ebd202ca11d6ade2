import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SecurityPolicy } from '@fairway/contract'
import { type Friction, frictionStep, softened, softerMode } from './friction.ts'
import { BOT_DEFAULTS } from './try-request.ts'

const QUIET: Friction = {
  mode: 'browser-standard',
  steps: 0,
  secondsSince: null,
  people: 100,
  gaveUp: 40,
  lately: 10,
  hour: 120,
  isAttacked: false,
}

test('a challenge is softened by a step when enough people give up, and put back when an attack shows', () => {
  const cases: [title: string, more: Partial<Friction>, step: ReturnType<typeof frictionStep>][] = [
    ['people give up', {}, 'soften'],
    ['just as many as count', { people: 50, gaveUp: 15 }, 'soften'],
    ['one less gave up', { people: 50, gaveUp: 14 }, 'keep'],
    ['too few to tell', { people: 49, gaveUp: 49 }, 'keep'],
    ['nobody was asked', { people: 0, gaveUp: 0, lately: 0, hour: 0 }, 'keep'],
    ['it rests after a step', { steps: 1, secondsSince: 3599 }, 'keep'],
    ['also when it was put back', { secondsSince: 3599 }, 'keep'],
    ['and goes on after it', { secondsSince: 3600 }, 'soften'],
    ['but not for nothing', { steps: 1, secondsSince: 9999 }, 'keep'],
    ['nor from the shortest task', { mode: 'browser-no-delay' }, 'keep'],
    ['a person is asked whatever happens', { mode: 'human', people: 5000, gaveUp: 5000 }, 'keep'],
    ['and is asked again where nobody was', { mode: 'human', steps: 1, secondsSince: 1 }, 'expire'],
    ['as is a browser', { mode: 'browser-no-delay', steps: 1, secondsSince: 1 }, 'expire'],
    ['an attack puts it back, rest or not', { steps: 1, secondsSince: 1, isAttacked: true }, 'restore'],
    ['under attack nothing is softened', { isAttacked: true }, 'keep'],
    ['a surge is a sign', { steps: 1, lately: 400, hour: 1400 }, 'restore'],
    ['so is one after an hour of silence', { steps: 1, lately: 300, hour: 300 }, 'restore'],
    ['many all the time are none', { secondsSince: 9999, lately: 400, hour: 4800 }, 'soften'],
    ['few are none', { steps: 1, secondsSince: 10, lately: 299, hour: 299 }, 'keep'],
  ]
  for (const [title, more, step] of cases) assert.equal(frictionStep({ ...QUIET, ...more }), step, title)
})

test('steps lead to the shortest task and no further, and never away from a person’s answer', () => {
  const [shorter, shortest] = ['browser-standard', 'browser-no-delay'] as const
  assert.deepEqual(
    [0, 1, 2, 9].map((steps) => [softerMode(shorter, steps), softerMode(shortest, steps), softerMode('human', steps)]),
    [
      [shorter, shortest, 'human'],
      [shortest, shortest, 'human'],
      [shortest, shortest, 'human'],
      [shortest, shortest, 'human'],
    ],
  )
})

test('what is softened holds for what was asked then, and for nothing that was decided since', () => {
  type Mode = 'human' | 'browser-standard' | 'browser-no-delay'
  const challenge = (id: string, mode: Mode) => ({
    id,
    name: id,
    expression: null,
    action: { type: 'challenge' as const, mode },
  })
  const policy: Pick<SecurityPolicy, 'bots' | 'firewall'> = {
    bots: { ...BOT_DEFAULTS, challengeMode: 'browser-standard' },
    firewall: [challenge('a', 'browser-standard'), challenge('b', 'browser-no-delay'), challenge('c', 'human')],
  }
  const soft = (rule: string, mode: Mode, steps = 1) => ({ rule, mode, steps })
  const said = (...all: Parameters<typeof softened>[1][number][]) => {
    const { bots, firewall } = softened(policy, all)
    return [
      `${bots.securityLevel} ${bots.challengeMode}`,
      ...firewall.map(({ action }) => (action.type === 'challenge' ? action.mode : action.type)),
    ]
  }
  assert.deepEqual(said(), ['medium browser-standard', 'browser-standard', 'browser-no-delay', 'human'])
  assert.deepEqual(said(soft('level', 'browser-standard'), soft('b', 'browser-no-delay'), soft('c', 'human', 3)), [
    'medium browser-no-delay',
    'browser-standard',
    'browser-no-delay',
    'human',
  ])
  assert.deepEqual(said(soft('a', 'browser-standard', 2))[1], 'browser-no-delay')
  assert.deepEqual(
    said(soft('level', 'browser-no-delay'), soft('gone', 'human'), soft('a', 'browser-standard', 0)),
    said(),
  )
  const attacked = { ...policy, bots: { ...policy.bots, securityLevel: 'under-attack' as const } }
  assert.equal(softened(attacked, [soft('level', 'browser-standard')]).bots.challengeMode, 'browser-standard')
})
