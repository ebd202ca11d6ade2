import fs from 'node:fs'

const TICKS_PER_SECOND = 100

/**
 * CPU seconds used so far by a process and everything below it, children that have ended included. Linux only
 * (`/proc`).
 */
export function cpuSeconds(pid: number): number {
  const own = statOf(pid)
  return own === null ? 0 : own + childrenOf(pid).reduce((sum, child) => sum + cpuSeconds(child), 0)
}

/** The same to the nanosecond, from the scheduler; threads and children that have ended are not in it. */
export function preciseCpuSeconds(pid: number): number {
  const tasks = fs.existsSync(`/proc/${pid}/task`) ? fs.readdirSync(`/proc/${pid}/task`) : []
  const own =
    tasks.reduce((sum, task) => sum + Number(read(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0] || 0), 0) / 1e9
  return own + childrenOf(pid).reduce((sum, child) => sum + preciseCpuSeconds(child), 0)
}

/** CPU seconds of all children of a process that have ended and were waited for, with theirs. */
export const endedCpuSeconds = (pid: number): number => timesOf(pid, [13, 14]) ?? 0

/** Memory of a process in bytes, shared pages divided among their users (PSS). */
export function ownMemoryBytes(pid: number): number {
  const line = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))
  return Number(line?.[1] ?? 0) * 1024
}

/** Memory in bytes of a process and everything below it that no file stands behind: what can leak. */
export function anonymousBytes(pid: number): number {
  const line = /^Pss_Anon:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))
  return Number(line?.[1] ?? 0) * 1024 + childrenOf(pid).reduce((sum, child) => sum + anonymousBytes(child), 0)
}

/** Memory in bytes of a process and everything below it (PSS). */
export function memoryBytes(pid: number): number {
  return ownMemoryBytes(pid) + childrenOf(pid).reduce((sum, child) => sum + memoryBytes(child), 0)
}

/** Open descriptors of a process and everything below it. */
export function descriptorsOf(pid: number): number {
  return entriesOf(`/proc/${pid}/fd`).length + childrenOf(pid).reduce((sum, child) => sum + descriptorsOf(child), 0)
}

// utime, stime, cutime, cstime: fields 14 to 17 of proc(5), counted from the state after the name.
const statOf = (pid: number): number | null => timesOf(pid, [11, 12, 13, 14])

function timesOf(pid: number, fieldsOf: readonly number[]): number | null {
  const text = read(`/proc/${pid}/stat`)
  if (!text) return null
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  return fieldsOf.reduce((sum, index) => sum + (fields[index] ?? 0), 0) / TICKS_PER_SECOND
}

function childrenOf(pid: number): number[] {
  const tasks = fs.existsSync(`/proc/${pid}/task`) ? fs.readdirSync(`/proc/${pid}/task`) : []
  return tasks.flatMap((task) => read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number))
}

function entriesOf(folder: string): string[] {
  try {
    return fs.readdirSync(folder)
  } catch {
    return []
  }
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
