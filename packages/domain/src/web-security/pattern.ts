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
type State = { places: number[]; found: boolean; foundAtEnd: boolean; next: Record<number, State | undefined> }
type Memo = { states: Record<string, State | undefined>; count: number; start: State | undefined }

// States are worked out when they are first met. Forgetting them all costs time, not truth.
const memos = new WeakMap<Pattern, Memo>()
const STATES_MOST = 256

/** Whether the pattern is found anywhere in a text. */
export function isFound(pattern: Pattern, text: string): boolean {
  let memo = memos.get(pattern)
  if (memo === undefined || memo.count > STATES_MOST) {
    memo = { states: {}, count: 0, start: undefined }
    memos.set(pattern, memo)
  }
  if (memo.start === undefined) memo.start = stateOf(pattern, memo, [0], true)
  let state = memo.start
  for (let i = 0; i < text.length; i++) {
    if (state.found) return true
    const byte = text.charCodeAt(i)
    let next = state.next[byte]
    if (next === undefined) {
      next = after(pattern, memo, state, byte)
      state.next[byte] = next
    }
    state = next
  }
  return state.found || state.foundAtEnd
}

function after(pattern: Pattern, memo: Memo, state: State, byte: number): State {
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
  if (memo.count > STATES_MOST) {
    memo.states = {}
    memo.count = 0
    memo.start = undefined
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
