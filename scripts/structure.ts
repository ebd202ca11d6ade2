// Checks the house: floors, names, purity, catalogs. `node scripts/structure.ts` lists what is wrong and exits 1.
import fs from 'node:fs'
import path from 'node:path'
import { violationsOf, type SourceFile } from './structure-rules.ts'

const root = path.join(import.meta.dirname, '..')
const found = violationsOf({
  floors: JSON.parse(fs.readFileSync(path.join(root, 'floors.json'), 'utf8')) as Record<string, string[]>,
  files: [...sources(path.join(root, 'packages')), ...sources(path.join(root, 'e2e'))],
})
for (const violation of found) process.stdout.write(`${violation.file}: ${violation.rule}: ${violation.detail}\n`)
process.stdout.write(`${found.length} violations of the structure\n`)
process.exitCode = found.length ? 1 : 0

function* sources(folder: string): Generator<SourceFile> {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!['node_modules', 'dist', 'public'].includes(entry.name)) yield* sources(full)
    } else if (/\.(ts|tsx|css|sql|json)$/.test(entry.name)) {
      yield { path: path.relative(root, full), text: fs.readFileSync(full, 'utf8') }
    }
  }
}
