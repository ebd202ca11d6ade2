import type { MailDriver } from './mail.ts'
import { openOutbox } from './outbox.ts'
import { openSmtp } from './smtp.ts'

/** The mail server of the settings; without one, the outbox in `folder`. */
export const openMail = ({ smtpUrl, folder }: { smtpUrl: string; folder: string }): MailDriver =>
  smtpUrl ? openSmtp(smtpUrl) : openOutbox(folder)
