import { ActionIcon, Menu } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { currentLocale } from '../../i18n/i18n.ts'
import { LANGUAGE_NAME, LANGUAGE_TAG, LOCALES } from '../../i18n/locale.ts'
import { useSwitchLanguage } from './use-switch-language.ts'

/** Switches the language at once; when signed in, the account keeps it too. */
export function LanguageMenu({ signedIn = true }: { signedIn?: boolean }) {
  const { t } = useTranslation('shell')
  const current = currentLocale()
  const switchLanguage = useSwitchLanguage(signedIn)
  return (
    <Menu position="bottom-end" width={168}>
      <Menu.Target>
        <ActionIcon size={32} aria-label={t('language')}>
          <IconLanguage size={17} stroke={1.65} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {LOCALES.map((locale) => (
          <Menu.RadioItem
            key={locale}
            value={locale}
            checked={locale === current}
            lang={LANGUAGE_TAG[locale]}
            onChange={() => void switchLanguage(locale)}
          >
            {LANGUAGE_NAME[locale]}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
