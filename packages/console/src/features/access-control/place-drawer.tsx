import { CHINA_NETWORKS, NetworkKey, accessControl } from '@fairway/contract'
import type { AccessEntryInput, AccessList } from '@fairway/contract'
import { Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { GeoPicker } from '../../ui/geo/geo-picker.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { usePlaceWords } from '../../ui/places/place-words.ts'
import { CityField } from '../routing-strategies/editor/city-field.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import { BackTestPanel } from '../web-security/back-test-panel.tsx'
import { RuleFailure } from '../web-security/quota.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { Lockout } from './lockout.tsx'
import classes from './access-control.module.css'

type PlaceDrawerProps = { opened: boolean; onClose: () => void; place: Place; list: AccessList }

/** Places down to a city, perhaps one network there, on a list or taken out of its places. */
export function PlaceDrawer({ opened, onClose, place, list }: PlaceDrawerProps) {
  const { t } = useTranslation(['access-control', 'shell'])
  const words = usePlaceWords()
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const [places, setPlaces] = useState<string[]>([])
  const [exclude, setExclude] = useState(false)
  const [group, setGroup] = useState<string | null>(null)
  const [system, setSystem] = useState('')
  const [note, setNote] = useState('')
  const [expiresAt, setExpiresAt] = useState<string | null>(null)
  const network = system.trim() !== '' ? system.trim().toUpperCase() : group
  const isWrong = network !== null && !NetworkKey.safeParse(network).success
  const entries = (places.length === 0 && network !== null ? ['world'] : places).map((value): AccessEntryInput => ({
    list,
    kind: 'place',
    value,
    network,
    exclude,
    note,
    expiresAt,
  }))
  const effect = exclude ? 'exclude' : list
  const isReady = entries.length > 0 && !isWrong
  const close = () => {
    setPlaces([])
    setGroup(null)
    setSystem('')
    setNote('')
    save.reset()
    onClose()
  }
  const save = useChange(accessControl.routes.createMany, {
    subject: null,
    onDone: ({ data, meta }) => {
      show('access-control', {
        message: t('imported', { count: data.added, duplicates: data.duplicates }),
        ...undo(meta.version),
      })
      close()
    },
  })
  return (
    <SideDrawer
      opened={opened}
      onClose={close}
      title={t(`place.addTo.${list}`)}
      keepOpen={entries.length > 0}
      onSubmit={() => {
        if (isReady) save.mutate({ ...place, entries })
      }}
      footer={
        <>
          <Button variant="default" onClick={close}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!isReady}>
            {t('place.add')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        {save.error && <RuleFailure place={place} part="access-control" title={t('notSaved')} error={save.error} />}
        <Segmented
          label={t('place.kind')}
          value={exclude ? 'exclude' : 'include'}
          onChange={(next) => setExclude(next === 'exclude')}
          options={[
            { value: 'include', label: t('place.include') },
            { value: 'exclude', label: t('place.exclude') },
          ]}
        />
        <p className={classes.quiet}>{t(`place.help.${effect}`)}</p>
        <GeoPicker label={t('place.places')} none={t('place.none')} value={places} onChange={setPlaces} />
        <CityField
          chosen={places}
          onAdd={(key) => setPlaces((before) => (before.includes(key) ? before : [...before, key]))}
        />
        <div className={classes.line}>
          <Select
            label={t('place.network')}
            description={t('place.networkHelp')}
            placeholder={t('place.anyNetwork')}
            data={CHINA_NETWORKS.map((value) => ({ value, label: words.network(value) }))}
            value={system.trim() === '' ? group : null}
            clearable
            disabled={system.trim() !== ''}
            onChange={setGroup}
          />
          <TextInput
            label={t('place.system')}
            description={t('place.systemHelp')}
            placeholder="AS2500"
            value={system}
            spellCheck={false}
            error={isWrong ? t('place.systemWrong') : null}
            onChange={({ currentTarget }) => setSystem(currentTarget.value)}
          />
        </div>
        <TextInput
          label={t('note')}
          value={note}
          maxLength={200}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <ExpiryField value={expiresAt} onChange={setExpiresAt} />
        <Lockout place={place} change={isReady ? { add: entries } : null} />
        <BackTestPanel place={place} change={isReady ? { access: { add: entries } } : null} />
      </div>
    </SideDrawer>
  )
}
