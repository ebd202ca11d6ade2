import { ConfigError } from '@fairway/platform/config'
import { COMMANDS } from './commands/commands.ts'
import { UsageError } from './commands/options.ts'
import { explainFailure } from './supervisor/explain-failure.ts'

/** Runs one command; `./fairway` hands over its words as they were typed. */
async function main([name = 'help', ...words]: string[]): Promise<number> {
  const command = COMMANDS[name]
  if (!command) throw new UsageError(`there is no command "${name}". Try: ./fairway help`)
  return (await command())(words)
}

main(process.argv.slice(2)).then(
  (code) => {
    // Not process.exit: what is still being written to a pipe would be cut.
    process.exitCode = code
  },
  (error: unknown) => {
    const usage = error instanceof UsageError || error instanceof ConfigError
    const sentence = usage ? error.message : explainFailure(error)
    process.stderr.write(`fairway: ${sentence ?? (error instanceof Error ? error.stack : String(error))}\n`)
    process.exitCode = usage ? 2 : 1
  },
)
