import { z } from 'zod'

export const CertificatesSearch = z.object({
  search: z.string().max(200).optional().catch(undefined),
  sort: z.string().max(40).optional().catch(undefined),
  /** The certificate whose details are open. */
  show: z.uuid().optional().catch(undefined),
  /** The dialog that makes a new one is open. */
  setup: z.boolean().optional().catch(undefined),
})
