import { z } from 'zod'

/** One report of a browser as it is posted (Reporting API); only those of `network-error` have the body. */
export const BrowserReport = z.object({
  /** How long the browser has held it back, ms. */
  age: z.number().min(0),
  type: z.string().max(64),
  url: z.string().max(8192),
  body: z.unknown(),
})
export type BrowserReport = z.infer<typeof BrowserReport>

/** What a network error says (Network Error Logging 6.1), as far as it is read. */
export const NetworkErrorBody = z.object({
  /** `ok`, or what failed: `tcp.timed_out`, `tls.cert.invalid`, `http.error`. */
  type: z.string().max(64),
  phase: z.string().max(32).optional(),
  status_code: z.number().min(0).max(999).optional(),
})
export type NetworkErrorBody = z.infer<typeof NetworkErrorBody>

/** One answer in so many is reported though it came; failures are always. Asked for by the edge, counted by the store. */
export const ONE_SUCCESS_IN = 10
