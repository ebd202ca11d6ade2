import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testsTouchedBy } from './changed-tests.ts'

const TREE = new Map([
  ['packages/domain/package.json', '{"name":"@fairway/domain","exports":{".":"./src/index.ts"}}'],
  [
    'packages/domain/src/index.ts',
    "export { decide,\n  type Decision } from './decide.ts'\nexport * from './score.ts'\n",
  ],
  ['packages/domain/src/decide.ts', "import { score } from './score.ts'\nexport function decide() {}"],
  ['packages/domain/src/score.ts', 'export const score = 1\nexport function rank() {}'],
  ['packages/domain/src/decide.test.ts', "import { decide } from './decide.ts'"],
  ['packages/domain/src/score.test.ts', "import { score } from './score.ts'"],
  ['packages/dns/src/steer.ts', "import { decide } from '@fairway/domain'"],
  ['packages/dns/src/steer.test.ts', "const { steer } = await import('./steer.ts')"],
  ['packages/dns/src/rank.test.ts', "import { rank } from '@fairway/domain'"],
  ['packages/dns/src/all.test.ts', "import * as domain from '@fairway/domain'"],
  ['packages/server/src/migrations/0001.sql', 'create table x'],
  ['packages/server/src/rows.test.ts', ''],
  ['e2e/world.ts', ''],
  ['e2e/flow.e2e.ts', "import { world } from './world.ts'"],
])

const CASES: [string, string[], string[]][] = [
  [
    'a decision reaches its own tests and those of whoever imports it by name, over floors',
    ['packages/domain/src/decide.ts'],
    ['packages/domain/src/decide.test.ts', 'packages/dns/src/steer.test.ts', 'packages/dns/src/all.test.ts'],
  ],
  [
    'what lies below reaches everything above it',
    ['packages/domain/src/score.ts'],
    [
      'packages/domain/src/decide.test.ts',
      'packages/domain/src/score.test.ts',
      'packages/dns/src/steer.test.ts',
      'packages/dns/src/rank.test.ts',
      'packages/dns/src/all.test.ts',
    ],
  ],
  ['a test reaches itself', ['packages/dns/src/rank.test.ts'], ['packages/dns/src/rank.test.ts']],
  [
    'a migration, which nothing imports, reaches its package',
    ['packages/server/src/migrations/0001.sql'],
    ['packages/server/src/rows.test.ts'],
  ],
  ['what end-to-end tests share reaches them', ['e2e/world.ts'], ['e2e/flow.e2e.ts']],
  ['prose reaches nothing', ['README.md', 'docs/features.md'], []],
]
for (const [name, changed, expected] of CASES) {
  test(name, () => assert.deepEqual(testsTouchedBy(changed, TREE), expected))
}

test('what lies outside all packages, as the lock file does, reaches every test', () => {
  assert.equal(testsTouchedBy(['package-lock.json'], TREE).length, 7)
})
