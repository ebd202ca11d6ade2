import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { loadLibc } from '@fairway/platform/lean'
import { compileZone } from '../segment/compile.ts'
import { compileOverlay } from '../segment/overlay.ts'
import { Segment, overlayBehind } from '../segment/segment.ts'
import { WholeZone } from '../segment/whole-zone.ts'
import { mapTwo } from '../store/mapped-file.ts'
import { zoneOf } from '../testing/zone-fixture.ts'
import { FormerVersions } from './former-versions.ts'
import { serialOf } from './zone-records.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'versions-'))
after(() => fs.rmSync(folder, { recursive: true }))

const text = Array(40)
  .fill(`"${'x'.repeat(250)}"`)
  .join(' ')
const zone = zoneOf('big.test', Array.from({ length: 300 }, (_, at) => `n${at} 300 TXT ${text}`).join('\n'))
const first = path.join(folder, 'whole')
fs.writeFileSync(first, compileZone(zone, 1, null))
const whole = new WholeZone(Segment.openNow(fs.readFileSync(first)))
const files = [2, 3, 4, 5, 6].map((version) => {
  const file = path.join(folder, `${version}`)
  const [soa, ns] = zone.rrsets
  if (!soa || !ns) assert.fail()
  const numbered = { ...soa, rdata: [`ns1.big.test. admin.big.test. ${version} 3600 600 604800 60`] }
  const patch = { zoneId: zone.zoneId, since: 1, version, apex: [numbered, ns], names: [], rrsets: [] }
  fs.writeFileSync(file, compileOverlay(whole, patch, version, null) ?? assert.fail())
  return file
})

/** Serials of the versions that are kept of five, the last of which is served. */
function kept(libc: ReturnType<typeof loadLibc>): number[] {
  const versions = new FormerVersions()
  const segments = files.map((second) => {
    const { bytes, firstBytes, secondAt } = mapTwo({ first, second }, overlayBehind, libc)
    return Segment.openOverNow(bytes, firstBytes, secondAt)
  })
  for (const [at, one] of segments.slice(1).entries()) versions.keep(segments[at] ?? one, one)
  return segments.map(serialOf).filter((serial) => versions.find(zone.zoneId, serial) !== undefined)
}

test('versions of a large zone that lie on one mapped file are all kept', { skip: loadLibc() === null }, () => {
  assert.deepEqual(kept(loadLibc()), [2, 3, 4, 5])
})

test('where files are read, each with a whole of its own, they take 8 MiB of memory and no more', () => {
  assert.ok(whole.segment.bytes.length > 2.9e6, `${whole.segment.bytes.length} bytes`)
  assert.deepEqual(kept(null), [4, 5])
})
