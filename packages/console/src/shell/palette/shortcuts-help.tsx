import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { activeShortcuts } from '../../ui/keys/shortcuts.ts'
import { PALETTE_KEYS } from './palette-store.ts'
import classes from './shortcuts-help.module.css'

/** What can be pressed on the page behind. */
export function ShortcutsHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell')
  return (
    <Dialog opened={opened} onClose={onClose} title={t('shortcuts.title')}>
      <dl className={classes.list}>
        {opened &&
          [{ keys: PALETTE_KEYS, label: t('shortcuts.palette') }, ...activeShortcuts()].map(({ keys, label }) => (
            <div className={classes.row} key={`${keys} ${label}`}>
              <dt>{label}</dt>
              <dd className={classes.keys}>
                {keys.split(' ').map((key) => (
                  <kbd className={classes.key} key={key}>
                    {key}
                  </kbd>
                ))}
              </dd>
            </div>
          ))}
      </dl>
    </Dialog>
  )
}
