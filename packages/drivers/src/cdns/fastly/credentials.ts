import { type WiredCheck, jsonText, judgeByStatus } from '../credential-check.ts'

/** The token tells of itself. */
export const fastlyCredentials: WiredCheck = {
  base: () => 'https://api.fastly.com',
  request: ({ values, base }) => ({
    url: `${base}/tokens/self`,
    method: 'GET',
    headers: { 'fastly-key': values['token'] ?? '', accept: 'application/json' },
  }),
  judge: judgeByStatus((text) => jsonText(text, 'detail') ?? jsonText(text, 'msg')),
}
