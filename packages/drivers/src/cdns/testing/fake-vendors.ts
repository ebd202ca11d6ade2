export { CLOUDFLARE_VALUES, startFakeCloudflare } from './fake-cloudflare.ts'
export type { VendorUnderTest } from './vendor-world.ts'
