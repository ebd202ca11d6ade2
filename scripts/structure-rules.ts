import { contractionsOf, unusedSince } from '../packages/platform/src/database/contracting.ts'
import { meansOf, SOCKET_OPENERS } from './socket-openers.ts'

export type SourceFile = { path: string; text: string }
export type Violation = { file: string; rule: string; detail: string }
export type House = { floors: Record<string, string[]>; files: Iterable<SourceFile> }

type Rule = (file: SourceFile, house: House) => Violation[]

/** Every rule of the house that a text can break. Pure, so that planted violations prove each rule still bites. */
export function violationsOf(house: House): Violation[] {
  const files = [...house.files]
  return [...files.flatMap((file) => RULES.flatMap((rule) => rule(file, house))), ...circlesOf(files)]
}

const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

function importsOf(file: SourceFile): string[] {
  if (!/\.tsx?$/.test(file.path)) return []
  return [...file.text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? '')
}

/**
 * Files that import each other in a ring, types and imports on demand counted: the linter's own rule follows neither,
 * and a route that loads its screen on demand while the screen reads the route is the ring that came up most.
 */
function circlesOf(files: readonly SourceFile[]): Violation[] {
  const inRooms = files.filter(({ path }) => OURS.test(path) && !isTest(path))
  const known = new Set(inRooms.map(({ path }) => path))
  const graph = new Map(
    inRooms.map((file) => [
      file.path,
      importsOf(file)
        .filter((name) => name.startsWith('.'))
        .map((name) => resolved(file.path, name))
        .filter((path) => known.has(path)),
    ]),
  )
  const done = new Set<string>()
  const found: Violation[] = []
  const visit = (path: string, trail: string[]) => {
    const before = trail.indexOf(path)
    if (before >= 0) {
      found.push(violationAt(path, 'circle', [...trail.slice(before), path].join(' imports ')))
      return
    }
    if (done.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return found
}

const OURS = /^(packages\/[^/]+|packages\/edge\/lua)\/src\//

function resolved(from: string, name: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of name.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

const packageOf = (file: string) => /^packages\/([^/]+)\//.exec(file)?.[1] ?? null
const isTest = (file: string) => /\.(test|e2e|conformance)\.tsx?$/.test(file) || file.includes('/testing/')

const floors: Rule = (file, { floors: allowed }) => {
  const own = packageOf(file.path)
  if (!own) return []
  return importsOf(file).flatMap((name) => {
    const target = /^@fairway\/([^/]+)(\/.*)?$/.exec(name)
    if (!target?.[1] || target[1] === 'edge-lua') return []
    // What stands in for outside systems is for tests of the floors above, too; the lean entry, the
    // settings and the notices are for processes that must start fast and stay small; what runs in nginx is all that it
    // can take in.
    if (
      target[2] &&
      target[2] !== '/lean' &&
      target[2] !== '/config' &&
      target[2] !== '/notices' &&
      target[2] !== '/web-security' &&
      target[2] !== '/signed-urls' &&
      target[2] !== '/captcha' &&
      !(target[2] === '/testing' && isTest(file.path))
    )
      return [violation(file, 'entry', `${name}: a package is imported by its name only`)]
    return target[1] === own || allowed[own]?.includes(target[1])
      ? []
      : [violation(file, 'floors', `${own} may not import ${target[1]}`)]
  })
}

const crossing: Rule = (file) => {
  const own = packageOf(file.path)
  if (!own) return []
  const depth = file.path.split('/').length - 3
  return importsOf(file)
    .filter((name) => name.startsWith('.') && (name.match(/\.\.\//g)?.length ?? 0) > depth)
    .map((name) => violation(file, 'crossing', `${name} leaves the package`))
}

const PURE = new Set(['contract', 'domain'])
const IMPURE_WORDS = [
  /\bprocess\./,
  /\bDate\.now\(/,
  /\bnew Date\(\)/,
  /\bMath\.random\(/,
  /\bdocument\.(get|query|create|body|cookie)/,
  /\bwindow\.(location|document|addEventListener)/,
  /\bfetch\(/,
]
const purity: Rule = (file) => {
  const own = packageOf(file.path)
  if (!own || !PURE.has(own) || isTest(file.path)) return []
  const nodeImports = importsOf(file)
    .filter((name) => name.startsWith('node:'))
    .map((name) => violation(file, 'purity', `${own} may not import ${name}`))
  const code = withoutComments(file.text)
  const words = file.path.endsWith('.ts')
    ? IMPURE_WORDS.filter((word) => word.test(code)).map((word) =>
        violation(file, 'purity', `${own} may not use ${word.source}`),
      )
    : []
  return [...nodeImports, ...words]
}

const environment: Rule = (file) =>
  /\.tsx?$/.test(file.path) &&
  /\bprocess\.env\b/.test(withoutComments(file.text)) &&
  file.path.startsWith('packages/') &&
  file.path !== 'packages/platform/src/config.ts' &&
  !isTest(file.path)
    ? [violation(file, 'environment', 'settings are read in platform/src/config.ts only')]
    : []

const BANNED_NAMES = /(^|\/)(utils?|helpers?|common|misc)(\.tsx?|\/)/
const naming: Rule = (file) => {
  const name = file.path.split('/').at(-1) ?? ''
  const stem = name.replaceAll(/\.(config|d|test|e2e|conformance|module|golden)(?=\.)/g, '').replace(/\.[^.]+$/, '')
  const found: Violation[] = []
  if (BANNED_NAMES.test(file.path))
    found.push(violation(file, 'naming', 'name the thing: no utils, helpers, common, misc'))
  if (/\.tsx?$/.test(name) && !/^\$?[a-z0-9]+(-[a-z0-9]+)*$/.test(stem))
    found.push(violation(file, 'naming', `${name} is not kebab-case`))
  return found
}

const LANGUAGE: [RegExp, string][] = [
  [/\bexport default\b/, 'named exports only'],
  [/(^|[^\w.])enum\s+\w+\s*\{/m, 'no enum'],
  [/\bas any\b|:\s*any\b|<any>/, 'no any'],
  [/\/\/\s*(TODO|FIXME)|@ts-ignore|@ts-nocheck/, 'no TODO, no ignored errors'],
]
// Tools that demand a default export say so by their file's name.
const DEFAULT_EXPORT_FILES = /(vite|vitest|oxlint|knip)\.config\.ts$|\.d\.ts$/
const language: Rule = (file) => {
  if (!/\.tsx?$/.test(file.path) || DEFAULT_EXPORT_FILES.test(file.path)) return []
  const code = file.text.replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
  return LANGUAGE.filter(([pattern]) =>
    pattern.test(pattern.source.includes('TODO') ? code : withoutComments(code)),
  ).map(([, detail]) => violation(file, 'language', detail))
}

/** Only the gate opens sockets to what a user has named; who opens others is listed with the reason. */
const outgoing: Rule = (file) => {
  const own = packageOf(file.path)
  if (!own || own === 'console' || !/\.tsx?$/.test(file.path) || isTest(file.path)) return []
  if (Object.keys(SOCKET_OPENERS).some((one) => (one.endsWith('/') ? file.path.startsWith(one) : file.path === one)))
    return []
  return meansOf(withoutComments(file.text)).map((means) =>
    violation(file, 'outgoing', `${means}: sockets are opened by platform/src/outgoing; see scripts/socket-openers.ts`),
  )
}

const MIGRATION = /^packages\/platform\/src\/migrations\/(\d+)[a-z]?-[^/]+\.sql$/
/** Older ones are of before there was a release to go back to. */
const FIRST_BOUND = 131
/** A database is first widened, and narrowed by a later release: the one before goes on while it is exchanged. */
const migrations: Rule = (file) => {
  const number = Number(MIGRATION.exec(file.path)?.[1] ?? 0)
  if (number < FIRST_BOUND) return []
  if (file.path.endsWith('.narrows.sql'))
    return unusedSince(file.text) === null
      ? [violation(file, 'migrations', 'what narrows says since when: "-- Unused since <version>: <what>"')]
      : []
  return contractionsOf(file.text).map(({ statement, why }) =>
    violation(
      file,
      'migrations',
      `${why}: "${statement}". Let one release stop using it; then call the file *.narrows.sql and name that release in a line "-- Unused since <version>: <what>"`,
    ),
  )
}

const RULES: Rule[] = [migrations, outgoing, floors, crossing, purity, environment, naming, language]

function violation(file: SourceFile, rule: string, detail: string): Violation {
  return violationAt(file.path, rule, detail)
}

function violationAt(file: string, rule: string, detail: string): Violation {
  return { file, rule, detail }
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|[^:])\/\/.*$/gm, '$1')
}
