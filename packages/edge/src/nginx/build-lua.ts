import { spawn } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Problem } from '@fairway/platform'

const LUA_WORKSPACE = path.resolve(import.meta.dirname, '../../lua')
/** Of the domain: what decides on web security and signed URLs in nginx as everywhere else. */
const SHARED_SOURCES = ['web-security', 'signed-urls'].map((feature) =>
  path.resolve(import.meta.dirname, '../../../domain/src', feature),
)
/** How nginx names a module of the edge's own: builds are laid out like the packages. */
export const luaModule = (name: string): string => `edge.lua.src.${name}`

/**
 * Compiles the edge's logic to Lua unless that was done for exactly these sources. Builds land in a folder named by the
 * sources' hash,
 * by one rename, so several starts at once do not disturb each other.
 * @returns the folder with the Lua files
 * @throws Problem when the sources do not compile or the compiler is not installed
 */
export async function buildLua(): Promise<string> {
  const folder = path.join(LUA_WORKSPACE, 'dist', sourcesHash())
  if (fs.existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  fs.mkdirSync(draft, { recursive: true })
  try {
    await compile(draft)
    fs.renameSync(draft, folder)
    removeOld(path.dirname(folder))
  } catch (error) {
    if (!fs.existsSync(folder)) throw error
  } finally {
    fs.rmSync(draft, { recursive: true, force: true })
  }
  return folder
}

/** Builds of sources that are gone. A day's grace, because a running nginx reads its own again at a reload. */
function removeOld(dist: string): void {
  for (const name of fs.readdirSync(dist)) {
    const folder = path.join(dist, name)
    if (Date.now() - fs.statSync(folder).mtimeMs > 86_400_000) fs.rmSync(folder, { recursive: true, force: true })
  }
}

function sourcesHash(): string {
  const hash = crypto.createHash('sha256').update(fs.readFileSync(path.join(LUA_WORKSPACE, 'tsconfig.json')))
  for (const sources of [path.join(LUA_WORKSPACE, 'src'), ...SHARED_SOURCES])
    for (const name of fs
      .readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing/'))
      .sort())
      hash.update(`${name}\0`).update(fs.readFileSync(path.join(sources, name)))
  return hash.digest('hex').slice(0, 16)
}

async function compile(outDir: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [compilerPath(), '-p', path.join(LUA_WORKSPACE, 'tsconfig.json'), '--outDir', outDir],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0) throw new Problem(`The edge's logic does not compile to Lua:\n${said.trim()}`)
}

function compilerPath(): string {
  const require = createRequire(path.join(LUA_WORKSPACE, 'package.json'))
  try {
    return path.join(path.dirname(require.resolve('typescript-to-lua/package.json')), 'dist/tstl.js')
  } catch {
    throw new Problem('typescript-to-lua is not installed. Run `npm ci` in the checkout.')
  }
}

if (import.meta.main) process.stdout.write(`${await buildLua()}\n`)
