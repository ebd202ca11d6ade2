import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '../../ui/keys/shortcuts.ts'
import { hrefOf, navEntries } from '../nav/navigation.ts'
import { useAccount } from '../access/session.ts'
import { useNavigation } from '../nav/use-navigation.ts'

const GO_KEYS = ['h', 'd', 'm', 'a', 's'] as const

/** `g` then a letter goes to a screen; `?` explains. */
export function useShellShortcuts(openHelp: () => void): void {
  const { t } = useTranslation('shell')
  const user = useAccount()
  const { site, domain } = useParams({ strict: false })
  const navigate = useNavigate()
  const byKey = new Map(navEntries(useNavigation()).map(({ entry }) => [entry.goKey, entry]))
  const go = (key: string) => {
    const entry = byKey.get(key)
    if (entry) void navigate({ to: hrefOf(entry, user, { site, domain }) })
  }
  const label = (key: string) => {
    const entry = byKey.get(key)
    return entry ? t('shortcuts.goTo', { page: t(`nav.${entry.key}`) }) : ''
  }
  const [h, d, m, a, s] = GO_KEYS
  useShortcut(`g ${h}`, label(h), () => go(h), byKey.has(h))
  useShortcut(`g ${d}`, label(d), () => go(d), byKey.has(d))
  useShortcut(`g ${m}`, label(m), () => go(m), byKey.has(m))
  useShortcut(`g ${a}`, label(a), () => go(a), byKey.has(a))
  useShortcut(`g ${s}`, label(s), () => go(s), byKey.has(s))
  useShortcut('?', t('shortcuts.help'), openHelp)
}
