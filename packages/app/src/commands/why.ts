import { isIP } from 'node:net'
import { routingStrategies } from '@fairway/contract'
import { loadConfig } from '@fairway/platform'
import { ApiError, operatorApi } from '../api-client.ts'
import { UsageError, parseWords } from './options.ts'
import { explanationText } from './why-text.ts'

/** `why <name> --client <ip> [--json]`: the decision for that visitor now, with its trace. */
export async function why(words: string[]): Promise<number> {
  const { values, positionals } = parseWords(words, { client: { type: 'string' }, json: { type: 'boolean' } })
  const [name, ...more] = positionals
  if (name === undefined || more.length || values.client === undefined)
    throw new UsageError('say which name and which visitor: why <name> --client <ip>')
  if (!isIP(values.client))
    throw new UsageError(`"${values.client}" is not an IP address, as in: why ${name} --client 203.0.113.7`)
  try {
    const explanation = await operatorApi(loadConfig())(routingStrategies.routes.why, {
      name: name.toLowerCase().replace(/\.$/, ''),
      client: values.client,
    })
    process.stdout.write(values.json ? `${JSON.stringify(explanation, null, 2)}\n` : explanationText(explanation))
    return 0
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const sentence = error.code === 404 ? `${name} is not a name that multi-CDN steers here.` : error.message
    process.stderr.write(`fairway: ${sentence}\n`)
    return 1
  }
}
