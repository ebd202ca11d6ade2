import { z } from 'zod'

/** What AWS has said instead of an answer, as the SDK throws it. */
export type AwsRefusal = { status: number; code: string; words: string; retryAfter: string | null }

const Thrown = z.object({
  name: z.string(),
  message: z.string(),
  $metadata: z.object({ httpStatusCode: z.number() }),
  $response: z.object({ headers: z.record(z.string(), z.string()).optional() }).optional(),
})

/** Null when AWS has not answered at all. */
export function awsRefusal(error: unknown): AwsRefusal | null {
  const thrown = Thrown.safeParse(error).data
  if (!thrown) return null
  return {
    status: thrown.$metadata.httpStatusCode,
    code: thrown.name,
    words: thrown.message,
    retryAfter: thrown.$response?.headers?.['retry-after'] ?? null,
  }
}
