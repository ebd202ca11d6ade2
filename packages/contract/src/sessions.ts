import { z } from 'zod'
import { del, feature, get, post } from './route.ts'

export const Session = z.object({
  id: z.string(),
  isCurrent: z.boolean(),
  /** The client's own description of itself (User-Agent); null when it gave none. */
  agent: z.string().nullable(),
  ip: z.string().nullable(),
  /** Who looked on as this user in it. */
  impostor: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type Session = z.infer<typeof Session>

export const sessions = feature('sessions', {
  list: get('/account/v2/sessions/', {
    out: z.object({ data: z.array(Session) }),
    inSession: true,
    permission: 'signed-in',
    errors: [],
  }),
  remove: del('/account/v2/sessions/{id}/', {
    out: z.object({ id: z.string() }),
    personal: true,
    permission: 'signed-in',
    errors: [],
    audit: 'session.end',
    changes: [],
  }),
  removeOthers: post('/account/v2/sessions/sign-out-everywhere/', {
    out: z.object({ ended: z.int() }),
    personal: true,
    permission: 'signed-in',
    errors: [],
    audit: 'session.end-others',
    changes: [],
    summary: 'Ends every other session of the user.',
  }),
})
