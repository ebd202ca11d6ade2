export { CLOUDFLARE_VALUES, startFakeCloudflare } from './fake-cloudflare.ts'
export { FASTLY_VALUES, startFakeFastly } from './fake-fastly.ts'
export { type Served, servedOnce } from './served.ts'
export type { VendorUnderTest } from './vendor-world.ts'
