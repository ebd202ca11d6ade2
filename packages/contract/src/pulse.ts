import { z } from 'zod'
import { BeaconSettings } from './beacon.ts'
import { feature, get, put } from './route.ts'

/** An organisation's beacon: its public key, the tag to paste, and the settings the script fetches. */
export const PulseSettings = z.object({ key: z.string(), tag: z.string(), settings: BeaconSettings })

export const pulse = feature('pulse', {
  get: get('/measure/v2/beacon/', {
    out: PulseSettings,
    permission: 'ViewPerformancePolicy',
    partnerFeature: 'pulse',
    errors: [],
  }),
  update: put('/measure/v2/beacon/', {
    in: BeaconSettings.omit({ targets: true }),
    out: PulseSettings,
    permission: 'EditPerformancePolicy',
    partnerFeature: 'pulse',
    errors: [],
    audit: 'pulse.update',
    changes: [],
  }),
})
