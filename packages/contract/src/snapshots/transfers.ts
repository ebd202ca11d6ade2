import { z } from 'zod'

/** Who may take an organisation's zones, and who is told when one changes. */
export const DnsTransfers = z.object({
  organizationId: z.string(),
  version: z.int(),
  peers: z.array(
    z.object({
      /** Name of the TSIG key, absolute, lower case, without the trailing dot. */
      keyName: z.string().max(253),
      /** Sealed for the nodes; base64 inside. */
      sealedSecret: z.string(),
      /** `host:port` that NOTIFY goes to; null when the secondary asks by itself. */
      notify: z.string().nullable(),
    }),
  ),
})
export type DnsTransfers = z.infer<typeof DnsTransfers>
