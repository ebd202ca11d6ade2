import { crsRules, type CrsExclusion } from '@fairway/contract'
import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import classes from './crs-rules.module.css'

const ExclusionDialog = lazy(() =>
  import('./exclusion-dialog.tsx').then((module) => ({ default: module.ExclusionDialog })),
)

/** What rules find and what is harmless here: by rule, path and parameter. */
export function ExclusionsCard({ place, exclusions }: { place: Place; exclusions: readonly CrsExclusion[] }) {
  const { t } = useTranslation('crs-rules')
  const mayAdd = useCanCall(crsRules.routes.exclude)
  const [adding, setAdding] = useState(false)
  const add = (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPlus size={15} stroke={1.8} />}
      onClick={() => setAdding(true)}
    >
      {t('exclusion.add')}
    </Button>
  )
  return (
    <Card title={t('exclusion.title')} end={mayAdd && exclusions.length > 0 && add}>
      {exclusions.length === 0 ? (
        <EmptyTeach title={t('exclusion.none')} text={t('exclusion.noneText')} action={mayAdd && add} />
      ) : (
        <ul className={classes.exclusions}>
          {exclusions.map((one) => (
            <Exclusion key={one.id} place={place} exclusion={one} />
          ))}
        </ul>
      )}
      {adding && (
        <Suspense fallback={null}>
          <ExclusionDialog place={place} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Card>
  )
}

function Exclusion({
  place,
  exclusion: { id, ruleId, path, parameter, note },
}: {
  place: Place
  exclusion: CrsExclusion
}) {
  const { t } = useTranslation('crs-rules')
  const mayEnd = useCanCall(crsRules.routes.include)
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const end = useChange(crsRules.routes.include, {
    onDone: ({ meta }) => show(`exclusion ${id}`, { message: t('exclusion.ended'), ...undo(meta.version) }),
  })
  const rule = ruleId === null ? t('exclusion.anyRule') : t('rules.name', { ruleId })
  return (
    <li>
      <div className={classes.exclusion}>
        <p className={classes.what}>
          <span>{rule}</span>
          <code>{path === '' ? t('exclusion.anyPath') : path}</code>
          <code>{parameter === '' ? t('exclusion.anyParameter') : parameter}</code>
        </p>
        {note !== '' && <p className={classes.help}>{note}</p>}
      </div>
      {mayEnd && (
        <ActionIcon
          aria-label={t('exclusion.end', { rule })}
          loading={end.isPending}
          onClick={() => end.mutate({ ...place, id })}
        >
          <IconTrash size={16} stroke={1.7} />
        </ActionIcon>
      )}
    </li>
  )
}
