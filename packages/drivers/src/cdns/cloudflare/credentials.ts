import { type WiredCheck, jsonText, judgeByStatus } from '../credential-check.ts'

const judge = judgeByStatus((text) => jsonText(text, 'errors', 0, 'message'))

/** Verify token: free of cost, and allowed to every token whatever its scopes. An unknown one is answered with 400. */
export const cloudflareCredentials: WiredCheck = {
  base: () => 'https://api.cloudflare.com',
  request: ({ values, base }) => ({
    url: `${base}/client/v4/user/tokens/verify`,
    method: 'GET',
    headers: { authorization: `Bearer ${values['token']}`, accept: 'application/json' },
  }),
  judge: (status, text) => {
    if (status === 400) return { problem: 'refused', detail: judge(status, text).detail }
    const state = jsonText(text, 'result', 'status')
    if (status === 200 && state !== 'active')
      return { problem: 'refused', detail: state === null ? null : `the token is ${state}` }
    return judge(status, text)
  },
}
