import { z } from 'zod'
import { PERMISSIONS } from './permissions.ts'
import { del, feature, get, put } from './route.ts'

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** 1 reads, 2 writes, 3 deletes, 4 purges and handles certificates; each includes those below it. */
  tier: z.int().min(1).max(4),
  /** The first characters, to recognise it by. */
  prefix: z.string(),
  /** What it may do now: its tier, but never more than its owner. */
  permissions: z.array(z.enum(PERMISSIONS)),
  createdAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
  lastUsedIp: z.string().nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

export const apiKeys = feature('api-keys', {
  list: get('/account/v2/apikey/', {
    out: z.object({
      data: z.array(ApiKey),
      /** When the next one may be made; null for now. */ nextAt: z.iso.datetime().nullable(),
    }),
    permission: 'ViewApiKey',
    partnerFeature: 'apiGenerate',
    errors: [],
  }),
  create: put('/account/v2/apikey/', {
    in: z.object({ name: z.string().trim().min(1).max(80), tier: z.int().min(1).max(4) }),
    out: z.object({ data: ApiKey, /** The key itself, shown this once. */ key: z.string() }),
    personal: true,
    permission: 'EditApiKey',
    partnerFeature: 'apiGenerate',
    errors: [429],
    audit: 'apiKey.create',
    changes: [],
    summary: 'Makes an API key; the next one only a minute later.',
  }),
  remove: del('/account/v2/apikey/{id}/', {
    out: z.object({ id: z.string() }),
    personal: true,
    permission: 'EditApiKey',
    partnerFeature: 'apiGenerate',
    errors: [],
    audit: 'apiKey.remove',
    changes: [],
  }),
})
