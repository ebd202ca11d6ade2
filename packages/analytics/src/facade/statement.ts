import type { RawInsertFormat } from 'chdb'
import { FacadeError } from './facade-error.ts'

/** What a statement is, as far as the facade has to know. */
export type Statement =
  | { kind: 'insert-data'; table: string; columns: string[] | null; format: RawInsertFormat; inlineData: string }
  | { kind: 'read'; format: string | null; streams: boolean }
  | { kind: 'other'; /** Changes the state of its session. */ spoils: boolean }

const NAME = '(?:`[^`]+`|"[^"]+"|[A-Za-z_][A-Za-z0-9_]*)'
const INSERT = new RegExp(
  `^INSERT\\s+INTO\\s+(?:TABLE\\s+)?(${NAME}(?:\\.${NAME})?)\\s*(\\([^)]*(?:\\([^)]*\\)[^)]*)?\\))?\\s*FORMAT\\s+([A-Za-z]+)[ \\t]*;?\\r?\\n?`,
  'i',
)
const TRAILING_FORMAT = /\bFORMAT\s+([A-Za-z]+)\s*(?:SETTINGS\s[^;]*)?;?\s*$/i
/** Formats the engine takes as raw bytes. */
const RAW_FORMATS: Record<string, RawInsertFormat> = {
  jsoneachrow: 'JSONEachRow',
  jsoncompacteachrow: 'JSONCompactEachRow',
  csv: 'CSV',
  csvwithnames: 'CSVWithNames',
  tsv: 'TSV',
  tabseparated: 'TabSeparated',
  tsvwithnames: 'TSVWithNames',
  tabseparatedwithnames: 'TabSeparatedWithNames',
}
/** Each chunk of a streamed result stands alone in these: no header, no frame. */
const STREAMED_FORMATS = new Set(['JSONEachRow', 'JSONCompactEachRow', 'CSV', 'TSV', 'TabSeparated'])

/** @throws FacadeError 48 for an insert in a form that is not offered */
export function readStatement(sql: string, defaultFormat: string): Statement {
  const text = withoutLeadingComments(sql)
  const word = (/^\(*\s*([A-Za-z]+)/.exec(text)?.[1] ?? '').toUpperCase()
  if (word === 'INSERT') return readInsert(text)
  if (
    word === 'SELECT' ||
    word === 'WITH' ||
    word === 'SHOW' ||
    word === 'DESCRIBE' ||
    word === 'DESC' ||
    word === 'EXPLAIN' ||
    word === 'EXISTS'
  ) {
    const format = TRAILING_FORMAT.exec(text)?.[1] ?? null
    return {
      kind: 'read',
      format,
      streams:
        (word === 'SELECT' || word === 'WITH') && STREAMED_FORMATS.has(format ?? defaultFormat) && !hasSeveral(text),
    }
  }
  return { kind: 'other', spoils: word === 'SET' || word === 'USE' || hasSeveral(text) }
}

function readInsert(text: string): Statement {
  const match = INSERT.exec(text)
  if (!match) return { kind: 'other', spoils: hasSeveral(text) }
  const [whole, target = '', columns, formatName = ''] = match
  if (formatName.toLowerCase() === 'values') return { kind: 'other', spoils: false }
  const format = RAW_FORMATS[formatName.toLowerCase()]
  if (!format)
    throw new FacadeError(
      48,
      'NOT_IMPLEMENTED',
      `INSERT in format ${formatName} is not offered; these are: ${Object.values(RAW_FORMATS).join(', ')}`,
    )
  return {
    kind: 'insert-data',
    table: unquote(target),
    columns: columns === undefined ? null : readColumns(columns),
    format,
    inlineData: text.slice(whole.length),
  }
}

function readColumns(list: string): string[] {
  const names = list
    .slice(1, -1)
    .split(',')
    .map((name) => unquote(name.trim()))
  if (!names.every((name) => /^[A-Za-z0-9_]+$/.test(name)))
    throw new FacadeError(48, 'NOT_IMPLEMENTED', 'INSERT takes a plain list of columns')
  return names
}

const unquote = (name: string) => name.replaceAll(/[`"]/g, '')

/** Another statement after a semicolon; one inside a string counts too, which only costs a fresh session. */
const hasSeveral = (text: string) => /;\s*\S/.test(text)

function withoutLeadingComments(sql: string): string {
  let text = sql.trimStart()
  for (let before = ''; before !== text;) {
    before = text
    text = text.replace(/^(?:--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)/, '').trimStart()
  }
  return text
}
