import { configExample } from '@fairway/platform'

/** `help settings`: every setting with its meaning and default. The page of commands is the launcher's own. */
export async function help(): Promise<number> {
  process.stdout.write(`# Settings: environment variables, or lines of <home>/fairway.conf\n\n${configExample()}`)
  return 0
}
