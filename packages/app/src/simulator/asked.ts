import http from 'node:http'
import { VISITORS_ADDRESS } from './visitors-address.ts'

/** What somebody asks of a website. */
export type Asked = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string }

/** Status of the answer, or null when none came. */
export function send(agent: http.Agent, options: http.RequestOptions, body?: string): Promise<number | null> {
  return new Promise((resolve) => {
    const request = http.request({ agent, timeout: 10_000, localAddress: VISITORS_ADDRESS, ...options }, (response) => {
      response
        .on('end', () => resolve(response.statusCode ?? null))
        .on('error', () => resolve(null))
        .resume()
    })
    request
      .on('timeout', () => request.destroy())
      .on('error', () => resolve(null))
      .end(body)
  })
}
