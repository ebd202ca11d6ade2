import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { type GeoTables, readGeoFile } from './geo-file.ts'
import { findGeoSources } from './geo-sources.ts'

/**
 * Loads `<home>/geo/geo.bin`, building it first when it is missing or of other data. Of several roles that start at
 * once, one builds and the others wait.
 */
export async function prepareGeo(home: string): Promise<GeoTables> {
  const folder = path.join(home, 'geo')
  const file = path.join(folder, 'geo.bin')
  const sources = findGeoSources()
  fs.mkdirSync(folder, { recursive: true })
  for (;;) {
    const ready = await readGeoFile(file, sources.stamp)
    if (ready) return ready
    await using turn = await takeTurn(path.join(folder, 'building'))
    if (!turn) continue
    if (!(await readGeoFile(file, sources.stamp))) await build(sources, file)
  }
}

async function build(sources: object, file: string): Promise<void> {
  // Only who builds needs it: the settings bring their schemas along.
  const { systemEnvironment } = await import('../config.ts')
  return new Promise((resolve, reject) => {
    const script = path.join(import.meta.dirname, 'build-geo.ts')
    const child = spawn(process.execPath, ['--stack-size=2000', script, JSON.stringify(sources), file], {
      env: systemEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const errors: Buffer[] = []
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(
            new Error(
              `The location data could not be built in ${path.dirname(file)}: ${Buffer.concat(errors).toString('utf8').slice(-2000)}`,
            ),
          ),
    )
  })
}

/**
 * A lock file with the owner's process id; one left by a dead process is removed. Null means "look again": somebody
 * else had the turn and has ended.
 */
async function takeTurn(lock: string): Promise<AsyncDisposable | null> {
  try {
    fs.writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return {
      async [Symbol.asyncDispose]() {
        fs.rmSync(lock, { force: true })
      },
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  while (fs.existsSync(lock)) {
    if (!ownerLives(lock)) fs.rmSync(lock, { force: true })
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return null
}

function ownerLives(lock: string): boolean {
  try {
    const pid = Number(fs.readFileSync(lock, 'utf8'))
    if (!Number.isInteger(pid) || pid <= 0) return Date.now() - fs.statSync(lock).mtimeMs < 1000
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
