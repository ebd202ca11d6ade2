import { FORM_BOUNDARY, hexOf, TRIAL_CARRIERS, trialSample, type TrialSample } from '@fairway/domain'

export { hexOf }

/** A request as it is sent, byte by byte. */
export type Sample = Omit<TrialSample, 'body'> & { body: Buffer }

const inBytes = (one: TrialSample): Sample => ({ ...one, body: Buffer.from(one.body, 'utf8') })

/** The ways in which a value comes to a website, in bytes. */
export const CARRIERS: Record<string, (category: string, value: string, n: number) => Sample> = Object.fromEntries(
  Object.entries(TRIAL_CARRIERS).map(([way, carry]) => [
    way,
    (category: string, value: string, n: number) => inBytes(carry(category, value, n)),
  ]),
)

/** A file that is sent with a form. */
export function upload(category: string, name: string, type: string, bytes: Buffer, n: number): Sample {
  const head = `--${FORM_BOUNDARY}\r\nContent-Disposition: form-data; name="title"\r\n\r\nUpload ${n}\r\n--${FORM_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  return {
    ...sample(category, 'POST', `/files/${n}`, '', {
      'content-type': `multipart/form-data; boundary=${FORM_BOUNDARY}`,
    }),
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${FORM_BOUNDARY}--\r\n`)]),
  }
}

export const sample = (...said: Parameters<typeof trialSample>): Sample => inBytes(trialSample(...said))
