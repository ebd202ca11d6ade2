import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { Problem, systemEnvironment } from '@fairway/platform'

/** Runs a tool with our Node, quietly. @throws Problem with its last words when it fails. */
export async function runTool(what: string, cwd: string, args: string[]): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...systemEnvironment(), NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let words = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-2000)))
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0) throw new Problem(`${what} failed:\n${stripVTControlCharacters(words).trim()}`)
}
