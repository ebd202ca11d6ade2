import type { EdgeDelivery } from '@fairway/contract'
import type { CdnDriver, HeldCertificate, VendorWants } from '../driver.ts'
import { type DriverWorld, driverWorld } from '../../testing/driver-world.ts'
import type { FakeVendor } from './fake-vendor.ts'
import type { Served } from './served.ts'

/**
 * A vendor that stands in for the real one: it goes through the same states, and refuses what the real one would
 * refuse.
 */
export type VendorUnderTest = FakeVendor & {
  /** How far it goes with what is asked of it. */
  mood: { at: 'comply' | 'refuse' | 'hesitate'; why: string }
  /** What it holds of ours, as short texts: one for each thing that somebody would have to pay or clean up. */
  things(): string[]
  /** What is in force for a host: its settings as the vendor keeps them, for comparison only. */
  settings(): unknown
  /** Leaf certificates that it was given, in order. */
  certificates(): string[]
  /** Purges that it was told, in its own words. */
  purges(): string[]
  /** What it tells of its traffic; left out where that cannot be set. */
  served?: Served[]
}

export type StartVendor = {
  driver: CdnDriver
  values: Record<string, string>
  start(): Promise<VendorUnderTest>
  /** False where the vendor takes none of ours. */
  ownCertificates?: boolean
  /** What it tells of the traffic of `servedOnce`: requests by value. */
  tells: Record<'status' | 'cache' | 'country', Record<string, number>>
  /** What this vendor cannot do without. */
  delivery?: Partial<EdgeDelivery>
}

export const DELIVERY: EdgeDelivery = {
  origin: {
    addresses: ['origin.example.net'],
    balance: 'failover',
    fallbackAddress: null,
    port: 443,
    protocol: 'https',
    hostHeader: 'www.example.test',
    keepaliveSeconds: 60,
    verifyCertificate: false,
  },
  cache: {
    enabled: true,
    defaultTtlSeconds: 3600,
    honorOrigin: true,
    everything: true,
    ignoreQuery: false,
    tiered: false,
    rules: [],
    bypass: [],
  },
  compression: 'brotli',
  alwaysHttps: false,
  hsts: '',
  websocket: false,
  http2: true,
  http3: false,
  earlyHints: false,
  ocspStapling: false,
  reportsTo: '',
}

export const newCertificate = (mark: string): HeldCertificate => ({
  chainPem: `-----BEGIN CERTIFICATE-----\n${Buffer.from(`leaf ${mark}`).toString('base64')}\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\n${Buffer.from('intermediate').toString('base64')}\n-----END CERTIFICATE-----\n`,
  keyPem: `-----BEGIN PRIVATE KEY-----\n${Buffer.from(`the private key of ${mark}`).toString('base64')}\n-----END PRIVATE KEY-----\n`,
  fingerprint: `fingerprint-${mark}`,
})

export type VendorWorld = DriverWorld & { vendor: VendorUnderTest; wants: VendorWants }

/** The world of a driver whose CDN belongs to somebody else. */
export async function vendorWorld({ values, start, delivery = {} }: StartVendor): Promise<VendorWorld> {
  await using started = new AsyncDisposableStack()
  const vendor = started.use(await start())
  const world = started.use(await driverWorld())
  const wants: VendorWants = {
    values,
    apiUrl: vendor.url,
    delivery: { ...structuredClone(DELIVERY), ...delivery },
    certificate: newCertificate('first'),
  }
  const stop = started.move()
  return {
    ...world,
    vendor,
    wants,
    context: { ...world.context, vendor: async () => wants },
    comply: () => void (vendor.mood.at = 'comply'),
    refuse: (why) => void Object.assign(vendor.mood, { at: 'refuse', why }),
    hesitate: () => void (vendor.mood.at = 'hesitate'),
    publications: () => vendor.things().length,
    [Symbol.asyncDispose]: () => stop.disposeAsync(),
  }
}
