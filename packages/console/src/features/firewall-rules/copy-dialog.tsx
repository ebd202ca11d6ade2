import { domains, firewallRules } from '@fairway/contract'
import type { FirewallRule } from '@fairway/contract'
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import classes from './editor.module.css'

type CopyDialogProps = { opened: boolean; onClose: () => void; place: Place; rule: FirewallRule | null }

/** Puts a rule at the end of other domains' lists. */
export function CopyDialog({ opened, onClose, place, rule }: CopyDialogProps) {
  const { t } = useTranslation(['firewall-rules', 'shell'])
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const [chosen, setChosen] = useState<string[]>([])
  const { data } = useRead(domains.routes.list, { site: place.site, page_size: -1 }, { enabled: opened })
  const others = (data?.data ?? []).filter(({ id }) => id !== place.domain)
  const copy = useChange(firewallRules.routes.copy, {
    subject: null,
    onDone: ({ data: { copied }, meta }) => {
      show('firewall-copy', { message: t('copied', { name: rule?.name ?? '', count: copied }), ...undo(meta.version) })
      onClose()
    },
  })
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('copyTitle', { name: rule?.name ?? '' })}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button
            loading={copy.isPending}
            disabled={chosen.length === 0}
            onClick={() => {
              if (rule) copy.mutate({ ...place, id: rule.id, domains: chosen })
            }}
          >
            {t('copyVerb')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        {copy.error && <FailureNotice title={t('notSaved')} error={copy.error} />}
        {data && others.length === 0 ? (
          <p className={classes.quiet}>{t('copyNone')}</p>
        ) : (
          <Checkbox.Group label={t('copyTo')} value={chosen} onChange={setChosen}>
            <div className={classes.group}>
              {others.map(({ id, name }) => (
                <Checkbox key={id} value={id} label={name} />
              ))}
            </div>
          </Checkbox.Group>
        )}
      </div>
    </Dialog>
  )
}
