import type { MailTemplates } from '../mail/templates.ts'

/** One of each letter, filled as in real life; tests and pictures are made of them. */
export const SAMPLE_LETTERS: MailTemplates = {
  'verify-email': { firstName: 'Ann', link: '/verify-email?token=abc', hours: 24 },
  'account-exists': { firstName: 'Ann', link: '/login', resetLink: '/reset-password?token=abc' },
  'email-change': { firstName: 'Ann', code: '482913', minutes: 30 },
  'reset-password': { firstName: 'Ann', link: '/reset-password?token=abc', minutes: 60 },
  'password-changed': { firstName: 'Ann', at: '2026-03-07T09:30:00.000Z', ip: '203.0.113.9' },
  'mfa-changed': { firstName: 'Ann', on: true, at: '2026-03-07T09:30:00.000Z', ip: '203.0.113.9' },
  enquiry: {
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    company: 'Engines',
    message: 'What would it cost?',
    page: '/mvp/cost-reduction',
  },
  'invite-elsewhere': {
    inviter: 'Robin Example',
    organization: 'Aurora News',
    link: '/verify-invite-email?token=abc',
    days: 7,
  },
  invite: { inviter: 'Robin Example', organization: 'Aurora News', link: '/verify-invite-email?token=abc', days: 7 },
  notification: {
    title: 'Polaris is down',
    text: 'DNS answers no longer name Polaris; visitors are sent to your other CDNs until it is back.',
    level: 'critical',
    link: '/aurora-news.test/home',
    cause: '2 of 3 nodes: connection refused',
    change: 'Origin of www changed (aurora-news.test, robin@example.com)',
  },
  'ticket-answered': {
    ticket: '10042',
    subject: 'My site is locked',
    answer: 'It is open again.\nWe are sorry.',
    link: '/support?open=1',
  },
  invoice: {
    firstName: 'Ann',
    number: '2026-0042',
    amount: 'USD 120.00',
    dueOn: '2026-04-01T00:00:00.000Z',
    link: '/account/billing/invoice',
  },
  'payment-failed': {
    firstName: 'Ann',
    amount: 'USD 120.00',
    reason: 'insufficient funds',
    link: '/account/billing/payment',
  },
  'spending-cap': { firstName: 'Ann', cap: 'USD 200.00', spent: 'USD 180.00', link: '/account/billing/plan' },
}
