// The browser's part of `./fairway bench page`: `node e2e/measure-page.ts <url> <email> <password>`. Lighthouse looks
// at sign-in, then at Home as who is signed in.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { freePort } from '@fairway/platform'
import { chromium } from 'playwright-core'
import { CHROMIUM } from './chromium.ts'
import { signIn } from './console-session.ts'

const RUNS = 3
const FORMS = ['desktop', 'mobile'] as const
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const
const FIGURES = {
  'first-contentful-paint': 'FCP',
  'largest-contentful-paint': 'LCP',
  'total-blocking-time': 'TBT',
  'cumulative-layout-shift': 'CLS',
} as const
/** What falls short of this is told with why. */
const GOAL = 95

type Audit = { id: string; title: string; score: number | null; numericValue?: number; displayValue?: string }
type Report = {
  runtimeError?: { message: string }
  audits: Record<string, Audit>
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
}
/** Of the package, which is installed beside this file when it is first asked for, what is used here. */
type Lighthouse = {
  default: (url: string, flags: object, config?: object) => Promise<{ lhr: Report } | undefined>
  desktopConfig: object
}

const [url, email, password] = process.argv.slice(2)
if (!url || !email || !password) throw new Error('say where and who: node e2e/measure-page.ts <url> <email> <password>')
const { default: lighthouse, desktopConfig } = (await import(
  pathToFileURL(path.join(import.meta.dirname, 'lighthouse/node_modules/lighthouse/core/index.js')).href
)) as Lighthouse

// A profile of its own, so that Lighthouse's tabs have the session of this one.
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-page-'))
const port = await freePort()
const context = await chromium.launchPersistentContext(profile, {
  executablePath: CHROMIUM ?? '',
  baseURL: url,
  args: ['--no-sandbox', `--remote-debugging-port=${port}`],
})
try {
  await measure('sign-in', '/login')
  const page = await context.newPage()
  await signIn(page, { email, password })
  const home = new URL(page.url()).pathname
  await page.close()
  await measure('Home', home)
} finally {
  await context.close()
  fs.rmSync(profile, { recursive: true, force: true })
}

async function measure(name: string, at: string): Promise<void> {
  for (const form of FORMS) {
    const reports: Report[] = []
    for (let run = 0; run < RUNS; run++) {
      const result = await lighthouse(
        new URL(at, url).href,
        { port, onlyCategories: [...CATEGORIES], logLevel: 'error' },
        form === 'desktop' ? desktopConfig : undefined,
      )
      if (!result || result.lhr.runtimeError)
        throw new Error(`${name}: ${result?.lhr.runtimeError?.message ?? 'no report'}`)
      reports.push(result.lhr)
    }
    const scores = CATEGORIES.map(
      (category) =>
        [category, median(reports.map(({ categories }) => (categories[category]?.score ?? 0) * 100))] as const,
    )
    const figures = Object.entries(FIGURES).map(([id, short]) => {
      const value = median(reports.map(({ audits }) => audits[id]?.numericValue ?? Number.NaN))
      return `${short} ${short === 'CLS' ? value.toFixed(3) : `${value.toFixed(0)} ms`}`
    })
    say(
      `${name}, ${form}: ${scores.map(([category, score]) => `${category} ${score.toFixed(0)}`).join(', ')}; ${figures.join(', ')}`,
    )
    for (const [category] of scores.filter(([, score]) => score < GOAL))
      for (const reason of reasons(reports[0], category)) say(`  ${category}: ${reason}`)
  }
}

function reasons(report: Report | undefined, category: string): string[] {
  const weighed = report?.categories[category]?.auditRefs.filter(({ weight }) => weight > 0) ?? []
  return weighed.flatMap(({ id }) => {
    const audit = report?.audits[id]
    return audit && audit.score !== null && audit.score < 0.9
      ? [`${audit.title}${audit.displayValue ? `: ${audit.displayValue}` : ''}`]
      : []
  })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
