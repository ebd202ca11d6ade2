import { cacheRules } from '@fairway/contract'
import type { CacheRule } from '@fairway/contract'
import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useScope } from '../../shell/scope/scope.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { useShortcut } from '../../ui/keys/shortcuts.ts'
import { LabelTag } from '../../ui/marks/type-tag.tsx'
import { DeliveryCard } from '../general-settings/delivery-card.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { RuleDrawer } from './rule-drawer.tsx'
import classes from './screen.module.css'

const column = columnsFor<CacheRule>()

/** How long what is kept, in the order in which rules decide; the default is the last. */
export function RulesTab({ place }: { place: Place }) {
  const { t } = useTranslation('cache-control')
  const { domain } = useScope()
  const { add } = useSearch({ from: '/shell/$site/{-$domain}/multi-cdn/cache-control/{-$tab}' })
  const navigate = useNavigate()
  const mayEdit = useCanCall(cacheRules.routes.create)
  const [edited, setEdited] = useState<CacheRule | null>(null)
  const [removed, setRemoved] = useState<CacheRule | null>(null)
  const { data, error, refetch } = useRead(cacheRules.routes.list, { ...place, page_size: -1 })
  const remove = useChange(cacheRules.routes.remove, { onDone: () => setRemoved(null) })
  const open = (isOpen: boolean) =>
    void navigate({ to: '.', search: (before) => ({ ...before, add: isOpen || undefined }) })
  useShortcut('c', t('rule.add'), () => open(true), mayEdit)
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('type', {
          header: t('rule.type'),
          enableSorting: false,
          cell: ({ row }) => <LabelTag>{t(`type.${row.original.type}`)}</LabelTag>,
          meta: { widthPx: 150, card: 'lead' },
        }),
        column.accessor('path', {
          header: t('rule.path'),
          enableSorting: false,
          cell: ({ row }) =>
            row.original.type === 'default' ? (
              <span className={classes.quiet}>{t(row.original.everything ? 'rule.allElse' : 'rule.staticElse')}</span>
            ) : (
              <code className={classes.code}>{row.original.path}</code>
            ),
          meta: { leastPx: 200, card: 'title' },
        }),
        column.accessor('ttlSeconds', {
          header: t('rule.expiry'),
          enableSorting: false,
          cell: ({ row }) => t(`expiry.${row.original.expiry.unit}`, { count: row.original.expiry.value }),
          meta: { widthPx: 150, card: 'detail' },
        }),
        column.accessor('honorOrigin', {
          header: t('rule.origin'),
          enableSorting: false,
          cell: ({ row }) => t(row.original.honorOrigin ? 'rule.honored' : 'rule.replaced'),
          meta: { widthPx: 220 },
        }),
        column.display({
          id: 'menu',
          header: () => <span className="sr-only">{t('rule.actions')}</span>,
          cell: ({ row }) =>
            mayEdit && (
              <>
                <ActionIcon
                  variant="subtle"
                  aria-label={t('rule.editNamed', { path: row.original.path })}
                  onClick={() => setEdited(row.original)}
                >
                  <IconPencil size={16} />
                </ActionIcon>
                {row.original.type !== 'default' && (
                  <ActionIcon
                    variant="subtle"
                    color="red"
                    aria-label={t('rule.removeNamed', { path: row.original.path })}
                    onClick={() => setRemoved(row.original)}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                )}
              </>
            ),
          meta: { widthPx: 96, align: 'end', card: 'end' },
        }),
      ]),
    [t, mayEdit],
  )
  return (
    <>
      <div className={classes.bar}>
        <p>{t('rule.text')}</p>
        {mayEdit && (
          <Button leftSection={<IconPlus size={16} stroke={1.9} />} onClick={() => open(true)}>
            {t('rule.add')}
          </Button>
        )}
      </div>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={t('rule.tableOf', { domain: domain?.name ?? '' })}
          rows={data?.data}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ path }) => path}
          empty={null}
        />
      )}
      <DeliveryCard input={place} saved />
      {(add === true || edited) && mayEdit && (
        <RuleDrawer
          key={edited?.id ?? 'new'}
          place={place}
          rule={edited}
          onClose={() => {
            setEdited(null)
            if (add) open(false)
          }}
        />
      )}
      {removed && (
        <Confirm
          opened
          onClose={() => setRemoved(null)}
          title={t('rule.removeTitle', { path: removed.path })}
          verb={t('rule.removeVerb')}
          danger
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ ...place, id: removed.id })}
        >
          {t('rule.removeText')}
        </Confirm>
      )}
    </>
  )
}
