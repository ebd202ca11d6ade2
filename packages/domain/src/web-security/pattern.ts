/**
 * A pattern as a program: what is looked for at `i` is `ops[i]`. It is run over a text without ever going back, so its
 * time grows with the text only.
 */
export type Pattern = {
  ops: number[]
  /** Where a jump or a fork goes; the set of a byte. */ x: number[]
  /** Where a fork goes else. */ y: number[]
  /** First and last byte of each run. */ sets: number[][]
}

export const OPS = { byte: 0, fork: 1, jump: 2, begin: 3, end: 4, found: 5 } as const

/** What the program may be at after some bytes, known by the places in it. */
export type State = {
  places: number[]
  found: boolean
  foundAtEnd: boolean
  /** By the kind of the byte. */ next: Record<number, State | undefined>
}
export type Memo = {
  states: Record<string, State | undefined>
  count: number
  start: State | undefined
  /** Which bytes no part of the pattern tells apart, for each byte, and one of each kind. */ kinds: number[]
  ones: number[]
  /** It has more states than are kept. */ isTooLarge: boolean
}

// States are worked out when they are first met.
const memos = new WeakMap<Pattern, Memo>()
/** As many states may a pattern have that is saved; all of them are kept. */
export const STATES_MOST = 1000

/**
 * Patterns that were saved before there was a bound may have more than are kept: then all are forgotten, which costs
 * time for nearly every byte. One request has so many of them worked out anew.
 */
const ANEW_MOST = 200
const effort = { left: ANEW_MOST, isSpent: false }

/** Begins a request: what it may cost is its own. */
export function beginEffort(): void {
  effort.left = ANEW_MOST
  effort.isSpent = false
}

/** Whether a pattern was given up since this was last asked: what was said to be not found may be there. */
export function gaveUp(): boolean {
  const was = effort.isSpent
  effort.isSpent = false
  return was
}

/** Whether the pattern is found anywhere in a text. */
export function isFound(pattern: Pattern, text: string): boolean {
  let memo = memos.get(pattern)
  if (memo === undefined) {
    memo = memoOf(pattern)
    memos.set(pattern, memo)
  }
  let state = startOf(pattern, memo)
  for (let i = 0; i < text.length; i++) {
    if (state.found) return true
    const kind = memo.kinds[text.charCodeAt(i)] ?? 0
    let next = state.next[kind]
    if (next === undefined) {
      if (memo.isTooLarge) {
        if (effort.left <= 0) {
          effort.isSpent = true
          return false
        }
        effort.left -= 1
      }
      next = after(pattern, memo, state, kind)
      state.next[kind] = next
    }
    state = next
  }
  return state.found || state.foundAtEnd
}

export function memoOf(pattern: Pattern): Memo {
  const memo: Memo = { states: {}, count: 0, start: undefined, kinds: [], ones: [], isTooLarge: false }
  const sets: number[][] = []
  const seen: Record<string, boolean | undefined> = {}
  for (const set of pattern.sets) {
    const key = set.join(',')
    if (seen[key] !== true) sets.push(set)
    seen[key] = true
  }
  const known: Record<string, number | undefined> = {}
  for (let byte = 0; byte < 256; byte++) {
    const within: string[] = []
    for (const set of sets) within.push(isIn(set, byte) ? '1' : '0')
    const key = `=${within.join('')}`
    let kind = known[key]
    if (kind === undefined) {
      kind = memo.ones.length
      known[key] = kind
      memo.ones.push(byte)
    }
    memo.kinds.push(kind)
  }
  return memo
}

export function startOf(pattern: Pattern, memo: Memo): State {
  if (memo.start === undefined) memo.start = stateOf(pattern, memo, [0], true)
  return memo.start
}

export function after(pattern: Pattern, memo: Memo, state: State, kind: number): State {
  const byte = memo.ones[kind] ?? 0
  const places: number[] = []
  for (const place of state.places)
    if (pattern.ops[place] === OPS.byte && isIn(pattern.sets[pattern.x[place] ?? 0] ?? [], byte)) places.push(place + 1)
  // It may begin anywhere.
  places.push(0)
  return stateOf(pattern, memo, places, false)
}

function isIn(set: number[], byte: number): boolean {
  for (let i = 0; i + 1 < set.length; i += 2) if (byte >= (set[i] ?? 256) && byte <= (set[i + 1] ?? -1)) return true
  return false
}

function stateOf(pattern: Pattern, memo: Memo, from: number[], atBegin: boolean): State {
  const places = reached(pattern, from, atBegin, false)
  const key = `${atBegin ? '^' : ''}${places.join(',')}`
  const known = memo.states[key]
  if (known !== undefined) return known
  const state: State = {
    places,
    found: holdsFound(pattern, places),
    foundAtEnd: holdsFound(pattern, reached(pattern, places, atBegin, true)),
    next: {},
  }
  if (memo.count >= STATES_MOST) {
    memo.states = {}
    memo.count = 0
    memo.start = undefined
    memo.isTooLarge = true
  }
  memo.states[key] = state
  memo.count += 1
  return state
}

function holdsFound(pattern: Pattern, places: number[]): boolean {
  for (const place of places) if (pattern.ops[place] === OPS.found) return true
  return false
}

/** Where the program stands that wait for a byte, for the end, or have found it. */
function reached(pattern: Pattern, from: number[], atBegin: boolean, atEnd: boolean): number[] {
  const places: number[] = []
  const seen: Record<number, boolean | undefined> = {}
  const stack: number[] = []
  for (let i = from.length - 1; i >= 0; i--) stack.push(from[i] ?? 0)
  while (stack.length > 0) {
    const place = stack.pop() ?? 0
    if (seen[place] === true) continue
    seen[place] = true
    const op = pattern.ops[place] ?? OPS.found
    if (op === OPS.jump) stack.push(pattern.x[place] ?? 0)
    else if (op === OPS.fork) {
      stack.push(pattern.y[place] ?? 0)
      stack.push(pattern.x[place] ?? 0)
    } else if (op === OPS.begin) {
      if (atBegin) stack.push(place + 1)
    } else if (op === OPS.end && atEnd) stack.push(place + 1)
    else places.push(place)
  }
  return places
}
