import { TriedRequest } from '@fairway/contract'
import type { z } from 'zod'

/** A request as it is typed in: headers as lines. */
export type RequestDraft = {
  method: string
  address: string
  scheme: 'http' | 'https'
  target: string
  headers: string
  body: string
  bodyForm: 'text' | 'base64'
  cleared: boolean
}

/** An ordinary browser's first page. */
export const NEW_REQUEST: RequestDraft = {
  method: 'GET',
  address: '203.0.113.9',
  scheme: 'https',
  target: '/',
  headers: [
    'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Accept: text/html,application/xhtml+xml',
    'Accept-Language: en',
    'Accept-Encoding: gzip, br',
  ].join('\n'),
  body: '',
  bodyForm: 'text',
  cleared: false,
}

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** The request that the API is given; undefined while it is none. */
export function requestOf({ headers, ...draft }: RequestDraft): z.input<typeof TriedRequest> | undefined {
  const request = {
    ...draft,
    address: draft.address.trim(),
    headers: headers.split('\n').flatMap((line) => {
      const colon = line.indexOf(':')
      return colon > 0 ? [{ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }] : []
    }),
  }
  return TriedRequest.safeParse(request).success ? request : undefined
}
