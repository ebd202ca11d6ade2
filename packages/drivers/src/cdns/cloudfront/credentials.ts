import { type CredentialCheck, judgeByStatus, xmlText } from '../credential-check.ts'
import { signV4 } from '../../aws/sign-v4.ts'

/**
 * One distribution of the list: needs the very permission that the driver starts with. CloudFront is signed for
 * us-east-1 wherever one is.
 */
export const cloudfrontCredentials: CredentialCheck = {
  base: () => 'https://cloudfront.amazonaws.com',
  request: ({ values, base, now }) => {
    const url = new URL('/2020-05-31/distribution?MaxItems=1', base)
    const headers = signV4({
      method: 'GET',
      url,
      body: '',
      region: 'us-east-1',
      service: 'cloudfront',
      accessKeyId: values['accessKeyId'] ?? '',
      secret: values['secret'] ?? '',
      now,
    })
    return { url: url.href, method: 'GET', headers }
  },
  judge: (status, text) => {
    const judged = judgeByStatus((answer) => xmlText(answer, 'Message'))(status, text)
    // AWS answers 403 to unknown keys, wrong secrets and missing permissions alike; the code tells them apart.
    return status === 403 &&
      /InvalidClientTokenId|SignatureDoesNotMatch|UnrecognizedClient|InvalidSignature/.test(xmlText(text, 'Code') ?? '')
      ? { ...judged, problem: 'refused' }
      : judged
  },
}
