import { setOf } from './judge.ts'

/** A rule as its file describes it. */
export type CatalogRule = {
  ruleId: number
  /** Empty for those beyond the three sets: protocol, scanners, uploads. */ set: ReturnType<typeof setOf>
  message: string
  severity: 'critical' | 'error' | 'warning' | 'notice'
  paranoiaLevel: number
}

/** Adds to a score: what makes a rule one that finds something. With the level and the severity. */
export const SCORES =
  /setvar:'tx\.(?:inbound_)?anomaly_score_pl([1-4])=\+%\{tx\.(critical|error|warning|notice)_anomaly_score\}'/i

/** Files that are asked of a request; others keep state of visitors, or look at answers. */
export const isInspecting = (file: string): boolean =>
  /^REQUEST-\d{3}[\w.-]*\.conf$/.test(file) && !/^REQUEST-(?:910|912|949)/.test(file)

/** Every rule that finds something, by the files of a rule set: what can be listed, switched and excluded. */
export function catalogOf(files: readonly { name: string; text: string }[]): CatalogRule[] {
  const found = new Map<number, CatalogRule>()
  for (const { name, text } of files) {
    if (!isInspecting(name)) continue
    let current = { ruleId: 0, message: '' }
    for (const statement of text.replaceAll(/^[ \t]*#.*$/gm, '').split(/\n(?=[ \t]*Sec[A-Z])/)) {
      // The parts of a chain belong to the rule that began it.
      const id = /[",\s]id:'?(\d{1,9})/.exec(statement)
      if (id) current = { ruleId: Number(id[1]), message: messageOf(statement) }
      const score = SCORES.exec(statement)
      if (!score || current.ruleId === 0) continue
      found.set(current.ruleId, {
        ...current,
        set: setOf(String(current.ruleId)),
        severity: severityOf(score[2] ?? ''),
        paranoiaLevel: Number(score[1]),
      })
    }
  }
  return [...found.values()].sort((a, b) => a.ruleId - b.ruleId)
}

const messageOf = (statement: string): string =>
  (/msg:'((?:[^'\\]|\\.)*)'/.exec(statement)?.[1] ?? '').replaceAll("\\'", "'")

function severityOf(word: string): CatalogRule['severity'] {
  const lower = word.toLowerCase()
  return lower === 'error' || lower === 'warning' || lower === 'notice' ? lower : 'critical'
}

/** What a finding counts by its severity. */
export const SEVERITY_SCORES: Record<CatalogRule['severity'], number> = { critical: 5, error: 4, warning: 3, notice: 2 }
