import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { goOn } from './console-session.ts'
import { EXPECTED, type Outcome, pagesFor } from './shell-pages.ts'
import type { Kind } from './shell-people.ts'
import type { Shell } from './shell-visitors.ts'

/** Every route of the console as one kind of people: it opens, or leads where the guards say. */
export async function walkRoutes(t: TestContext, shell: Shell, kind: Kind): Promise<void> {
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
