/** What a person typed, by HubSpot's names of contact properties. */
export type FormAnswers = { email: string; firstname: string; lastname: string; company: string; message: string }

export class FormAway extends Error {}

const PATIENCE_MS = 8_000
/** HubSpot's number for contacts. */
const CONTACT = '0-1'

/**
 * Submits a form of HubSpot's Forms API (v3, `/submissions/v3/integration/submit/<portal>/<form>`). @throws FormAway
 * when it was not taken
 */
export async function submitForm(url: string, answers: FormAnswers, pageUri: string): Promise<void> {
  const fields = Object.entries(answers)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({ objectTypeId: CONTACT, name, value }))
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fields, context: { pageUri } }),
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error: unknown) => {
    throw new FormAway(`the marketing form does not answer: ${error instanceof Error ? error.message : String(error)}`)
  })
  if (!response.ok)
    throw new FormAway(`the marketing form answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
  await response.arrayBuffer()
}
