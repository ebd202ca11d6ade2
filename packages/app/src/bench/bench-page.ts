import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { CHECKOUT } from '../commands/checkout.ts'
import { startInstallation } from '../installation/start-installation.ts'
import { readDemo } from '../seed/demo-file.ts'

/** Too large for everyone: installed from its own lock file when it is first asked for. */
const LIGHTHOUSE = path.join(CHECKOUT, 'e2e/lighthouse')

/** Lighthouse's scores of sign-in and Home of the demo world, in its desktop and mobile forms. */
export async function benchPage(say: (line: string) => void): Promise<void> {
  await installLighthouse(say)
  await using installation = await startInstallation({ command: 'demo', readyMs: 600_000 })
  const demo = readDemo(installation.config)
  if (!demo) throw new Error('the demo world has no file')
  await run(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    path.join(CHECKOUT, 'e2e/measure-page.ts'),
    installation.url,
    demo.email,
    demo.password,
  ])
  say(
    `load of the machine: ${os
      .loadavg()
      .map((one) => one.toFixed(1))
      .join(' ')} on ${os.cpus().length} cores`,
  )
}

async function installLighthouse(say: (line: string) => void): Promise<void> {
  const lock = fs.readFileSync(path.join(LIGHTHOUSE, 'package-lock.json'), 'utf8')
  const stamp = path.join(LIGHTHOUSE, 'node_modules/.fairway-lock')
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === lock) return
  say('installing Lighthouse (180 MB, once)...')
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], LIGHTHOUSE)
  fs.writeFileSync(stamp, lock)
}

async function run(program: string, words: string[], cwd = CHECKOUT): Promise<void> {
  const child = spawn(program, words, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  if (code !== 0) throw new Error(`${path.basename(words[0] ?? program)} ended with ${code}`)
}
