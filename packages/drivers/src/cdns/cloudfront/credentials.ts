import { awsRefusal } from '../../aws/aws-refusal.ts'
import { awsSettings } from '../../aws/aws-settings.ts'
import { type CredentialCheck, judgeStatus } from '../credential-check.ts'
import { CLOUDFRONT_REGION } from './cloudfront-client.ts'

// AWS answers 403 to unknown keys, wrong secrets and missing permissions alike; the code tells them apart.
const UNKNOWN_KEY = /InvalidClientTokenId|SignatureDoesNotMatch|UnrecognizedClient|InvalidSignature/

/** One distribution of the list: needs the very permission that the driver starts with. */
export const cloudfrontCredentials: CredentialCheck = {
  async ask({ values, url, patienceMs }) {
    const sdk = await import('@aws-sdk/client-cloudfront')
    const client = new sdk.CloudFrontClient(
      awsSettings({
        accessKeyId: values['accessKeyId'] ?? '',
        secret: values['secret'] ?? '',
        url,
        region: CLOUDFRONT_REGION,
        patienceMs,
      }),
    )
    try {
      await client.send(new sdk.ListDistributionsCommand({ MaxItems: 1 }))
      return { problem: null, detail: null }
    } catch (error) {
      const refusal = awsRefusal(error)
      if (!refusal) throw error
      const judged = judgeStatus(refusal.status, refusal.words)
      return refusal.status === 403 && UNKNOWN_KEY.test(refusal.code) ? { ...judged, problem: 'refused' } : judged
    }
  },
}
