import { nameNoServer } from './answer/headers.ts'

/** The object that beacons and probes fetch: big enough to show throughput, small enough to cost nothing. */
const TEST_OBJECT_BYTES = 40_960
/** Half a megabyte: enough for a line to get up to speed. */
const LARGE_OBJECT_PARTS = 13
const TEST_OBJECT = incompressible(TEST_OBJECT_BYTES)

/** Content of `/.well-known/cdn/test.bin`, for any host. */
export function testObject(): void {
  ngx.header['Content-Type'] = 'application/octet-stream'
  ngx.header['Content-Length'] = `${TEST_OBJECT_BYTES}`
  open()
  ngx.print(TEST_OBJECT)
}

/** Content of `/.well-known/cdn/large.bin`, for any host: the test object so many times, to show throughput. */
export function largeObject(): void {
  ngx.header['Content-Type'] = 'application/octet-stream'
  ngx.header['Content-Length'] = `${LARGE_OBJECT_PARTS * TEST_OBJECT_BYTES}`
  open()
  for (let part = 0; part < LARGE_OBJECT_PARTS; part++) ngx.print(TEST_OBJECT)
}

/** The test object once more, for a CDN that fetches it from here and keeps it: `/.well-known/cdn/object.bin`. */
export function keptObject(): void {
  ngx.header['Content-Type'] = 'application/octet-stream'
  ngx.header['Content-Length'] = `${TEST_OBJECT_BYTES}`
  open()
  ngx.header['Cache-Control'] = 'public, max-age=3600'
  ngx.print(TEST_OBJECT)
}

/** Content of `/.well-known/cdn/health`. */
export function health(): void {
  const [primed] = ngx.shared.policies.get('primed')
  if (primed === undefined) ngx.status = 503
  ngx.header['Content-Type'] = 'text/plain'
  open()
  ngx.print(primed === undefined ? 'starting\n' : 'ok\n')
}

/**
 * Readable and timeable by any page (Fetch, Resource Timing): that is what they are for. Caches between would spoil the
 * figures.
 */
function open(): void {
  nameNoServer()
  ngx.header['Cache-Control'] = 'no-store'
  ngx.header['Access-Control-Allow-Origin'] = '*'
  ngx.header['Timing-Allow-Origin'] = '*'
}

/**
 * Bytes of a Lehmer generator: the same in every node, so that a check of the content is possible, and of no use to a
 * compressor.
 */
function incompressible(length: number): string {
  const parts: string[] = []
  let state = 20_011
  for (let i = 0; i < length; i++) {
    state = (state * 16_807) % 2_147_483_647
    parts.push(String.fromCharCode(state % 256))
  }
  return parts.join('')
}
