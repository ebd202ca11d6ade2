import { type WiredCheck, jsonText, judgeByStatus } from '../credential-check.ts'

/** One pull zone, without its traffic: there is no cheaper call that needs the account's key. */
export const bunnyCredentials: WiredCheck = {
  base: () => 'https://api.bunny.net',
  request: ({ values, base }) => ({
    url: `${base}/pullzone?page=1&perPage=5&includeCertificate=false`,
    method: 'GET',
    headers: { accesskey: values['token'] ?? '', accept: 'application/json' },
  }),
  judge: judgeByStatus((text) => jsonText(text, 'Message')),
}
