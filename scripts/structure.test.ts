import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { SOCKET_OPENERS } from './socket-openers.ts'
import { violationsOf } from './structure-rules.ts'

const floors = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../floors.json'), 'utf8')) as Record<
  string,
  string[]
>
const rulesBroken = (file: string, text: string) =>
  violationsOf({ floors, files: [{ path: file, text }] }).map((violation) => violation.rule)

const PLANTED: [string, string, string, string[]][] = [
  ['a role that imports another role', 'packages/dns/src/a.ts', `import { x } from '@fairway/server'`, ['floors']],
  ['contract that imports the domain', 'packages/contract/src/a.ts', `export * from '@fairway/domain'`, ['floors']],
  [
    'console that imports platform in a dynamic import',
    'packages/console/src/a.tsx',
    `const x = await import('@fairway/platform')`,
    ['floors'],
  ],
  [
    'an import over several lines',
    'packages/dns/src/a.ts',
    `import {\n  x,\n  y,\n} from '@fairway/analytics'`,
    ['floors'],
  ],
  [
    'an import behind the entry',
    'packages/server/src/a.ts',
    `import { x } from '@fairway/domain/src/steering/decide.ts'`,
    ['entry'],
  ],
  [
    'the lean entry of a floor above',
    'packages/domain/src/a.ts',
    `import { x } from '@fairway/platform/lean'`,
    ['floors'],
  ],
  [
    'stand-ins of another package in what is no test',
    'packages/server/src/a.ts',
    `import { x } from '@fairway/drivers/testing'`,
    ['entry'],
  ],
  [
    'a path into another package',
    'packages/server/src/features/a/b.ts',
    `import { x } from '../../../../dns/src/answer.ts'`,
    ['crossing'],
  ],
  ['a clock in the domain', 'packages/domain/src/a.ts', `export const now = () => Date.now()`, ['purity']],
  ['chance in the domain', 'packages/domain/src/a.ts', `export const chance = () => Math.random()`, ['purity']],
  ['node in the contract', 'packages/contract/src/a.ts', `import fs from 'node:fs'`, ['purity']],
  ['settings read outside of config', 'packages/server/src/a.ts', `export const x = process.env['X']`, ['environment']],
  ['a socket beside the gate', 'packages/server/src/a.ts', `import net from 'node:net'`, ['outgoing']],
  ['a request beside the gate', 'packages/drivers/src/a.ts', `import { request } from 'node:https'`, ['outgoing']],
  [
    'a request over two lines',
    'packages/edge/src/a.ts',
    `import {\n  isIP,\n  connect,\n} from 'node:net'`,
    ['outgoing'],
  ],
  ['a request by a late import', 'packages/dns/src/a.ts', `const x = await import('node:http')`, ['outgoing']],
  ['a fetch beside the gate', 'packages/server/src/a.ts', `const x = await fetch(url)`, ['outgoing']],
  ['a library that opens sockets', 'packages/server/src/a.ts', `import { request } from 'undici'`, ['outgoing']],
  [
    'a migration that the release before could not live with',
    'packages/platform/src/migrations/0999-a.sql',
    'ALTER TABLE site DROP COLUMN note',
    ['migrations'],
  ],
  ['a file of helpers', 'packages/server/src/helpers.ts', `export const x = 1`, ['naming']],
  ['a file in camel case', 'packages/server/src/myFile.ts', `export const x = 1`, ['naming']],
  ['a default export', 'packages/server/src/a.ts', `export default 1`, ['language']],
  ['an any', 'packages/server/src/a.ts', `export const f = (x: any) => x`, ['language']],
  ['a note to do it later', 'packages/server/src/a.ts', `// TODO later\nexport const x = 1`, ['language']],
]
for (const [name, file, text, rules] of PLANTED)
  test(`the structure check catches ${name}`, () => assert.deepEqual(rulesBroken(file, text), rules))

test('every file that may open sockets by itself is there', () => {
  const gone = Object.keys(SOCKET_OPENERS).filter((one) => !fs.existsSync(path.join(import.meta.dirname, '..', one)))
  assert.deepEqual(gone, [])
})

test('what the house allows passes', () => {
  assert.deepEqual(
    rulesBroken(
      'packages/server/src/a.ts',
      `import { isIP, type Socket } from 'node:net'\nimport type http from 'node:http'\nexport const x = isIP`,
    ),
    [],
  )
  assert.deepEqual(
    rulesBroken(
      'packages/server/src/a.ts',
      `import { decide } from '@fairway/domain'\nimport fs from 'node:fs'\n// Date.now() is fine here\nexport const x = Date.now()`,
    ),
    [],
  )
})

test('a migration may take away what a release before has stopped using, by naming that release', () => {
  const at = (number: string) => `packages/platform/src/migrations/${number}-a.sql`
  const drop = 'ALTER TABLE site DROP COLUMN note'
  const narrows = 'packages/platform/src/migrations/0999-a.narrows.sql'
  assert.deepEqual(rulesBroken(narrows, `-- Unused since 2.40.5: site.note\n${drop}`), [])
  assert.deepEqual(rulesBroken(narrows, drop), ['migrations'])
  assert.deepEqual(rulesBroken(at('0999'), `-- Unused since 2.40.5: site.note\n${drop}`), ['migrations'])
  assert.deepEqual(rulesBroken(at('0003'), drop), [])
})

test('a ring of imports in the console is found, also where a type or an import on demand closes it', () => {
  const rulesOf = (files: { path: string; text: string }[]) => violationsOf({ floors, files }).map(({ rule }) => rule)
  const at = (name: string) => `packages/console/src/features/a/${name}`
  const route = { path: at('route.ts'), text: `const S = lazy(() => import('./list/screen.tsx'))` }
  assert.deepEqual(
    rulesOf([route, { path: at('list/screen.tsx'), text: `import type { Search } from '../route.ts'` }]),
    ['circle'],
  )
  assert.deepEqual(
    rulesOf([
      route,
      { path: at('list/screen.tsx'), text: `import type { Search } from '../search.ts'` },
      { path: at('search.ts'), text: `export type Search = {}` },
    ]),
    [],
  )
})
