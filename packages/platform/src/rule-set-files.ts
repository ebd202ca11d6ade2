import fs from 'node:fs'
import path from 'node:path'
import type { Config } from './config.ts'

/** The files of the rule set as they are installed; empty when there is none. */
export type RuleSetFiles = { folder: string; files: { name: string; text: string }[] }

const MOST_BYTES = 16 << 20

/** Reads the rules and their word lists from the folder of the setting, or from `rules` in it. Never throws. */
export function readRuleSet({ ruleSetDir }: Pick<Config, 'ruleSetDir'>): RuleSetFiles {
  for (const folder of [path.join(ruleSetDir, 'rules'), ruleSetDir]) {
    try {
      const names = fs.readdirSync(folder).filter((name) => /\.(?:conf|data)$/.test(name))
      if (!names.some((name) => name.startsWith('REQUEST-'))) continue
      let room = MOST_BYTES
      const files = names.sort().map((name) => {
        const text = fs.readFileSync(path.join(folder, name), 'utf8')
        room -= text.length
        if (room < 0) throw new Error('too large for a rule set')
        return { name, text }
      })
      return { folder, files }
    } catch {
      // The next one, or none.
    }
  }
  return { folder: ruleSetDir, files: [] }
}

/** `OWASP_CRS/3.3.4`, as the rules themselves say. */
export const ruleSetName = ({ files }: RuleSetFiles): string =>
  /ver:'([\w./-]{1,40})'/.exec(files.find(({ name }) => name.startsWith('REQUEST-901'))?.text ?? '')?.[1] ?? ''
