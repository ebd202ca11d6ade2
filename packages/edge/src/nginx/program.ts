import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Problem, systemEnvironment } from '@fairway/platform'

const INSTALL = 'apt-get install --no-install-recommends nginx libnginx-mod-http-lua lua-cjson'
const run = promisify(execFile)

/** The installed nginx and the folder of its modules. */
export type NginxProgram = { binary: string; modulesDir: string }

/** @throws Problem with the line to run when nginx or its Lua module is missing */
export async function findNginx(folders = programFolders()): Promise<NginxProgram> {
  const binary = folders
    .filter(Boolean)
    .map((folder) => path.join(folder, 'nginx'))
    .find((file) => isExecutable(file))
  if (!binary) throw new Problem(`nginx is not installed, and the edge is built on it. Run: ${INSTALL}`)
  const modulesDir = (await configuredModulesDir(binary)) ?? '/usr/lib/nginx/modules'
  for (const module of ['ndk_http_module.so', 'ngx_http_lua_module.so']) {
    if (!fs.existsSync(path.join(modulesDir, module)))
      throw new Problem(`nginx is installed but its module ${module} is not in ${modulesDir}. Run: ${INSTALL}`)
  }
  return { binary, modulesDir }
}

/** Runs `nginx -t` on a configuration. @throws Problem with nginx's own words when it refuses. */
export async function testConfiguration(program: NginxProgram, file: string, prefix: string): Promise<void> {
  try {
    await run(program.binary, ['-t', '-q', '-p', prefix, '-c', file], { env: systemEnvironment() })
  } catch (error) {
    throw new Problem(explain(saidBy(error)))
  }
}

/** Turns nginx's complaints into a sentence that says what to do; null when these lines are no reason to give up. */
export function startProblem(lines: string): string | null {
  const bind = /bind\(\) to (\S+) failed \((\d+): ([^)]+)\)/.exec(lines)
  if (!bind) return null
  const [, address = '', code = '', words] = bind
  return takenSentence(address, { '98': 'EADDRINUSE', '48': 'EADDRINUSE', '13': 'EACCES' }[code] ?? words ?? code)
}

/** Why the edge cannot listen there, and what to do. */
export function takenSentence(address: string, code: string): string {
  if (code === 'EADDRINUSE')
    return `${address} is taken by another program. Stop that program, or set FAIRWAY_EDGE_HTTP / FAIRWAY_EDGE_HTTPS to free ports.`
  if (code === 'EACCES')
    return `There is no permission to listen on ${address}. Use a port above 1023 in FAIRWAY_EDGE_HTTP / FAIRWAY_EDGE_HTTPS, or start as root.`
  return `The edge cannot listen on ${address}: ${code}.`
}

function explain(said: string): string {
  if (/module 'cjson(\.safe)?' not found/.test(said)) return `nginx's Lua cannot find its JSON library. Run: ${INSTALL}`
  if (/module 'resty\.core' not found/.test(said))
    return `nginx's Lua cannot find lua-resty-core. Run: ${INSTALL} lua-resty-core`
  return startProblem(said) ?? `nginx refuses its configuration: ${said.trim()}`
}

/** Debian keeps nginx in /usr/sbin, which is not in every user's PATH. */
export function programFolders(): string[] {
  return [
    ...(systemEnvironment().PATH ?? '').split(path.delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ]
}

async function configuredModulesDir(binary: string): Promise<string | null> {
  const { stderr } = await run(binary, ['-V'], { env: systemEnvironment() })
  return /--modules-path=(\S+)/.exec(stderr)?.[1] ?? null
}

function saidBy(error: unknown): string {
  return error instanceof Error && 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : String(error)
}

export function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}
