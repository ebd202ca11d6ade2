import crypto from 'node:crypto'
import svgCaptcha from 'svg-captcha'
import type { CaptchaDriver } from './captcha.ts'

// Pairs that look alike when they are bent are left out.
const IGNORED = '0oO1iIlLjJ5sS2zZ8BuUvVcCkKwWxXpPqQ9g6yY'

/** Four bent characters as an SVG document; upper and lower case are the same. */
export const pictureCaptcha: CaptchaDriver<{ svg: string }, string> = {
  async make() {
    const { data, text } = svgCaptcha.create({
      size: 4,
      ignoreChars: IGNORED,
      noise: 2,
      color: true,
      background: '#f1f3f6',
      width: 132,
      // Room below the line for what the bending pushes there.
      height: 48,
      fontSize: 52,
    })
    return { shown: { svg: data }, kept: { text: text.toLowerCase() } }
  },
  async judge(kept, answer) {
    const { text } = kept
    if (typeof text !== 'string') return false
    const [wanted, given] = [text, answer.trim().toLowerCase()].map((one) =>
      crypto.createHash('sha256').update(one).digest(),
    )
    return wanted !== undefined && given !== undefined && crypto.timingSafeEqual(wanted, given)
  },
}
