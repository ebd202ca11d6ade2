import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'

const SECONDS = new Set(['cacheDefault', 'keepalive'])

/** Names and values of settings as the table of CDNs says them; rules carry their path behind a blank. */
export function useSettingWords() {
  const { t } = useTranslation('delivery')
  const format = useFormat()
  return {
    nameOf: (setting: string): string => {
      const [key = '', path] = split(setting)
      return path === undefined ? t(`setting.${key}`) : t(`setting.${key}`, { path })
    },
    valueOf: (setting: string, value: string): string => {
      const [key = ''] = split(setting)
      if (SECONDS.has(key) || key === 'cacheRule') return lifetime(Number(value))
      return t(`value.${value}`, { defaultValue: value })
    },
  }

  function lifetime(seconds: number): string {
    return seconds > 0 && seconds % 86_400 === 0 ? t('days', { count: seconds / 86_400 }) : format.seconds(seconds)
  }
}

function split(setting: string): [string, string?] {
  const at = setting.indexOf(' ')
  return at < 0 ? [setting] : [setting.slice(0, at), setting.slice(at + 1)]
}
