import path from 'node:path'

/** Path in the checkout (with slashes) → text, of every file that git knows. */
export type Tree = ReadonlyMap<string, string>

const SOURCE = /\.tsx?$/
const TEST = /\.(test|e2e)\.tsx?$/
/** What a file names besides modules: data and programs read by path. Matched by file name only. */
const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s(?<what>(?:type\s)?[^'"`;]*?)\s?(?:from\s*)?['"](?<from>[^'"]+)['"]|\bimport\(\s*['"](?<lazy>[^'"]+)['"]\s*\)/g

/**
 * The tests that a change can touch: those that lead, import by import, to a changed file. A package's entry does not
 * lead everywhere: what is imported from it by name leads to the file that has the name. A changed file that nothing
 * imports (a migration, a catalog, a style) touches the tests of its package; what lies outside all packages and is no
 * prose touches every test.
 */
export function testsTouchedBy(changed: readonly string[], tree: Tree): string[] {
  const tests = [...tree.keys()].filter((file) => TEST.test(file))
  const importers = importersOf(tree)
  const touched = new Set<string>()
  const reach = (file: string) => {
    if (touched.has(file)) return
    touched.add(file)
    for (const importer of importers.get(file) ?? []) reach(importer)
  }
  for (const file of changed) {
    if (file.endsWith('.md')) continue
    if (SOURCE.test(file) && (importers.has(file) || TEST.test(file))) reach(file)
    else for (const one of tests.filter((candidate) => candidate.startsWith(roomOf(file)))) touched.add(one)
  }
  return tests.filter((file) => touched.has(file))
}

/** The folder whose tests stand for a file without importers. */
function roomOf(file: string): string {
  return /^(packages\/[^/]+\/|e2e\/)/.exec(file)?.[0] ?? ''
}

function importersOf(tree: Tree): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>()
  const entries = entriesOf(tree)
  for (const [file, text] of tree) {
    if (!SOURCE.test(file)) continue
    for (const target of importsOf(file, text, tree, entries)) {
      const known = importers.get(target)
      if (known) known.add(file)
      else importers.set(target, new Set([file]))
    }
  }
  return importers
}

function* importsOf(file: string, text: string, tree: Tree, entries: Entries): Generator<string> {
  for (const { groups } of text.matchAll(IMPORT)) {
    const name = groups?.from ?? groups?.lazy ?? ''
    if (name.startsWith('.')) {
      const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), name))
      if (tree.has(target)) yield target
    } else {
      const entry = entries.get(name)
      if (entry) yield* entry.filesOf(namesIn(groups?.what ?? ''))
    }
  }
}

type Entries = ReadonlyMap<string, { filesOf: (names: readonly string[]) => Iterable<string> }>

/** By import name (`@fairway/domain`, `@fairway/domain/lean`): which files have the names that are imported from it. */
function entriesOf(tree: Tree): Entries {
  const entries = new Map<string, { filesOf: (names: readonly string[]) => Iterable<string> }>()
  for (const [file, text] of tree) {
    if (!/^packages\/.*package\.json$/.test(file)) continue
    const { name, exports } = JSON.parse(text) as { name: string; exports?: Record<string, string> }
    for (const [under, target] of Object.entries(exports ?? {})) {
      const entry = path.posix.join(path.posix.dirname(file), target)
      const named = namedIn(entry, tree)
      entries.set(path.posix.join(name, under), {
        filesOf: (names) => {
          const found = names.map((one) => named.get(one))
          return names.length === 0 || found.includes(undefined) ? [entry] : found.filter((one) => one !== undefined)
        },
      })
    }
  }
  return entries
}

/** Name → the file that an entry has it from. */
function namedIn(entry: string, tree: Tree): Map<string, string> {
  const named = new Map<string, string>()
  const text = tree.get(entry) ?? ''
  for (const match of text.matchAll(/export\s+(?:type\s+)?(\*|\{[^}]*\})\s*from\s*['"](\.[^'"]+)['"]/g)) {
    const target = path.posix.join(path.posix.dirname(entry), match[2] ?? '')
    const names =
      match[1] === '*'
        ? [...(tree.get(target) ?? '').matchAll(/export\s+(?:async\s+)?(?:function\*?|const|class|type|let)\s+(\w+)/g)]
        : null
    for (const name of names ? names.map((one) => one[1] ?? '') : namesIn(match[1] ?? '')) named.set(name, target)
  }
  return named
}

/** Imported or exported names of a clause; none for `* as all` or a side effect. */
function namesIn(clause: string): string[] {
  const braces = /\{([\s\S]*)\}/.exec(clause)?.[1] ?? ''
  return braces
    .split(',')
    .map(
      (part) =>
        part
          .replace(/^\s*(type\s+)?/, '')
          .split(/\s+as\s+/)[0]
          ?.trim() ?? '',
    )
    .filter(Boolean)
}
