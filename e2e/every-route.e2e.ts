import assert from 'node:assert/strict'
import { type TestContext, after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumMissing } from './chromium.ts'
import { goOn } from './console-session.ts'
import { EXPECTED, type Outcome, pagesFor } from './shell-pages.ts'
import { KINDS, type Kind, setMaintenance } from './shell-people.ts'
import { AT_ONCE, type Shell, openShell } from './shell-visitors.ts'

const skip = chromiumMissing
let shell: Shell

before(async () => {
  if (!skip) shell = await openShell()
})
after(() => shell?.[Symbol.asyncDispose]())

describe(
  'the routes open for every kind of people, or lead where the guards say',
  { skip, concurrency: AT_ONCE },
  () => {
    for (const kind of KINDS.filter((one) => one !== 'maintenance')) test(kind, (t) => walk(t, kind))
  },
)

test('during maintenance the routes lead where the guards say', { skip }, async (t) => {
  const { world } = shell
  await setMaintenance(world, true)
  await walk(t, 'maintenance').finally(() => setMaintenance(world, false))
})

async function walk(t: TestContext, kind: Kind): Promise<void> {
  const { people } = shell
  await using visitor = await shell.visit(kind)
  const { page, complaints } = visitor
  const wrong: string[] = []
  for (const { group, path } of pagesFor(kind)) {
    const asked = path(people[kind])
    const expected = (EXPECTED[kind][group] ?? EXPECTED[kind].other)(people[kind], asked)
    const seen = await goOn(page, asked)
    const why = mismatch(expected, asked, seen, await refusalOn(page, expected))
    if (why !== null) wrong.push(`${asked}: ${why}`)
  }
  t.diagnostic(`${pagesFor(kind).length} routes`)
  assert.deepEqual(wrong, [])
  assert.deepEqual(complaints, [])
}

/** The code of an error page. What it says is loaded when it is needed: where one is expected it is waited for. */
async function refusalOn(page: Page, expected: Outcome): Promise<number | null> {
  const first = page.locator('[role=alert] p').first()
  if (typeof expected === 'object' && 'refused' in expected) await first.waitFor()
  const [code] = await first.allInnerTexts()
  return code === '403' || code === '404' ? Number(code) : null
}

/** What the support mode adds to every address is no difference. */
const plain = (href: string): string => href.replace(/[?&]soc=1/, '')

function mismatch(expected: Outcome, asked: string, seen: string, refusal: number | null): string | null {
  const end = plain(seen)
  if (expected === 'stays')
    return end === asked && refusal === null
      ? null
      : `was to stay, ended at ${end}${refusal === null ? '' : `, ${refusal}`}`
  if ('refused' in expected)
    return refusal === expected.refused
      ? null
      : `was to be refused with ${expected.refused}, ended at ${end}, ${refusal}`
  // A draft's id is not known beforehand.
  return end.replace(/zone_id=[^&]+&/, '') === expected.to ? null : `was to lead to ${expected.to}, ended at ${end}`
}
