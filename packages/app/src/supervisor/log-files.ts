import fs from 'node:fs'
import path from 'node:path'

const LIMIT_BYTES = 20 << 20

/** Opens `<home>/log/<role>.log` for appending; the caller closes it. */
export function openLogFile(home: string, role: string): number {
  return fs.openSync(path.join(home, 'log', `${role}.log`), 'a', 0o600)
}

/**
 * Keeps every log file, with its one predecessor (`.1`), below twice the limit. Writers append, so emptying a file in
 * place loses nothing of theirs but what came between. Where it cannot, logs grow: whoever calls it has to go on.
 */
export function trimLogFiles(home: string): void {
  try {
    trimAll(path.join(home, 'log'))
  } catch {
    // A file that an operator moved away, or made another account's: the next minute looks again.
  }
}

function trimAll(folder: string): void {
  for (const name of fs.readdirSync(folder).filter((file) => file.endsWith('.log'))) {
    const file = path.join(folder, name)
    if (fs.statSync(file).size < LIMIT_BYTES) continue
    try {
      fs.copyFileSync(file, `${file}.1`)
    } catch {
      // On a full disk room counts for more than yesterday's lines.
      fs.rmSync(`${file}.1`, { force: true })
    }
    fs.truncateSync(file)
  }
}
