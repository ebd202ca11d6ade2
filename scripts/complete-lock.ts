// After a change of dependencies: adds the other platforms' optional packages that npm left out of the lock file, so
// that `npm ci` accepts it on every machine.
import fs from 'node:fs'

type Locked = {
  version?: string
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}
type Lock = { packages: Record<string, Locked> }

const SYSTEMS = [
  'darwin',
  'win32',
  'linux',
  'freebsd',
  'android',
  'openharmony',
  'aix',
  'sunos',
  'netbsd',
  'openbsd',
  'wasm32',
]
const PROCESSORS = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32']

const lock = JSON.parse(fs.readFileSync('package-lock.json', 'utf8')) as Lock
const added = Object.entries(lock.packages).flatMap(([folder, locked]) =>
  Object.entries(locked.optionalDependencies ?? {}).filter(([name]) => missing(folder, name)),
)
for (const [name, range] of added) {
  const entry = entryFor(name, range)
  if (entry) lock.packages[`node_modules/${name}`] = entry
  else process.stderr.write(`cannot tell the platform of ${name}\n`)
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
fs.writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
process.stdout.write(`${added.length} optional packages of other platforms added\n`)

function missing(folder: string, name: string): boolean {
  return folder !== '' && !lock.packages[`${folder}/node_modules/${name}`] && !lock.packages[`node_modules/${name}`]
}

function entryFor(name: string, range: string): Locked | null {
  const words = (name.split('/').pop() ?? '').split(/[-_]/)
  const system = SYSTEMS.find((word) => words.includes(word))
  const processor =
    PROCESSORS.find((word) => words.includes(word)) ??
    (words.some((word) => word.startsWith('arm'))
      ? 'arm'
      : words.some((word) => word.startsWith('ppc64'))
        ? 'ppc64'
        : undefined)
  if (!system || !processor) return null
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((word) => word.startsWith('gnu'))
      ? ['glibc']
      : null
  return {
    version: range.replace(/^[\^~]/, ''),
    cpu: [processor],
    optional: true,
    os: [system],
    ...(libc ? { libc } : {}),
  }
}
