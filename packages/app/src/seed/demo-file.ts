import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { Problem } from '@fairway/platform'

/** `<home>/demo.json`: how to reach and sign in to the demo world. */
export const DemoFile = z.object({
  url: z.string(),
  email: z.string(),
  password: z.string(),
  site: z.string(),
  domain: z.string(),
  dns: z.string(),
  edge: z.string(),
  cdns: z.array(z.object({ name: z.string(), cname: z.string() })),
})
export type DemoFile = z.infer<typeof DemoFile>

const place = (config: { home: string }) => path.join(config.home, 'demo.json')

/** The demo world's file, or null when there is none yet. @throws Problem when it is damaged. */
export function readDemo(config: { home: string }): DemoFile | null {
  if (!fs.existsSync(place(config))) return null
  try {
    return DemoFile.parse(JSON.parse(fs.readFileSync(place(config), 'utf8')))
  } catch (error) {
    throw new Problem(
      `${place(config)} is damaged. Remove it and start ./fairway demo again: it is written anew, and what is missing of the demo world is made again.`,
      { cause: error },
    )
  }
}

/** Written last, whole: with it there, the world is complete. */
export function writeDemo(config: { home: string }, demo: DemoFile): void {
  fs.writeFileSync(`${place(config)}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  fs.renameSync(`${place(config)}.new`, place(config))
}
