import zlib from 'node:zlib'

const BLOCK = 512

/**
 * The script as an npm package for pages that bundle it themselves: `startBeacon({ key, collector? })`, or with all
 * settings. A gzipped tar (ustar), the same bytes for the same script.
 */
export function beaconPackage(source: string, version: string): Buffer {
  const core = source.replace(/\(document\.currentScript\)\s*$/, '')
  const files: [string, string][] = [
    [
      'package.json',
      JSON.stringify({
        name: 'fairway-beacon',
        version,
        description: 'Measures the CDNs of a Fairway installation from visitors’ browsers.',
        license: 'Apache-2.0',
        type: 'module',
        exports: { '.': { types: './index.d.ts', default: './index.js' } },
        sideEffects: false,
      }),
    ],
    ['index.js', `${STARTER}const run = ${core.slice(core.indexOf('(function'))}\n`],
    ['index.d.ts', TYPES],
  ]
  return zlib.gzipSync(
    Buffer.concat([...files.flatMap(([name, text]) => entry(`package/${name}`, text)), Buffer.alloc(2 * BLOCK)]),
    { level: 9 },
  )
}

const STARTER = `/** Starts measuring from this page; does nothing outside a browser. */
export function startBeacon(settings) {
  if (typeof window === 'undefined') return
  const { key, collector, targets, startDelaySeconds, repeatDelaySeconds, batchNumber } = settings
  const given = targets && { targets: JSON.stringify(targets), start: startDelaySeconds, repeat: repeatDelaySeconds, batches: batchNumber }
  run({ src: collector.replace(/\\/$/, '') + '/b.js', dataset: { key, ...given } })
}
`
const TYPES = `export type BeaconTarget = { c: string; u: string; l?: string; o?: 1 }
/** Without targets the settings are fetched from the collector. */
export declare function startBeacon(settings: {
  key: string
  /** Origin of the collector, such as https://beacon.example.com. */
  collector: string
  targets?: readonly BeaconTarget[]
  startDelaySeconds?: number
  repeatDelaySeconds?: number
  batchNumber?: number
}): void
`

function entry(name: string, text: string): Buffer[] {
  const content = Buffer.from(text)
  const head = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  head.write(name, 0)
  head.write(octal(0o644, 7), 100)
  head.write(octal(0, 7), 108)
  head.write(octal(0, 7), 116)
  head.write(octal(content.length, 11), 124)
  // npm takes no file that is older than its own idea of reproducible archives.
  head.write(octal(499_162_500, 11), 136)
  head.write('        ', 148)
  head.write('0', 156)
  head.write('ustar\x0000', 257)
  head.write(
    octal(
      head.reduce((sum, byte) => sum + byte, 0),
      6,
    ) + ' ',
    148,
  )
  return [head, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]
}
