/** Every letter and what it is filled with. Links are whole addresses under the partner's own host name. */
export type MailTemplates = {
  /** No name is written to an address that nobody has proven; a process of before still asks for it. */
  'verify-email': { firstName: string; link: string; hours: number }
  /** To the owner of an address that somebody signs up with again. */
  'account-exists': { firstName: string; link: string; resetLink: string }
  /** The code that proves a new address; no name is written here either. */
  'email-change': { firstName: string; code: string; minutes: number }
  'reset-password': { firstName: string; link: string; minutes: number }
  'password-changed': { firstName: string; at: string; ip: string }
  'address-changed': { firstName: string; from: string; to: string; at: string; ip: string }
  /** `name` is the passkey's, or the address of the Google account. */
  'sign-in-added': { firstName: string; way: 'passkey' | 'google'; name: string; at: string; ip: string }
  'mfa-changed': { firstName: string; on: boolean; at: string; ip: string }
  /** To somebody who has an account in another organisation and cannot join with the same address. */
  'invite-elsewhere': { inviter: string; organization: string; link: string; days: number }
  invite: { inviter: string; organization: string; link: string; days: number }
  /** To those who sell, from somebody who is no customer yet. */
  enquiry: { email: string; name: string; company: string; message: string; page: string }
  /** To whoever asked. `answer` is what the support wrote. */
  'ticket-answered': { ticket: string; subject: string; answer: string; link: string }
  notification: {
    title: string
    text: string
    level: string
    link: string
    cause: string | null
    change: string | null
    /** Notifications before it of which no letter was written, for there were too many. */
    leftOut?: number
  }
  /** Of a whole week, Monday to Sunday. Without CDNs nothing was measured. Percents are 0–100, unrounded. */
  'weekly-report': {
    firstName: string
    /** First and last day, `2026-03-02`. */
    from: string
    until: string
    cdns: {
      name: string
      /** By visitors, or by probes where no visitor measured it. */
      source: 'rum' | 'sum'
      samples: number
      availability: number
      availabilityInterval: [number, number]
      latency: { medianMs: number; interval: [number, number] } | null
      /** Of the week before; null when nothing was measured then. */
      before: { availability: number; medianMs: number | null } | null
    }[]
    outages: {
      cdn: string
      at: string
      /** Null while it lasts. */
      seconds: number | null
      /** Its share of the DNS answers before and meanwhile, and who took over; null where that is not known. */
      steered: { before: number; during: number; by: { cdn: string; percent: number }[] } | null
    }[]
    moreOutages: number
    changes: { title: string; site: string; author: string }[]
    moreChanges: number
    link: string
  }
  invoice: { firstName: string; number: string; amount: string; dueOn: string; link: string }
  /** `stopsOn` is the day on which the edge stops, of an account that is locked. */
  'payment-failed': { firstName: string; amount: string; reason: string; stopsOn: string | null; link: string }
  'spending-cap': { firstName: string; cap: string; spent: string; link: string }
}
