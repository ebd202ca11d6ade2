import { MEMBERS_PASSWORD } from '../origin/members.ts'
import type { Asked } from './asked.ts'

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0',
]
const MEMBER_PAGES = [
  '/',
  '/account',
  '/stories/night-train/',
  '/stories/deep-ice/',
  '/style.css',
  '/search?q=ice+core',
]

/** What a browser says of itself with every request. */
export function browserHeaders(random: () => number): Record<string, string> {
  return {
    'user-agent': pick(AGENTS, random),
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-language': 'en-US,en;q=0.8',
    'accept-encoding': 'gzip, br',
  }
}

/** A member of the newspaper: reads, searches, and signs in now and then; sometimes with a wrong password. */
export function memberAsks(random: () => number): Asked {
  const headers = browserHeaders(random)
  if (random() < 0.9) return { method: 'GET', path: pick(MEMBER_PAGES, random), headers }
  const name = `reader${Math.floor(random() * 500)}@mailer.example`
  return login(headers, name, random() < 0.9 ? MEMBERS_PASSWORD : 'Summer2024')
}

export function login(headers: Record<string, string>, email: string, password: string): Asked {
  const body = new URLSearchParams({ email, password }).toString()
  return {
    method: 'POST',
    path: '/login',
    headers: {
      ...headers,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(Buffer.byteLength(body)),
    },
    body,
  }
}

export const pick = <Value>(of: readonly [Value, ...Value[]] | readonly Value[], random: () => number): Value => {
  const found = of[Math.floor(random() * of.length)]
  if (found === undefined) throw new Error('nothing to choose from')
  return found
}
