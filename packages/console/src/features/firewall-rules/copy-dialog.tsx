import { domains, firewallRules } from '@fairway/contract'
import type { FirewallRule } from '@fairway/contract'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersions } from '../versions/use-undo-version.ts'
import { RuleFailure } from '../web-security/quota.tsx'
import classes from './editor.module.css'

/** From so many domains on, one is looked for. */
const SEARCH_FROM = 12

type CopyDialogProps = { opened: boolean; onClose: () => void; place: Place; rule: FirewallRule | null }

/** Puts a rule at the end of other domains' lists, of this site and of the organisation's others. */
export function CopyDialog({ opened, onClose, place, rule }: CopyDialogProps) {
  const { t } = useTranslation(['firewall-rules', 'shell'])
  const show = useSnackbar()
  const undo = useUndoVersions()
  const [chosen, setChosen] = useState<string[]>([])
  const [search, setSearch] = useState('')
  const { data } = useRead(domains.routes.all, { page_size: -1, ordering: 'name' }, { enabled: opened })
  const others = (data?.data ?? []).filter(({ id }) => id !== place.domain)
  const wanted = search.trim().toLowerCase()
  const shown = others.filter(({ id, name }) => chosen.includes(id) || name.includes(wanted))
  const here = shown.filter(({ siteId }) => siteId === place.site)
  const sites = [
    ...(here.length > 0 ? [{ name: t('copyTo'), rows: here }] : []),
    ...[...Map.groupBy(shown, ({ siteName }) => siteName)]
      .map(([name, rows]) => ({ name, rows: rows.filter(({ siteId }) => siteId !== place.site) }))
      .filter(({ rows }) => rows.length > 0)
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  ]
  const copy = useChange(firewallRules.routes.copy, {
    subject: null,
    onDone: ({ data: { copied, elsewhere }, meta }) => {
      const own = meta.version === null ? [] : [{ site: place.site, version: meta.version }]
      show('firewall-copy', {
        message: t('copied', { name: rule?.name ?? '', count: copied }),
        ...undo([...own, ...elsewhere]),
      })
      onClose()
    },
  })
  const full = copy.error instanceof ApiError ? fullDomain(copy.error, copy.variables?.domains ?? []) : undefined
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
        {copy.error && <RuleFailure place={place} part="firewall-rules" title={t('notSaved')} error={copy.error} />}
        {full && <p className={classes.wrong}>{t('copyFull', { name: others.find(({ id }) => id === full)?.name })}</p>}
        {data && others.length === 0 ? (
          <p className={classes.quiet}>{t('copyNone')}</p>
        ) : (
          <>
            {others.length > SEARCH_FROM && (
              <TextInput
                type="search"
                aria-label={t('copySearch')}
                placeholder={t('copySearch')}
                value={search}
                onChange={({ currentTarget }) => setSearch(currentTarget.value)}
              />
            )}
            {sites.map(({ name, rows }) => (
              <Checkbox.Group key={name} label={name} value={chosen} onChange={setChosen}>
                <div className={classes.group}>
                  {rows.map((one) => (
                    <Checkbox key={one.id} value={one.id} label={one.name} />
                  ))}
                </div>
              </Checkbox.Group>
            ))}
          </>
        )}
      </div>
    </Dialog>
  )
}

/** Of the domains that were asked for, the one whose list is full. */
function fullDomain({ fields }: ApiError, asked: readonly string[]): string | undefined {
  const [, index] = /^domains\.(\d+)$/.exec(fields[0]?.path ?? '') ?? []
  return index === undefined ? undefined : asked[Number(index)]
}
