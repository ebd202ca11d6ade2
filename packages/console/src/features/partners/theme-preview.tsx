import { inkOn } from '@fairway/domain'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './partners.module.css'

/** Both schemes' grounds, so that the preview shows what the viewer's own scheme does not. */
const SCENES = {
  light: {
    canvas: '#f7f8fa',
    surface: '#ffffff',
    text: '#0f131a',
    line: '#e6e9ee',
    link: 'color-mix(in oklab, var(--scene-brand) 86%, black)',
  },
  dark: {
    canvas: '#0b0d11',
    surface: '#11141a',
    text: '#eef1f6',
    line: '#222831',
    link: 'color-mix(in oklab, var(--scene-brand) 58%, white)',
  },
} as const
const HEX = /^#[0-9a-f]{6}$/i

type ThemePreviewProps = { name: string; color: string; logo?: string | undefined; white?: string | undefined }

/** The console in a partner's colours while they are being chosen, in light and dark. */
export function ThemePreview({ name, color, logo, white }: ThemePreviewProps) {
  const { t } = useTranslation('partners')
  const brand = HEX.test(color) ? color : '#657082'
  return (
    <div className={classes.preview}>
      {(['light', 'dark'] as const).map((scheme) => {
        const { canvas, surface, text, line, link } = SCENES[scheme]
        const picture = scheme === 'dark' ? (white ?? logo) : (logo ?? white)
        const style = {
          '--scene-brand': brand,
          '--scene-ink': inkOn(brand),
          '--scene-canvas': canvas,
          '--scene-surface': surface,
          '--scene-text': text,
          '--scene-line': line,
          '--scene-link': link,
        } as CSSProperties
        return (
          <div
            key={scheme}
            className={classes.scene}
            style={style}
            role="img"
            aria-label={t(`preview.${scheme}`, { name })}
          >
            <div className={classes.sceneBar} aria-hidden>
              {picture ? (
                <img src={picture} alt="" />
              ) : (
                <>
                  <span className={classes.sceneMark}>{[...name.trim()][0]?.toUpperCase()}</span>
                  <span className={classes.sceneName}>{name}</span>
                </>
              )}
            </div>
            <div className={classes.sceneBody} aria-hidden>
              <div className={classes.sceneRow}>
                <span className={classes.sceneButton}>{t('preview.button')}</span>
                <span className={classes.sceneSwitch} />
                <span className={classes.sceneLink}>{t('preview.link')}</span>
              </div>
            </div>
          </div>
        )
      })}
    </div>
  )
}
