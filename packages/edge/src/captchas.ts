import crypto from 'node:crypto'
import fs from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { pictureCaptcha } from '@fairway/drivers/captcha'
import type { Log } from '@fairway/platform'

/** So many are drawn at a time: who has people solve all of them starts anew with the next. */
const PICTURES = 240
const DRAW_MS = 10 * 60_000

type Pool = { id: string; tasks: { svg: string; text: string }[] }

/** Draws the pictures that nginx asks people about, now and again: the ones before stay for pages that show them. */
export function drawCaptchas(file: string, log: Log): Disposable {
  let pools: Pool[] = []
  const over = new AbortController()
  const draw = async (): Promise<void> => {
    const pool: Pool = { id: crypto.randomBytes(6).toString('hex'), tasks: [] }
    while (pool.tasks.length < PICTURES && !over.signal.aborted) {
      const { shown, kept } = await pictureCaptcha.make()
      pool.tasks.push({ svg: shown.svg, text: String(kept['text']) })
      // Others have their turn between two pictures.
      await turn()
    }
    if (over.signal.aborted) return
    pools = [pool, ...pools].slice(0, 2)
    const draft = `${file}.${process.pid}`
    // Workers read it under an account of their own.
    fs.writeFileSync(draft, JSON.stringify(pools), { mode: 0o644 })
    fs.renameSync(draft, file)
  }
  const drawn = () => void draw().catch((error: unknown) => log.warn({ event: 'captchas.undrawn', err: error }))
  drawn()
  const timer = setInterval(drawn, DRAW_MS).unref()
  return {
    [Symbol.dispose]() {
      over.abort()
      clearInterval(timer)
    },
  }
}
