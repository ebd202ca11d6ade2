// Exits 0 when node_modules holds what package-lock.json asks for on this platform. Runs on the system's Node (18 or
// newer), before anything is installed.
import fs from 'node:fs'
import path from 'node:path'

const root = process.argv[2] ?? '.'

/** @param {string} file */
function packagesOf(file) {
  try {
    return JSON.parse(fs.readFileSync(path.join(root, file), 'utf8')).packages ?? {}
  } catch {
    return null
  }
}

const wanted = packagesOf('package-lock.json')
// npm keeps here what it really installed.
const present = packagesOf('node_modules/.package-lock.json')
const libc = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'

/** Whether a package is for this machine; most name no platform at all. */
function isForHere({ os, cpu, libc: libraries }) {
  return (
    (!os || os.includes(process.platform)) &&
    (!cpu || cpu.includes(process.arch)) &&
    (!libraries || process.platform !== 'linux' || libraries.includes(libc))
  )
}

function differs(name) {
  const want = wanted[name]
  const have = present[name]
  if (want.link) return false
  return have ? have.version !== want.version : isForHere(want) && !(want.optional && !want.os)
}

const names = Object.keys(wanted ?? {}).filter((name) => name.includes('node_modules/'))
process.exit(present && !names.some(differs) ? 0 : 1)
