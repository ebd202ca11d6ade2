import type { Locale } from '@fairway/contract'
import { en as accountExistsEn } from './account-exists/en.ts'
import { zhHans as accountExistsZhHans } from './account-exists/zh-hans.ts'
import { zhHant as accountExistsZhHant } from './account-exists/zh-hant.ts'
import { en as addressChangedEn } from './address-changed/en.ts'
import { zhHans as addressChangedZhHans } from './address-changed/zh-hans.ts'
import { zhHant as addressChangedZhHant } from './address-changed/zh-hant.ts'
import { en as emailChangeEn } from './email-change/en.ts'
import { zhHans as emailChangeZhHans } from './email-change/zh-hans.ts'
import { zhHant as emailChangeZhHant } from './email-change/zh-hant.ts'
import { en as enquiryEn } from './enquiry/en.ts'
import { zhHans as enquiryZhHans } from './enquiry/zh-hans.ts'
import { zhHant as enquiryZhHant } from './enquiry/zh-hant.ts'
import { en as inviteElsewhereEn } from './invite-elsewhere/en.ts'
import { zhHans as inviteElsewhereZhHans } from './invite-elsewhere/zh-hans.ts'
import { zhHant as inviteElsewhereZhHant } from './invite-elsewhere/zh-hant.ts'
import { en as inviteEn } from './invite/en.ts'
import { zhHans as inviteZhHans } from './invite/zh-hans.ts'
import { zhHant as inviteZhHant } from './invite/zh-hant.ts'
import { en as invoiceEn } from './invoice/en.ts'
import { zhHans as invoiceZhHans } from './invoice/zh-hans.ts'
import { zhHant as invoiceZhHant } from './invoice/zh-hant.ts'
import type { LetterWriter } from './letter-text.ts'
import { en as mfaChangedEn } from './mfa-changed/en.ts'
import { zhHans as mfaChangedZhHans } from './mfa-changed/zh-hans.ts'
import { zhHant as mfaChangedZhHant } from './mfa-changed/zh-hant.ts'
import { en as notificationEn } from './notification/en.ts'
import { zhHans as notificationZhHans } from './notification/zh-hans.ts'
import { zhHant as notificationZhHant } from './notification/zh-hant.ts'
import { en as passwordChangedEn } from './password-changed/en.ts'
import { zhHans as passwordChangedZhHans } from './password-changed/zh-hans.ts'
import { zhHant as passwordChangedZhHant } from './password-changed/zh-hant.ts'
import { en as paymentFailedEn } from './payment-failed/en.ts'
import { zhHans as paymentFailedZhHans } from './payment-failed/zh-hans.ts'
import { zhHant as paymentFailedZhHant } from './payment-failed/zh-hant.ts'
import { en as resetPasswordEn } from './reset-password/en.ts'
import { zhHans as resetPasswordZhHans } from './reset-password/zh-hans.ts'
import { zhHant as resetPasswordZhHant } from './reset-password/zh-hant.ts'
import { en as signInAddedEn } from './sign-in-added/en.ts'
import { zhHans as signInAddedZhHans } from './sign-in-added/zh-hans.ts'
import { zhHant as signInAddedZhHant } from './sign-in-added/zh-hant.ts'
import { en as spendingCapEn } from './spending-cap/en.ts'
import { zhHans as spendingCapZhHans } from './spending-cap/zh-hans.ts'
import { zhHant as spendingCapZhHant } from './spending-cap/zh-hant.ts'
import { en as verifyEmailEn } from './verify-email/en.ts'
import { zhHans as verifyEmailZhHans } from './verify-email/zh-hans.ts'
import { zhHant as verifyEmailZhHant } from './verify-email/zh-hant.ts'
import { en as weeklyReportEn } from './weekly-report/en.ts'
import { zhHans as weeklyReportZhHans } from './weekly-report/zh-hans.ts'
import { zhHant as weeklyReportZhHant } from './weekly-report/zh-hant.ts'
import { en as ticketAnsweredEn } from './ticket-answered/en.ts'
import { zhHans as ticketAnsweredZhHans } from './ticket-answered/zh-hans.ts'
import { zhHant as ticketAnsweredZhHant } from './ticket-answered/zh-hant.ts'
import type { MailTemplates } from './templates.ts'

/** Who writes each letter in each language; a missing one does not compile. */
export const WRITERS: { [T in keyof MailTemplates]: Record<Locale, LetterWriter<T>> } = {
  'account-exists': { en: accountExistsEn, zhHant: accountExistsZhHant, zhHans: accountExistsZhHans },
  'address-changed': { en: addressChangedEn, zhHant: addressChangedZhHant, zhHans: addressChangedZhHans },
  'email-change': { en: emailChangeEn, zhHant: emailChangeZhHant, zhHans: emailChangeZhHans },
  enquiry: { en: enquiryEn, zhHant: enquiryZhHant, zhHans: enquiryZhHans },
  invite: { en: inviteEn, zhHant: inviteZhHant, zhHans: inviteZhHans },
  'invite-elsewhere': { en: inviteElsewhereEn, zhHant: inviteElsewhereZhHant, zhHans: inviteElsewhereZhHans },
  invoice: { en: invoiceEn, zhHant: invoiceZhHant, zhHans: invoiceZhHans },
  'mfa-changed': { en: mfaChangedEn, zhHant: mfaChangedZhHant, zhHans: mfaChangedZhHans },
  notification: { en: notificationEn, zhHant: notificationZhHant, zhHans: notificationZhHans },
  'password-changed': { en: passwordChangedEn, zhHant: passwordChangedZhHant, zhHans: passwordChangedZhHans },
  'payment-failed': { en: paymentFailedEn, zhHant: paymentFailedZhHant, zhHans: paymentFailedZhHans },
  'reset-password': { en: resetPasswordEn, zhHant: resetPasswordZhHant, zhHans: resetPasswordZhHans },
  'sign-in-added': { en: signInAddedEn, zhHant: signInAddedZhHant, zhHans: signInAddedZhHans },
  'spending-cap': { en: spendingCapEn, zhHant: spendingCapZhHant, zhHans: spendingCapZhHans },
  'ticket-answered': { en: ticketAnsweredEn, zhHant: ticketAnsweredZhHant, zhHans: ticketAnsweredZhHans },
  'verify-email': { en: verifyEmailEn, zhHant: verifyEmailZhHant, zhHans: verifyEmailZhHans },
  'weekly-report': { en: weeklyReportEn, zhHant: weeklyReportZhHant, zhHans: weeklyReportZhHans },
}
