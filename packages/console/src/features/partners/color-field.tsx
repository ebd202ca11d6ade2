import { brandContrast, nearestReadable } from '@fairway/domain'
import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './partners.module.css'

const HEX = /^#[0-9a-f]{6}$/i
const NEEDED = 4.5

type ColorFieldProps = { value: string; onChange: (color: string) => void; onBlur?: () => void; problem: string | null }

/**
 * A colour by hand or picker, with how well it can be read wherever it is painted, and the nearest that can when it
 * cannot.
 */
export function ColorField({ value, onChange, onBlur, problem }: ColorFieldProps) {
  const { t } = useTranslation('partners')
  const format = useFormat()
  const isColor = HEX.test(value)
  const contrast = isColor ? brandContrast(value.toLowerCase()) : null
  const suggestion = contrast && !contrast.readable ? nearestReadable(value.toLowerCase()) : null
  return (
    <div className={classes.fields}>
      <div className={classes.colorRow}>
        <TextInput
          label={t('field.brandColor')}
          value={value}
          error={problem}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: classes.mono }}
          onBlur={onBlur}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <input
          className={classes.picker}
          type="color"
          aria-label={t('pick')}
          value={isColor ? value.toLowerCase() : '#3a5bff'}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
      {contrast && (
        <div className={classes.contrast} role="group" aria-label={t('contrast.label')}>
          {(['onBrand', 'light', 'dark'] as const).map((key) => {
            const isEnough = contrast[key] >= NEEDED
            return [
              <span key={`${key} words`}>{t(`contrast.${key}`)}</span>,
              <span key={`${key} ratio`} className="num">
                {t('contrast.ratio', { ratio: format.number(contrast[key]) })}
              </span>,
              <Pill key={`${key} pill`} tone={isEnough ? 'ok' : 'bad'}>
                {t(isEnough ? 'contrast.enough' : 'contrast.low')}
              </Pill>,
            ]
          })}
          {suggestion !== null && (
            <Button
              className={classes.suggest}
              variant="default"
              size="xs"
              leftSection={
                <span
                  className={classes.swatch}
                  style={{ '--swatch': suggestion } as React.CSSProperties}
                  aria-hidden
                />
              }
              onClick={() => onChange(suggestion)}
            >
              {t('contrast.use', { color: suggestion })}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
