/** What of a migration the release before could not live with, in the words of the statement, and why. */
type Contraction = { statement: string; why: string }

const LOOKS: [RegExp, string][] = [
  [/\bDROP\s+(?:TABLE|COLUMN|VIEW|MATERIALIZED\s+VIEW|TYPE|SCHEMA|FUNCTION|ROLE|TRIGGER|POLICY)\b/i, 'takes away'],
  [/^ALTER\s+TABLE\b.*\bDROP\s+(?!CONSTRAINT\b|NOT\b|DEFAULT\b|EXPRESSION\b|IDENTITY\b)\w/i, 'takes away'],
  [/\bRENAME\b/i, 'renames'],
  [/\bALTER\s+(?:COLUMN\s+)?\w+\s+(?:SET\s+DATA\s+)?TYPE\b/i, 'changes a type'],
  [/\bSET\s+NOT\s+NULL\b/i, 'refuses rows that the release before writes'],
  [/^ALTER\s+TABLE\b.*\bDROP\s+DEFAULT\b/i, 'refuses rows that the release before writes'],
  [/^TRUNCATE\b/i, 'removes rows'],
  [/^(?:REVOKE|ALTER\s+TABLE\b.*\bDISABLE)\b/i, 'takes rights away'],
]

/** A column that has to be given, which the release before does not give. */
const ADDED =
  /\bADD\s+(?:COLUMN\s+)?(?:IF\s+NOT\s+EXISTS\s+)?(?!CONSTRAINT\b|PRIMARY\b|UNIQUE\b|FOREIGN\b|CHECK\b)\w+\s/i

/**
 * Statements of a migration that the release before could not go on with: it reads and writes the same database while
 * its processes are exchanged, and when somebody goes back to it. What a migration has made itself it may also remove.
 */
export function contractionsOf(sql: string): Contraction[] {
  const statements = statementsOf(sql)
  const made = new Set(
    statements.flatMap((one) => /^CREATE\s+(?:TABLE|TYPE|VIEW)\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)/i.exec(one)?.[1] ?? []),
  )
  return statements.flatMap((statement) => {
    const [, table = ''] = /^ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?(\w+)/i.exec(statement) ?? []
    if (made.has(table)) return []
    const found = LOOKS.find(([look]) => look.test(statement))
    if (found) return [{ statement, why: found[1] }]
    const isAsked =
      table !== '' &&
      actionsOf(statement).some(
        (action) => ADDED.test(action) && /\bNOT\s+NULL\b/i.test(action) && !/\b(?:DEFAULT|GENERATED)\b/i.test(action),
      )
    return isAsked ? [{ statement, why: 'asks for a column that the release before does not give' }] : []
  })
}

/** `-- Unused since 2.41.0: …`: the first release that no longer used what the migration takes away. */
export function unusedSince(sql: string): string | null {
  return /^-- Unused since (\d+\.\d+\.\d+): \S/m.exec(sql)?.[1] ?? null
}

/** Parts of an ALTER TABLE, between commas that stand in no brackets. */
function actionsOf(statement: string): string[] {
  const actions = ['']
  let depth = 0
  for (const sign of statement) {
    if (sign === '(') depth++
    if (sign === ')') depth--
    if (sign === ',' && depth === 0) actions.push('')
    else actions[actions.length - 1] += sign
  }
  return actions
}

/** Statements on one line each, without comments, and with texts and bodies of functions left out. */
function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
      part.startsWith('-') || part.startsWith('/') ? ' ' : "''",
    )
    .split(';')
    .map((one) => one.replaceAll(/\s+/g, ' ').trim())
    .filter((one) => one !== '')
}
