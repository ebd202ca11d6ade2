import type { HeldSockets } from '@fairway/platform'

/** How a process to be started gets sockets: as file descriptors behind its standard ones, named in its words. */
export type Birth = { words: string[]; stdio: number[] }

const WORD = '--sockets'

/** @param first number of the first one in the new process */
export function inheritedSockets(held: HeldSockets, first: number): Birth {
  const names = Object.keys(held)
  if (names.length === 0) return { words: [], stdio: [] }
  const theirs = Object.fromEntries(names.map((name, index) => [name, first + index]))
  return { words: [WORD, JSON.stringify(theirs)], stdio: Object.values(held) }
}

/** What the process that started this one has handed down. */
export function socketsIn(words: readonly string[]): HeldSockets {
  const at = words.indexOf(WORD)
  // Our own words: see above.
  return at < 0 ? {} : (JSON.parse(words[at + 1] ?? '{}') as HeldSockets)
}
