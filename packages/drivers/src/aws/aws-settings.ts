const PATIENCE_MS = 20_000

export type AwsAccess = {
  accessKeyId: string
  secret: string
  /** Where the service is, when a setting says so; else AWS's own address. */ url?: string | undefined
  region: string
  patienceMs?: number
}

/**
 * What every client of the AWS SDK is opened with: our key and no other of this machine, one try (callers have their
 * own patience, and no call is told twice), a bounded wait, and no connection that outlives its call.
 */
export function awsSettings({ accessKeyId, secret, url, region, patienceMs = PATIENCE_MS }: AwsAccess) {
  return {
    region,
    credentials: { accessKeyId, secretAccessKey: secret },
    maxAttempts: 1,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    requestHandler: {
      connectionTimeout: patienceMs,
      requestTimeout: patienceMs,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: false },
      httpsAgent: { keepAlive: false },
    },
    ...(url === undefined ? {} : { endpoint: url }),
  }
}
