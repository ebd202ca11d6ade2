import { LIMITS, type ZoneFileFormat, type ZoneFileMode } from '@fairway/contract'

/** What is to be imported. `revision` changes with every change of it: a megabyte of text is no key. */
export type ImportSource = {
  revision: number
  text: string
  fileName: string | null
  format: ZoneFileFormat
  mode: ZoneFileMode
  /** More than one call takes: it is imported in parts, without a preview. */
  isLarge: boolean
}

export const EMPTY: ImportSource = {
  revision: 0,
  text: '',
  fileName: null,
  format: 'bind',
  mode: 'merge',
  isLarge: false,
}

let revisions = 0

export function changed(
  source: ImportSource,
  change: Partial<Omit<ImportSource, 'revision' | 'isLarge'>>,
): ImportSource {
  const isLarge = change.text === undefined ? source.isLarge : needsParts(change.text)
  return { ...source, ...change, isLarge, revision: ++revisions }
}

/** Zone files are of as many kinds as there are programs; a table says so by its name or by its first line. */
export function formatOf(text: string, fileName: string | null): ZoneFileFormat {
  if (fileName !== null && /\.[ct]sv$/i.test(fileName)) return 'csv'
  const [head = ''] = text.trimStart().split(/[\r\n]/, 1)
  const cells = head
    .toLowerCase()
    .split(/[,;\t]/)
    .map((cell) => cell.trim().replaceAll('"', ''))
  return !head.startsWith(';') && cells.length > 2 && cells.includes('type') ? 'csv' : 'bind'
}

function needsParts(text: string): boolean {
  const { characters, records } = LIMITS.zoneFile
  if (text.length > characters) return true
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0 && lines <= records; at = text.indexOf('\n', at + 1)) lines++
  return lines > records
}
