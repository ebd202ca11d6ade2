import { type WiredCheck, jsonText, judgeByStatus } from '../credential-check.ts'
import { signTc3 } from './sign-tc3.ts'

const judge = judgeByStatus((text) => jsonText(text, 'Response', 'Error', 'Message'))

/** One domain of the list. Tencent answers 200 to everything; the error is in the body. */
export const tencentCredentials: WiredCheck = {
  base: () => 'https://cdn.tencentcloudapi.com',
  request: ({ values, base, now }) => {
    const url = new URL('/', base)
    const body = '{"Limit":1}'
    const seconds = Math.floor(now.getTime() / 1000)
    const authorization = signTc3({
      host: url.host,
      service: 'cdn',
      body,
      secretId: values['secretId'] ?? '',
      secretKey: values['secretKey'] ?? '',
      seconds,
    })
    return {
      url: url.href,
      method: 'POST',
      body,
      headers: {
        authorization,
        'content-type': 'application/json; charset=utf-8',
        'x-tc-action': 'DescribeDomains',
        'x-tc-version': '2018-06-06',
        'x-tc-timestamp': String(seconds),
      },
    }
  },
  judge: (status, text) => {
    const code = jsonText(text, 'Response', 'Error', 'Code')
    if (status !== 200 || code === null) return judge(status, text)
    const problem = code.startsWith('AuthFailure')
      ? 'refused'
      : code.startsWith('UnauthorizedOperation')
        ? 'forbidden'
        : code.startsWith('RequestLimitExceeded')
          ? 'rateLimited'
          : code.startsWith('InternalError')
            ? 'vendorFailed'
            : 'unexpected'
    return { problem, detail: [code, jsonText(text, 'Response', 'Error', 'Message')].filter(Boolean).join(' ') }
  },
}
