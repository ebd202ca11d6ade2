import crypto from 'node:crypto'
import { type WiredCheck, jsonText, judgeByStatus } from '../credential-check.ts'
import { signEdgeGrid } from './sign-edge-grid.ts'

/** The API client tells of itself; every client may ask for that. */
export const akamaiCredentials: WiredCheck = {
  base: (values) => `https://${values['host']}`,
  request: ({ values, base, now }) => {
    const url = new URL('/identity-management/v3/api-clients/self', base)
    const client = {
      host: values['host'] ?? '',
      clientToken: values['clientToken'] ?? '',
      accessToken: values['accessToken'] ?? '',
      clientSecret: values['clientSecret'] ?? '',
    }
    const authorization = signEdgeGrid({
      ...client,
      method: 'GET',
      path: url.pathname,
      body: '',
      now,
      nonce: crypto.randomUUID(),
    })
    return { url: url.href, method: 'GET', headers: { authorization, accept: 'application/json' } }
  },
  judge: judgeByStatus((text) => jsonText(text, 'detail') ?? jsonText(text, 'title')),
}
