import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { Problem, readRuleSet, ruleSetName, type Config } from '@fairway/platform'
import { instrument, mainFile } from './instrument.ts'

/** A rule set that nginx has taken once: instrumented, in a folder of its own. */
export type LoadedRuleSet = { id: string; name: string; folder: string; rulesFile: string }

const MAIN = 'inspect.conf'

/**
 * Writes the installed rule set, instrumented, into a folder named by its content, and has it tried; what does not load
 * leaves the last one that did. `problem` says why that is, with file and line.
 */
export async function loadRuleSet(
  config: Pick<Config, 'ruleSetDir'>,
  prefix: string,
  test: (rulesFile: string) => Promise<void>,
): Promise<{ loaded: LoadedRuleSet | null; problem: string }> {
  const found = readRuleSet(config)
  if (found.files.length === 0) return { loaded: lastGood(prefix), problem: `There is no rule set in ${found.folder}.` }
  const files = instrument(found.files)
  const probe = mainFile(files, '', '')
  const hash = crypto.createHash('sha256').update(probe)
  for (const { name, text } of files) hash.update(`${name}\0${text}\0`)
  const id = hash.digest('hex').slice(0, 16)
  const folder = path.join(prefix, 'rules', id)
  const loaded = { id, name: ruleSetName(found), folder, rulesFile: path.join(folder, MAIN) }
  if (lastGood(prefix)?.id === id && fs.existsSync(loaded.rulesFile)) return { loaded, problem: '' }
  fs.mkdirSync(folder, { recursive: true })
  for (const { name, text } of files) fs.writeFileSync(path.join(folder, name), text)
  fs.writeFileSync(loaded.rulesFile, mainFile(files, folder, path.join(prefix, 'temp')))
  try {
    await test(loaded.rulesFile)
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true })
    return { loaded: lastGood(prefix), problem: plain(error, folder, found.folder) }
  }
  fs.writeFileSync(path.join(prefix, 'rule-set.json'), JSON.stringify(loaded))
  for (const other of fs.readdirSync(path.join(prefix, 'rules')))
    if (other !== id) fs.rmSync(path.join(prefix, 'rules', other), { recursive: true, force: true })
  return { loaded, problem: '' }
}

function lastGood(prefix: string): LoadedRuleSet | null {
  try {
    // Our own file.
    const last = JSON.parse(fs.readFileSync(path.join(prefix, 'rule-set.json'), 'utf8')) as LoadedRuleSet
    return fs.existsSync(last.rulesFile) ? last : null
  } catch {
    return null
  }
}

/** nginx's words about our copy, said of the file that they are about. */
function plain(error: unknown, copies: string, originals: string): string {
  const words = error instanceof Problem || error instanceof Error ? error.message : String(error)
  const said = words.replaceAll(copies, originals)
  const place = /File: ([^\s]+?)\.? Line: (\d+)\. Column: (\d+)\.\s*([\s\S]*)/.exec(said)
  if (place === null) return said.slice(0, 500)
  const [, file, line, column, why = ''] = place
  return `${file}, line ${line}, column ${column}: ${why
    .replace(/ in \/\S+:\d+\s*[\s\S]*$/, '')
    .trim()
    .slice(0, 300)}`
}
