import type { ZoneFileError, ZoneFileFault } from '@fairway/contract'

/** A cell of a table, and where it begins, counted from 1. */
export type Cell = { text: string; line: number; column: number }

/**
 * Reads comma-separated values (RFC 4180) row by row: cells in quotes may hold anything, a quote in them is doubled. Empty lines
 * are left out.
 * Time is proportional to the length of the text; reading ends with the first error.
 */
export function* readCsv(text: string, separator: string): Generator<Cell[], ZoneFileError | null> {
  let row: Cell[] = []
  let line = 1
  let lineStart = text.startsWith('\ufeff') ? 1 : 0
  for (let at = lineStart; at <= text.length;) {
    const place = { line, column: at - lineStart + 1 }
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator)
    const behind = text[cell.end]
    const fault: ZoneFileFault | null =
      cell.isMalformed || (behind !== undefined && behind !== separator && behind !== '\r' && behind !== '\n')
        ? 'csvQuote'
        : null
    if (fault !== null) return { ...place, fault, text: text.slice(at, at + 40) }
    row.push({ text: cell.text, ...place })
    for (const { 0: lineEnd, index } of text.slice(at, cell.end).matchAll(/\r\n|\r|\n/g)) {
      line++
      lineStart = at + index + lineEnd.length
    }
    at = cell.end + 1
    if (behind === separator) continue
    if (behind === '\r' && text[at] === '\n') at++
    if (row.length > 1 || row[0]?.text.trim() !== '') yield row
    row = []
    line++
    lineStart = at
  }
  return null
}

function quotedCell(text: string, start: number): { text: string; end: number; isMalformed: boolean } {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"')
      return { text: text.slice(start + 1, at).replaceAll('""', '"'), end: at + 1, isMalformed: false }
  }
  return { text: '', end: text.length, isMalformed: true }
}

function plainCell(
  text: string,
  start: number,
  separator: string,
): { text: string; end: number; isMalformed: boolean } {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\r' && text[end] !== '\n') end++
  const cell = text.slice(start, end)
  return { text: cell, end, isMalformed: cell.includes('"') }
}

/** Writes a table; lines end as RFC 4180 has it. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(writeCell).join(',')}\r\n`).join('')

const writeCell = (text: string): string =>
  /["\r\n,;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
