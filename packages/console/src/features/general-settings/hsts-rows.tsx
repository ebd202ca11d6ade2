import { Hsts, type DomainSettings } from '@fairway/contract'
import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './screen.module.css'
import { SettingRow } from './setting-row.tsx'

type Wanted = Pick<DomainSettings, 'hsts' | 'hstsSeconds'>

/** Browsers refuse to ship with less than a year. */
const PRELOAD_SECONDS = 31_536_000
const SECONDS = [300, 86_400, 2_592_000, 15_552_000, 31_536_000, 63_072_000]

/** Strict transport security: for which names, and for how long browsers keep to it. */
export function HstsRows({
  value,
  mayEdit,
  onChange,
}: {
  value: Wanted
  mayEdit: boolean
  onChange: (change: Partial<Wanted>) => void
}) {
  const { t } = useTranslation('general-settings')
  const holds = value.hsts !== 'off' && value.hsts !== 'forget'
  const isWide = value.hsts === 'subdomains' || value.hsts === 'preload'
  const seconds = SECONDS.filter((one) => value.hsts !== 'preload' || one >= PRELOAD_SECONDS)
  return (
    <>
      <SettingRow name={t('field.hsts')} why={isWide ? t('why.hstsWide') : t('why.hsts')}>
        <Select
          className={classes.choice}
          aria-label={t('field.hsts')}
          value={value.hsts}
          disabled={!mayEdit}
          allowDeselect={false}
          data={Hsts.options.map((one) => ({ value: one, label: t(`hsts.${one}`) }))}
          onChange={(chosen) => {
            const hsts = Hsts.options.find((one) => one === chosen)
            if (hsts === undefined) return
            onChange(
              hsts === 'preload' && value.hstsSeconds < PRELOAD_SECONDS
                ? { hsts, hstsSeconds: PRELOAD_SECONDS }
                : { hsts },
            )
          }}
        />
      </SettingRow>
      {holds && (
        <SettingRow name={t('field.hstsSeconds')} why={t('why.hstsSeconds')}>
          <Select
            className={classes.choice}
            aria-label={t('field.hstsSeconds')}
            value={String(value.hstsSeconds)}
            disabled={!mayEdit}
            allowDeselect={false}
            data={[...new Set([...seconds, value.hstsSeconds])].map((one) => ({
              value: String(one),
              label: t(`hstsSeconds.${one}`, { defaultValue: `${one} s` }),
            }))}
            onChange={(chosen) => chosen !== null && onChange({ hstsSeconds: Number(chosen) })}
          />
        </SettingRow>
      )}
    </>
  )
}
