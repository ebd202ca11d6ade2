import { NoAnswer } from './answered.ts'

/**
 * The database cannot be reached, answers late or has no room: worth a repetition, unlike a statement that is wrong.
 */
export class DatabaseAway extends Error {}

/**
 * PostgreSQL's classes for a broken connection (08), for no room on disk, in memory or among connections (53), for a
 * server that starts or stops (57P), and for one that only follows another (25006).
 */
const AWAY = /^(?:08|53|57P0|25006)/

/** What the driver says by itself has no code of PostgreSQL's: of five characters, none of them a small letter. */
export function isAway(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  if (error instanceof NoAnswer || FOLLOWS.test(error.message)) return true
  const code = 'code' in error ? String(error.code) : ''
  if (/^[0-9A-Z]{5}$/.test(code) && !SYSTEM_CODES.has(code)) return AWAY.test(code)
  return code.startsWith('E') || DRIVER.test(error.message)
}

/** A server that follows another says so when a transaction is begun that may write, with a code of many meanings. */
const FOLLOWS = /^cannot set transaction read-write mode during recovery/
/** The system's codes that have five characters, too. */
const SYSTEM_CODES = new Set(['EPIPE'])
const DRIVER =
  /^(?:Connection terminated|timeout exceeded|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/
