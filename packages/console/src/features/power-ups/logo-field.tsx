import { CDN_LOGO_BYTES, CDN_LOGO_TYPES } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Notice } from '../../ui/page/notice.tsx'
import { Upload } from '../../ui/forms/upload.tsx'
import classes from './power-ups.module.css'

/** Undefined leaves the picture as it is, null takes it away. */
export type Logo = { base64: string; url: string } | null | undefined

type LogoFieldProps = {
  shown: string | null
  problem: string | null
  onChange: (logo: Logo) => void
  onProblem: (problem: string | null) => void
}

/** A picture of at most 20 KB, shown as it will be. What it really is, the API reads from its bytes. */
export function LogoField({ shown, problem, onChange, onProblem }: LogoFieldProps) {
  const { t } = useTranslation(['power-ups', 'errors'])
  const format = useFormat()
  const size = format.bytes(CDN_LOGO_BYTES)
  const take = async (file: File) => {
    if (file.size > CDN_LOGO_BYTES) return onProblem(t('power-ups:custom.logoTooLarge', { size }))
    const url = await dataUrlOf(file)
    onProblem(null)
    onChange({ url, base64: url.slice(url.indexOf(',') + 1) })
  }
  return (
    <div className={classes.logoField}>
      <div className={classes.logoHead}>
        <span className={classes.label}>{t('power-ups:custom.logo')}</span>
        {shown !== null && (
          <Button size="compact-xs" variant="subtle" color="red" onClick={() => onChange(null)}>
            {t('power-ups:custom.logoRemove')}
          </Button>
        )}
      </div>
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      <div className={classes.logoRow}>
        {shown !== null && (
          <span className={classes.mark} data-picture data-large>
            <img src={shown} alt={t('power-ups:custom.logo')} />
          </span>
        )}
        <Upload
          text={t('power-ups:custom.logoDrop', { size })}
          verb={t('power-ups:custom.logoChoose')}
          accept={CDN_LOGO_TYPES.join(',')}
          onFile={(file) => void take(file)}
        />
      </div>
    </div>
  )
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '')
    reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'))
    reader.readAsDataURL(file)
  })
}
